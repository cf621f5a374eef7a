"""Owns the golden trees: the native search and the slow reference grow the same tree, number for number."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfall import Board, Engine, Limit, Preset
from fourfall._core import (
    Choice,
    ColumnWeights,
    Expansion,
    Formula,
    Proofs,
    Representation,
    Reward,
    Rollout,
    Sums,
    TerminalTest,
    TreeConfig,
)
from tests.kinds import TREES, tree_config
from tests.search.trees import assert_same, flat
from tests.search.uct_reference import UctReference
from tests.strategies import Game, games

# Deep enough for the whole tree of a few hundred simulations; a graph is unrolled into a tree, which grows too large.
TREE_DEPTH, GRAPH_DEPTH = 144, 6

FAMILIES = ["000", "001", "002", "003", *(f"004-v{version}" for version in (1, 3, 4, 6, 8, 11, 12, 13, 14))]
STARTS = {
    "9x9 with a hole": ("9x9@3,4", 200),
    "12x12 with a hole": ("12x12@9,5", 150),
    "6x7": ("6x7", 250),
    "an early threat": ("6x7:4452", 250),
    "a midgame": ("10x11@4,7:463334857a51a267bb199548233119b18a55166", 150),
    "a midgame of threats": ("6x7:2577713147446472141546", 300),
    "a midgame with a hole": ("9x9@8,4:271334957227447849935733311964", 150),
    "a lost game": ("6x7:4531531452421227466", 700),
    "a lost game with a hole": ("5x6@2,2:15511253461155343", 700),
    "a near end": ("6x7:453376544462443327773371166555", 500),
    "a near end with a hole": ("5x6@2,2:64135544463133146122", 500),
}


def assert_same_search(engine: Engine, reference: UctReference, board: Board, nodes: int) -> int:
    """Search with both, compare tree, move and count, and return the move."""
    depth = GRAPH_DEPTH if reference.config.graph else TREE_DEPTH
    analysis = engine.analyse(board, Limit(simulations=nodes))
    move = reference.search(board, nodes)
    assert_same(engine.tree(depth), reference.tree(depth))
    assert (analysis.move, analysis.simulations) == (move, reference.simulations)
    return move


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_seed_grows_the_tree_of_the_reference(family: str, start: str) -> None:
    """Every seed system searches as its configuration says, step for step."""
    text, nodes = STARTS[start]
    name, seed = f"seed-{family}", len(text)
    assert_same_search(Engine(name, seed=seed), UctReference(tree_config(name), seed), Board.parse(text), nodes)


def test_the_starts_tell_the_seeds_apart() -> None:
    """No two families grow the same trees, so that a golden tree of one is evidence for what it adds.

    Version 11 is left out: its slip shows only in how far lost positions are from their end, which test_proofs.py
    looks at.
    """
    grown = set()
    families = [family for family in FAMILIES if family != "004-v11"]
    for family in families:
        trees = []
        for text, nodes in STARTS.values():
            engine = Engine(f"seed-{family}", seed=len(text))
            move = engine.play(Board.parse(text), Limit(simulations=nodes))
            trees.append((move, flat(engine.tree(GRAPH_DEPTH))))
        grown.add(tuple(trees))
    assert len(grown) == len(families)


@pytest.mark.parametrize("name", [name for name in TREES if tree_config(name).reuse])
def test_a_kept_tree_grows_on_as_in_the_reference(name: str) -> None:
    """What lies below the played moves is taken over as it was, in trees and in graphs."""
    engine, reference = Engine(name, seed=3), UctReference(tree_config(name), 3)
    board = Board.parse("5x6@2,2:2413")
    for _ in range(4):
        board.push(assert_same_search(engine, reference, board, 100))


@st.composite
def configs(draw: st.DrawFn) -> TreeConfig:
    """Draw configurations, also such as no seed has.

    Left out is what means nothing by itself: forced replies where a win at hand does not count, and a late test for
    the end of the game together with rollouts that cannot be played on after it.
    """
    config = TreeConfig()
    config.formula = draw(st.sampled_from(list(Formula)))
    config.exploration = draw(st.sampled_from((0.0, 0.3, 1.0, 2.5)))
    config.revisit_fresh = draw(st.booleans())
    config.expansion = draw(st.sampled_from(list(Expansion)))
    config.expansion_weights = draw(st.sampled_from(list(ColumnWeights)))
    config.rollout = draw(st.sampled_from(list(Rollout)))
    config.representation = draw(st.sampled_from(list(Representation)))
    if config.rollout in (Rollout.WIN_BLOCK, Rollout.LOOKAHEAD):
        config.terminal_test = draw(st.sampled_from(list(TerminalTest)))
    config.end_on_win = draw(st.booleans())
    config.forced_replies = config.end_on_win and draw(st.booleans())
    config.reward = draw(st.sampled_from(list(Reward)))
    config.sums = draw(st.sampled_from(list(Sums)))
    config.proofs = draw(st.sampled_from(list(Proofs)))
    config.root_win = config.forced_replies or draw(st.booleans())
    config.root_block = draw(st.booleans())
    config.root_double_threat = draw(st.booleans())
    config.choice = draw(st.sampled_from(list(Choice)))
    config.graph = config.terminal_test == TerminalTest.NEW and draw(st.booleans())
    config.reuse = draw(st.booleans())
    return config


@given(config=configs(), game=games(max_side=7), seed=st.integers(0, 2**64 - 1))
@settings(max_examples=80)
def test_any_configuration_grows_the_tree_of_the_reference(config: TreeConfig, game: Game, seed: int) -> None:
    """The parts of the search combine freely, on any board and from any position."""
    board = game.board()
    if board.is_over:
        board.pop()
    preset = Preset("drawn", "", "", config)
    assert_same_search(Engine(preset, seed=seed, memory_mb=4), UctReference(config, seed), board, 60)
