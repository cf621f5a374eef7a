"""Owns the agreement of the representations: rollouts on bits and on an array of cells play the same games."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfall import Board, Engine, Limit, Preset, presets
from tests.kinds import TREES
from tests.search.trees import flat
from tests.strategies import Game, games

REPRESENTATIONS = ("array", "wide", "fitted", "narrow")
POLICIES = ("uniform", "centre", "end-test", "win-block", "lookahead")
# One board for every layout of bits, from one word to the widest.
SHAPES = ((6, 7), (4, 9), (9, 12), (10, 11), (11, 10), (12, 9), (12, 12))


def variant(folder: Path, text: str, **override: str) -> Preset:
    """Write a preset file with these lines of the rollout section on top of a text, and load it."""
    path = folder / "variant.toml"
    lines = "".join(f'{key} = "{value}"\n' for key, value in override.items())
    path.write_text(f"{text}\n[rollout]\n{lines}", encoding="utf-8")
    return presets.load(path)


def grown(preset: Preset, board: Board, seed: int, nodes: int = 150) -> tuple[object, ...]:
    """Search and return the move and the whole tree."""
    engine = Engine(preset, seed=seed, memory_mb=4)
    move = engine.play(board, Limit(simulations=nodes))
    return move, flat(engine.tree(8))


@pytest.fixture(scope="module")
def variants(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Preset]]:
    """Make every tree preset of the package in every representation, and every policy by itself."""
    folder = tmp_path_factory.mktemp("variants")
    named = {
        name: [variant(folder, f'base = "{name}"', representation=kind) for kind in REPRESENTATIONS] for name in TREES
    }
    bare = {
        policy: [variant(folder, "", policy=policy, representation=kind) for kind in REPRESENTATIONS]
        for policy in POLICIES
    }
    return named | bare


@pytest.mark.parametrize("rows_cols", SHAPES, ids=str)
@pytest.mark.parametrize("name", [*TREES, *POLICIES])
def test_every_representation_grows_the_same_tree(
    variants: dict[str, list[Preset]], name: str, rows_cols: tuple[int, int]
) -> None:
    """Bits and array agree move for move: on the same seed they grow the same tree, on every layout of bits."""
    rows, cols = rows_cols
    for hole in (None, (rows // 2, cols // 2)):
        board = Board(rows, cols, hole)
        trees = {grown(preset, board, seed=rows + cols) for preset in variants[name]}
        assert len(trees) == 1


@given(data=st.data(), game=games(), seed=st.integers(0, 2**64 - 1))
@settings(max_examples=150)
def test_every_representation_plays_on_from_any_position(
    variants: dict[str, list[Preset]], data: st.DataObject, game: Game, seed: int
) -> None:
    """The same holds from any position of any board, wherever the hole lies."""
    board = game.board()
    if board.is_over:
        board.pop()
    name = data.draw(st.sampled_from(sorted(variants)))
    trees = {grown(preset, board, seed, nodes=40) for preset in variants[name]}
    assert len(trees) == 1


@pytest.mark.parametrize("policy", POLICIES)
def test_every_representation_plays_on_over_the_end(tmp_path: Path, policy: str) -> None:
    """A late test for the end lets a rollout start from a won position, and there too bits and array agree."""
    late = '[expansion]\nterminal_test = "revisit"\n'
    board = Board.parse("6x7:112233")
    assert board.winning_moves
    trees = {
        grown(variant(tmp_path, late, policy=policy, representation=kind), board, seed)
        for seed in range(5)
        for kind in REPRESENTATIONS
    }
    assert len(trees) == 5


def test_looking_further_ahead_only_ends_the_same_games_sooner(tmp_path: Path) -> None:
    """Three kinds of games are played; a test before the drop and a lookahead find the same results in fewer moves.

    A side that faces two wins, or drops a stone under one, loses with its opponent's next stone anyway.
    """
    board = Board(9, 9, hole=(4, 4))
    trees = {policy: grown(variant(tmp_path, "", policy=policy), board, seed=1) for policy in POLICIES}
    assert trees["uniform"] == trees["end-test"]
    assert trees["win-block"] == trees["lookahead"]
    assert len(set(trees.values())) == 3
