"""Tests of the engine with every preset: reproducible results, consistent analyses, limits and threads."""

import random
import time

import pytest

from fourfall import Analysis, Board, Engine, EngineError, Limit, presets
from fourfall._core import GraphConfig, Proofs, TerminalTest
from tests.kinds import GRAPHS, NAMES, TREES, load_graph_config, load_tree_config
from tests.search.tree_comparison import flatten, summarise_search

REUSING = [name for name in TREES if load_tree_config(name).reuse]
BOARDS = ["6x7", "9x9@3,4", "12x12@9,5:67", "10x11@4,7:463334857a51a267bb", "4x5@1,2:1122", "6x7:11223"]
RULES = ("win", "block", "double threat")


def make_engine(name: str, seed: int = 1) -> Engine:
    """Return a new engine with little memory."""
    return Engine(name, seed=seed, memory_mb=16)


def search_and_summarise(engine: Engine, board: Board, simulations: int) -> tuple[object, ...]:
    """Search and return everything in the result and the tree that does not depend on time."""
    return summarise_search(engine.search(board, Limit(simulations=simulations))), flatten(engine.tree(6))


@pytest.mark.parametrize("name", NAMES)
def test_same_seed_gives_same_result(name: str) -> None:
    """Two new engines with the same seed have equal results over several moves."""
    first, second = make_engine(name), make_engine(name)
    board = Board.parse("9x9@3,4")
    for _ in range(3):
        assert search_and_summarise(first, board, 400) == search_and_summarise(second, board, 400)
        board.push(board.legal_moves[-1])


@pytest.mark.parametrize("name", NAMES)
def test_different_seeds_give_different_results(name: str) -> None:
    """Searches with four different seeds all differ."""
    board = Board.parse("9x9@3,4")
    assert len({repr(search_and_summarise(make_engine(name, seed), board, 200)) for seed in (0, 1, 2, 2**64 - 1)}) == 4


@pytest.mark.parametrize("name", NAMES)
def test_clear_restores_the_initial_state(name: str) -> None:
    """After clear() an engine gives the same result as a new one."""
    used, board = make_engine(name), Board.parse("6x7:4")
    used.play(board, Limit(simulations=300))
    used.clear()
    assert search_and_summarise(used, board, 300) == search_and_summarise(make_engine(name), board, 300)


def assert_consistent(analysis: Analysis, board: Board, simulations: int, can_prove: bool) -> None:
    """Check an analysis of a new engine for consistency."""
    assert [column.column for column in analysis.columns] == board.legal_moves
    assert sum(column.visits for column in analysis.columns) == analysis.simulations
    assert analysis.reused_visits == 0
    if analysis.stopped_by in RULES:
        assert analysis.simulations == 0
    elif analysis.stopped_by == "proof":
        assert can_prove
        assert analysis.simulations <= simulations
        assert analysis.score.is_exact
    else:
        assert (analysis.stopped_by, analysis.simulations) == ("simulations", simulations)
    (chosen,) = (column for column in analysis.columns if column.column == analysis.move)
    assert chosen.score == analysis.score
    assert -1 <= analysis.score.value <= 1
    assert analysis.pv[0] == analysis.move
    played = board.copy()
    for column in analysis.pv:
        played.push(column)
    if analysis.score.is_exact:
        assert len(analysis.pv) <= (analysis.score.distance or 0)
    assert analysis.nodes >= 1
    assert analysis.memory_bytes > 0
    assert analysis.seconds > 0
    assert analysis.simulations_per_second == pytest.approx(analysis.simulations / analysis.seconds)
    assert list(analysis.profile) == ["selection", "expansion", "evaluation", "solver", "backup"]
    assert all(share >= 0 for share in analysis.profile.values())
    assert sum(analysis.profile.values()) == pytest.approx(1 if analysis.simulations else 0)


@pytest.mark.parametrize("text", BOARDS)
@pytest.mark.parametrize("name", TREES)
def test_analysis_is_consistent(name: str, text: str) -> None:
    """It has the legal columns, its visits add up, the limit is kept, and the principal variation is legal."""
    board = Board.parse(text)
    can_prove = load_tree_config(name).proofs != Proofs.NONE
    for simulations in (1, 7, 300):
        analysis = make_engine(name).search(board, Limit(simulations=simulations))
        assert_consistent(analysis, board, simulations, can_prove)
        assert make_engine(name).play(board, Limit(simulations=simulations)) == analysis.move
    assert board.notation == Board.parse(text).notation


@pytest.mark.parametrize("name", TREES)
def test_tree_agrees_with_analysis(name: str) -> None:
    """The children of the root are the visited columns with the same numbers; before a search the tree is empty.

    With `graph`, the visits of a position include its own evaluation, at the root one that is not a simulation.
    """
    engine, board = make_engine(name), Board.parse("9x9@3,4")
    assert flatten(engine.tree(3))[:2] == (-1, 0)
    analysis = engine.search(board, Limit(simulations=200))
    tree = engine.tree()
    assert tree.column == -1
    assert tree.visits == analysis.simulations + (1 if load_tree_config(name).graph else 0)
    visited = [(column.column, column.visits, column.score) for column in analysis.columns if column.visits]
    assert [(child.column, child.visits, child.score) for child in tree.children] == visited
    assert not any(child.children for child in tree.children)
    assert not engine.tree(0).children


def test_all_moves_are_legal() -> None:
    """Games between all presets, on official and on small boards, have legal moves and principal variations only."""
    rng = random.Random(5)  # noqa: S311
    for game, name in enumerate(NAMES * 3):
        rows, cols = rng.randint(4, 6), rng.randint(4, 6)
        hole = (rng.randrange(rows), rng.randrange(cols)) if game % 3 == 1 else None
        board = Board.random(seed=game) if game % 3 == 0 else Board(rows, cols, hole)
        engines = [Engine(preset, seed=game, memory_mb=16) for preset in (name, rng.choice(NAMES))]
        while not board.is_over:
            analysis = engines[board.turn].search(board, Limit(simulations=rng.choice((1, 2, 5, 20, 60))))
            assert [column.column for column in analysis.columns] == board.legal_moves
            variation = board.copy()
            for column in analysis.pv:
                variation.push(column)
            board.push(analysis.move)


@pytest.mark.parametrize("name", TREES)
def test_tree_is_kept_if_the_preset_reuses_it(name: str) -> None:
    """On the next turn, presets with reuse start with the subtree of the played moves, others with an empty tree."""
    engine, board = make_engine(name), Board.parse("9x9@3,4")
    analysis = engine.search(board, Limit(simulations=2000))
    before = next(child for child in engine.tree(2).children if child.column == analysis.move)
    reply = max(before.children, key=lambda child: child.visits, default=None)
    assert reply is not None or load_tree_config(name).terminal_test == TerminalTest.INVERTED
    board.push(analysis.move)
    board.push(board.legal_moves[0] if reply is None else reply.column)
    following = engine.search(board, Limit(simulations=100))
    visits = sum(column.visits for column in following.columns)
    if name in REUSING:
        assert reply is not None
        assert 0 < following.reused_visits <= reply.visits
        assert 100 < visits <= following.reused_visits + 100
    else:
        assert following.reused_visits == 0
        assert visits == 100


@pytest.mark.parametrize("name", [*GRAPHS, *REUSING])
def test_other_games_on_the_same_engine(name: str) -> None:
    """Nodes kept from another game or board do not affect the result."""
    engine = make_engine(name)
    for text in ("9x9@3,4:5", "9x9@3,4:1", "9x9@3,4", "6x7", "12x12@0,0", "6x7:4", "9x9@4,4:5"):
        board = Board.parse(text)
        analysis = engine.search(board, Limit(simulations=100))
        assert [column.column for column in analysis.columns] == board.legal_moves
        assert analysis.simulations == 100


@pytest.mark.parametrize("name", ["fourfall", "seed-002"])
@pytest.mark.parametrize("text", ["6x7:1212121", "4x4:4321311144234232"])
def test_finished_game_is_rejected(name: str, text: str) -> None:
    """After a win or on a full board, analyse() and play() raise EngineError; the engine stays usable."""
    engine, board = make_engine(name), Board.parse(text)
    assert board.is_over
    for method in (engine.analyse, engine.play):
        with pytest.raises(EngineError, match="over"):
            method(board, Limit(simulations=10))
    assert issubclass(EngineError, ValueError)
    assert engine.play(Board(6, 7), Limit(simulations=10)) in range(7)


@pytest.mark.parametrize("name", TREES)
def test_zero_time_gives_a_legal_move(name: str) -> None:
    """A limit of 0 seconds gives a legal move."""
    board = Board.parse("9x9@3,4")
    analysis = make_engine(name).search(board, Limit(time=0))
    assert analysis.move in board.legal_moves
    assert analysis.simulations > 0
    assert analysis.stopped_by == "time"


@pytest.mark.parametrize("name", ["fourfall", "seed-001"])
def test_default_limit_of_a_preset(name: str) -> None:
    """The limit of the preset applies if the caller gives none or an empty one; a caller's limit replaces it."""
    preset = presets.load(name)
    preset.config.move_time_s, preset.config.simulations = None, 30
    for limit in (None, Limit()):
        assert Engine(preset, memory_mb=16).search(Board(6, 7), limit).simulations == 30
    assert Engine(preset, memory_mb=16).search(Board(6, 7), Limit(simulations=70)).simulations == 70


@pytest.mark.parametrize("name", ["fourfall", "seed-002"])
def test_search_stops_at_the_first_limit_reached(name: str) -> None:
    """With a time and a number of simulations, the first one reached ends the search."""
    board = Board(9, 9)
    assert make_engine(name).search(board, Limit(time=600, simulations=50)).stopped_by == "simulations"
    assert make_engine(name).search(board, Limit(time=0.01, simulations=10**12)).stopped_by == "time"


def test_time_limit_is_kept() -> None:
    """Of fifty moves with 50 ms, including the first on a board, none computes more than 100 ms longer.

    Processor time is measured, because other processes may delay this one.
    """
    longest = 0.0
    for name in ("fourfall", "seed-000", "seed-001", "seed-004-v13", "seed-004-v17"):
        engine, board = Engine(name, seed=1), Board.random(seed=3)
        for _ in range(10):
            begin = time.perf_counter()
            move = engine.play(board, Limit(time=0.05))
            longest = max(longest, time.perf_counter() - begin)
            board.push(move)
            board = Board.random(seed=4) if board.is_over else board
    assert longest < 0.05 + 0.1


def test_repr_is_the_constructor_call() -> None:
    """repr() shows the preset, the seed and the threads if given."""
    assert repr(Engine("seed-002", seed=7)) == "Engine('seed-002', seed=7)"
    assert repr(Engine("fourfall", threads=2)) == "Engine('fourfall', seed=0, threads=2)"


def test_threads_argument_does_not_change_the_preset() -> None:
    """The argument replaces the number of threads of a graph search; the preset object is unchanged."""
    preset = presets.load("fourfall")
    before = load_graph_config("fourfall").threads
    assert Engine(preset, threads=before + 1).play(Board.parse("6x7:112233"), Limit(simulations=100)) == 3
    assert isinstance(preset.config, GraphConfig)
    assert preset.config.threads == before


@pytest.mark.parametrize("name", TREES)
def test_tree_search_has_one_thread(name: str) -> None:
    """threads=1 is accepted; threads=2 is rejected with the reason."""
    assert Engine(name, threads=1, memory_mb=16).play(Board(6, 7), Limit(simulations=10)) in range(7)
    with pytest.raises(EngineError, match=f"{name} is a tree search, which runs in one thread, not in 2"):
        Engine(name, threads=2)


@pytest.mark.parametrize("name", ["fourfall", "seed-002"])
@pytest.mark.parametrize("threads", [-1, 0, 65, 10**30])
def test_invalid_number_of_threads_is_rejected(name: str, threads: int) -> None:
    """The message gives the valid range."""
    with pytest.raises(EngineError, match=f"threads must be 1 to 64, not {threads}"):
        Engine(name, threads=threads)
