"""Golden trees: the native search and the slow reference implementation build the same tree, number for number."""

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
from tests.kinds import TREES, load_tree_config
from tests.search.tree_comparison import assert_same_tree, flatten
from tests.search.tree_reference import TreeReference
from tests.strategies import Game, games

# Depth of the comparison: the whole tree. A graph is unrolled into a tree, whose full depth would be too large.
TREE_DEPTH, GRAPH_DEPTH = 144, 6

FAMILIES = ["000", "001", "002", "003", *(f"004-v{version}" for version in (1, 3, 4, 6, 8, 11, 12, 13, 14))]
POSITIONS = {
    "9x9 with a hole": ("9x9@3,4", 200),
    "12x12 with a hole": ("12x12@9,5", 150),
    "6x7": ("6x7", 250),
    "early threat": ("6x7:4452", 250),
    "midgame": ("10x11@4,7:463334857a51a267bb199548233119b18a55166", 150),
    "midgame with threats": ("6x7:2577713147446472141546", 300),
    "midgame with a hole": ("9x9@8,4:271334957227447849935733311964", 150),
    "lost position": ("6x7:4531531452421227466", 700),
    "lost position with a hole": ("5x6@2,2:15511253461155343", 700),
    "endgame": ("6x7:453376544462443327773371166555", 500),
    "endgame with a hole": ("5x6@2,2:64135544463133146122", 500),
}


def assert_same_search(engine: Engine, reference: TreeReference, board: Board, simulations: int) -> int:
    """Search with both, compare tree, move and number of simulations, and return the move."""
    depth = GRAPH_DEPTH if reference.config.graph else TREE_DEPTH
    analysis = engine.search(board, Limit(simulations=simulations))
    move = reference.search(board, simulations)
    assert_same_tree(engine.tree(depth), reference.tree(depth))
    assert (analysis.move, analysis.simulations) == (move, reference.simulations)
    return move


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("family", FAMILIES)
def test_seed_builds_the_same_tree_as_the_reference(family: str, position: str) -> None:
    """The engine and the reference build the same tree for every seed system and position."""
    text, simulations = POSITIONS[position]
    name, seed = f"seed-{family}", len(text)
    assert_same_search(
        Engine(name, seed=seed), TreeReference(load_tree_config(name), seed), Board.parse(text), simulations
    )


def test_seeds_build_different_trees() -> None:
    """No two seed systems build the same trees, so each golden tree tests what its system adds.

    Version 11 is left out: its bug changes only the distance of losses, which test_proofs.py checks.
    """
    distinct = set()
    families = [family for family in FAMILIES if family != "004-v11"]
    for family in families:
        trees = []
        for text, simulations in POSITIONS.values():
            engine = Engine(f"seed-{family}", seed=len(text))
            move = engine.play(Board.parse(text), Limit(simulations=simulations))
            trees.append((move, flatten(engine.tree(GRAPH_DEPTH))))
        distinct.add(tuple(trees))
    assert len(distinct) == len(families)


@pytest.mark.parametrize("name", [name for name in TREES if load_tree_config(name).reuse])
def test_reused_tree_is_the_same_as_in_the_reference(name: str) -> None:
    """After moves are played, trees and graphs reuse the nodes below them without changes."""
    engine, reference = Engine(name, seed=3), TreeReference(load_tree_config(name), 3)
    board = Board.parse("5x6@2,2:2413")
    for _ in range(4):
        board.push(assert_same_search(engine, reference, board, 100))


@st.composite
def configs(draw: st.DrawFn) -> TreeConfig:
    """Generate configurations, including ones that no seed system has.

    One combination without meaning is left out: forced replies without `end_on_win`.
    """
    config = TreeConfig()
    config.formula = draw(st.sampled_from(list(Formula)))
    config.exploration = draw(st.sampled_from((0.0, 0.3, 1.0, 2.5)))
    config.revisit_fresh = draw(st.booleans())
    config.expansion = draw(st.sampled_from(list(Expansion)))
    config.expansion_weights = draw(st.sampled_from(list(ColumnWeights)))
    config.rollout = draw(st.sampled_from(list(Rollout)))
    config.representation = draw(st.sampled_from(list(Representation)))
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
def test_any_configuration_builds_the_same_tree_as_the_reference(config: TreeConfig, game: Game, seed: int) -> None:
    """Options can be combined freely, on any board and from any position."""
    board = game.board()
    if board.is_over:
        board.pop()
    preset = Preset("generated", "", "", config)
    assert_same_search(Engine(preset, seed=seed, memory_mb=4), TreeReference(config, seed), board, 60)
