"""Rollouts on bitboards and on an array of cells play the same games."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfall import Board, Engine, Limit, Preset, presets
from tests.kinds import TREES
from tests.search.tree_comparison import flatten
from tests.strategies import Game, games

REPRESENTATIONS = ("array", "wide", "fitted", "narrow")
POLICIES = ("uniform", "centre", "end-test", "win-block", "lookahead")
# One board size for every bitboard layout, from one word to the widest.
SHAPES = ((6, 7), (4, 9), (9, 12), (10, 11), (11, 10), (12, 9), (12, 12))


def load_variant(folder: Path, text: str, **override: str) -> Preset:
    """Write a preset file: a text, then a rollout section with the given keys; and load it."""
    path = folder / "variant.toml"
    lines = "".join(f'{key} = "{value}"\n' for key, value in override.items())
    path.write_text(f"{text}\n[rollout]\n{lines}", encoding="utf-8")
    return presets.load(path)


def search_tree(preset: Preset, board: Board, seed: int, simulations: int = 150) -> tuple[object, ...]:
    """Search, and return the move and the tree to a depth of 8."""
    engine = Engine(preset, seed=seed, memory_mb=4)
    move = engine.play(board, Limit(simulations=simulations))
    return move, flatten(engine.tree(8))


@pytest.fixture(scope="module")
def variants(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Preset]]:
    """Load every tree preset of the package, and every rollout policy alone, in every representation."""
    folder = tmp_path_factory.mktemp("variants")
    packaged = {
        name: [load_variant(folder, f'base = "{name}"', representation=kind) for kind in REPRESENTATIONS]
        for name in TREES
    }
    policies = {
        policy: [load_variant(folder, "", policy=policy, representation=kind) for kind in REPRESENTATIONS]
        for policy in POLICIES
    }
    return packaged | policies


@pytest.mark.parametrize("rows_cols", SHAPES, ids=str)
@pytest.mark.parametrize("name", [*TREES, *POLICIES])
def test_all_representations_build_the_same_tree(
    variants: dict[str, list[Preset]], name: str, rows_cols: tuple[int, int]
) -> None:
    """With the same seed, all representations build the same tree, on every bitboard layout."""
    rows, cols = rows_cols
    for hole in (None, (rows // 2, cols // 2)):
        board = Board(rows, cols, hole)
        trees = {search_tree(preset, board, seed=rows + cols) for preset in variants[name]}
        assert len(trees) == 1


@given(data=st.data(), game=games(), seed=st.integers(0, 2**64 - 1))
@settings(max_examples=150)
def test_all_representations_agree_from_any_position(
    variants: dict[str, list[Preset]], data: st.DataObject, game: Game, seed: int
) -> None:
    """All representations build the same tree from any position of any board, with any hole."""
    board = game.board()
    if board.is_over:
        board.pop()
    name = data.draw(st.sampled_from(sorted(variants)))
    trees = {search_tree(preset, board, seed, simulations=40) for preset in variants[name]}
    assert len(trees) == 1


@pytest.mark.parametrize("terminal_test", ["revisit", "inverted"])
@pytest.mark.parametrize("policy", POLICIES)
def test_all_representations_agree_after_the_end_of_the_game(tmp_path: Path, policy: str, terminal_test: str) -> None:
    """With a late terminal test, rollouts start from won positions; the representations agree there too."""
    late = f'[expansion]\nterminal_test = "{terminal_test}"\n'
    board = Board.parse("6x7:112233")
    assert board.winning_moves
    trees = {
        search_tree(load_variant(tmp_path, late, policy=policy, representation=kind), board, seed)
        for seed in range(5)
        for kind in REPRESENTATIONS
    }
    assert len(trees) == 5


def test_lookahead_policies_give_the_same_results(tmp_path: Path) -> None:
    """The five policies give three different trees: end-test and lookahead find the same results in fewer moves.

    A side that faces two winning cells, or plays directly below one, loses to the opponent's next stone anyway.
    """
    board = Board(9, 9, hole=(4, 4))
    trees = {policy: search_tree(load_variant(tmp_path, "", policy=policy), board, seed=1) for policy in POLICIES}
    assert trees["uniform"] == trees["end-test"]
    assert trees["win-block"] == trees["lookahead"]
    assert len(set(trees.values())) == 3
