"""Owns the contract of the engine: the same question has the same answer, and every answer makes sense."""

import random
import time

import pytest

from fourfall import Analysis, Board, Engine, EngineError, Limit, presets
from fourfall._core import GraphConfig, Proofs
from tests.kinds import GRAPHS, NAMES, TREES, graph_config, tree_config
from tests.search.tree_comparison import flatten

REUSING = [name for name in TREES if tree_config(name).reuse]
BOARDS = ["6x7", "9x9@3,4", "12x12@9,5:67", "10x11@4,7:463334857a51a267bb", "4x5@1,2:1122", "6x7:11223"]
RULES = ("win", "block", "double threat")


def fresh(name: str, seed: int = 1) -> Engine:
    """Return a new engine that takes little memory."""
    return Engine(name, seed=seed, memory_mb=16)


def answer(engine: Engine, board: Board, nodes: int) -> tuple[object, ...]:
    """Search, and return everything in the answer that chance and not the clock decides."""
    analysis = engine.analyse(board, Limit(simulations=nodes))
    columns = [(column.column, column.visits, column.score) for column in analysis.columns]
    counts = (analysis.simulations, analysis.reused_visits, analysis.nodes, analysis.memory_bytes)
    return analysis.move, analysis.score, columns, analysis.pv, counts, analysis.stopped_by, flatten(engine.tree(6))


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_answer(name: str) -> None:
    """Two fresh engines with one seed agree on everything, move after move."""
    first, second = fresh(name), fresh(name)
    board = Board.parse("9x9@3,4")
    for _ in range(3):
        assert answer(first, board, 400) == answer(second, board, 400)
        board.push(board.legal_moves[-1])


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_gives_another_search(name: str) -> None:
    """The seed is what chance hangs on."""
    board = Board.parse("9x9@3,4")
    assert len({repr(answer(fresh(name, seed), board, 200)) for seed in (0, 1, 2, 2**64 - 1)}) == 4


@pytest.mark.parametrize("name", NAMES)
def test_a_forgetful_engine_is_a_fresh_one(name: str) -> None:
    """After clear() an engine answers as if it had never searched."""
    used, board = fresh(name), Board.parse("6x7:4")
    used.play(board, Limit(simulations=300))
    used.clear()
    assert answer(used, board, 300) == answer(fresh(name), board, 300)


def assert_sensible(analysis: Analysis, board: Board, nodes: int, proves: bool) -> None:
    """Check an analysis by a fresh engine against the board and against itself."""
    assert [column.column for column in analysis.columns] == board.legal_moves
    assert sum(column.visits for column in analysis.columns) == analysis.simulations
    assert analysis.reused_visits == 0
    if analysis.stopped_by in RULES:
        assert analysis.simulations == 0
    elif analysis.stopped_by == "proof":
        assert proves
        assert analysis.simulations <= nodes
        assert analysis.score.is_exact
    else:
        assert (analysis.stopped_by, analysis.simulations) == ("simulations", nodes)
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
    assert list(analysis.profile) == ["selection", "expansion", "rollout", "backup"]
    assert all(share >= 0 for share in analysis.profile.values())
    assert sum(analysis.profile.values()) == pytest.approx(1 if analysis.simulations else 0)


@pytest.mark.parametrize("text", BOARDS)
@pytest.mark.parametrize("name", TREES)
def test_an_analysis_makes_sense(name: str, text: str) -> None:
    """It speaks of the legal columns, adds up, keeps to its limit, and its line can be played."""
    board = Board.parse(text)
    proves = tree_config(name).proofs != Proofs.NONE
    for nodes in (1, 7, 300):
        analysis = fresh(name).analyse(board, Limit(simulations=nodes))
        assert_sensible(analysis, board, nodes, proves)
        assert fresh(name).play(board, Limit(simulations=nodes)) == analysis.move
    assert board.notation == Board.parse(text).notation


@pytest.mark.parametrize("name", TREES)
def test_the_tree_is_that_of_the_analysis(name: str) -> None:
    """The root's children are the visited columns, with the same numbers; without a search there is no tree.

    A graph counts a position's own simulation among its visits, and at the root one that it never ran.
    """
    engine, board = fresh(name), Board.parse("9x9@3,4")
    assert flatten(engine.tree(3))[:2] == (-1, 0)
    analysis = engine.analyse(board, Limit(simulations=200))
    tree = engine.tree()
    assert tree.column == -1
    assert tree.visits == analysis.simulations + (1 if tree_config(name).graph else 0)
    visited = [(column.column, column.visits, column.score) for column in analysis.columns if column.visits]
    assert [(child.column, child.visits, child.score) for child in tree.children] == visited
    assert not any(child.children for child in tree.children)
    assert not engine.tree(0).children


def test_no_move_is_ever_illegal() -> None:
    """Games between all presets, on official and on small boards, end by the rules; the board refuses anything else."""
    dice = random.Random(5)  # noqa: S311
    for game, name in enumerate(NAMES * 3):
        rows, cols = dice.randint(4, 6), dice.randint(4, 6)
        hole = (dice.randrange(rows), dice.randrange(cols)) if game % 3 == 1 else None
        board = Board.random(seed=game) if game % 3 == 0 else Board(rows, cols, hole)
        engines = [Engine(preset, seed=game, memory_mb=16) for preset in (name, dice.choice(NAMES))]
        while not board.is_over:
            analysis = engines[board.turn].analyse(board, Limit(simulations=dice.choice((1, 2, 5, 20, 60))))
            assert [column.column for column in analysis.columns] == board.legal_moves
            line = board.copy()
            for column in analysis.pv:
                line.push(column)
            board.push(analysis.move)


@pytest.mark.parametrize("name", TREES)
def test_a_tree_is_kept_where_the_preset_says_so(name: str) -> None:
    """On the next turn a reusing preset starts from what lies below the played moves, any other from nothing."""
    engine, board = fresh(name), Board.parse("9x9@3,4")
    analysis = engine.analyse(board, Limit(simulations=2000))
    before = next(child for child in engine.tree(2).children if child.column == analysis.move)
    reply = max(before.children, key=lambda child: child.visits)
    board.push(analysis.move)
    board.push(reply.column)
    following = engine.analyse(board, Limit(simulations=100))
    visits = sum(column.visits for column in following.columns)
    if name in REUSING:
        assert 0 < following.reused_visits <= reply.visits
        assert 100 < visits <= following.reused_visits + 100
    else:
        assert following.reused_visits == 0
        assert visits == 100


@pytest.mark.parametrize("name", [*GRAPHS, *REUSING])
def test_another_game_starts_afresh(name: str) -> None:
    """What a tree kept is of no use on another board, and does no harm there."""
    engine = fresh(name)
    for text in ("9x9@3,4:5", "9x9@3,4:1", "9x9@3,4", "6x7", "12x12@0,0", "6x7:4", "9x9@4,4:5"):
        board = Board.parse(text)
        analysis = engine.analyse(board, Limit(simulations=100))
        assert [column.column for column in analysis.columns] == board.legal_moves
        assert analysis.simulations == 100


@pytest.mark.parametrize("name", ["fourfall", "seed-002"])
@pytest.mark.parametrize("text", ["6x7:1212121", "4x4:4321311144234232"])
def test_a_finished_game_is_refused(name: str, text: str) -> None:
    """There is nothing to search after a win or on a full board; the engine is as good as before."""
    engine, board = fresh(name), Board.parse(text)
    assert board.is_over
    for ask in (engine.analyse, engine.play):
        with pytest.raises(EngineError, match="over"):
            ask(board, Limit(simulations=10))
    assert issubclass(EngineError, ValueError)
    assert engine.play(Board(6, 7), Limit(simulations=10)) in range(7)


@pytest.mark.parametrize("name", TREES)
def test_no_time_still_gives_a_move(name: str) -> None:
    """A limit of 0 seconds is answered with a legal move."""
    board = Board.parse("9x9@3,4")
    analysis = fresh(name).analyse(board, Limit(time=0))
    assert analysis.move in board.legal_moves
    assert analysis.simulations > 0
    assert analysis.stopped_by == "time"


@pytest.mark.parametrize("name", ["fourfall", "seed-001"])
def test_a_preset_brings_its_own_limit(name: str) -> None:
    """Without a limit, or with an empty one, the preset's own holds; a caller's limit replaces it altogether."""
    preset = presets.load(name)
    preset.config.move_time_s, preset.config.simulations = None, 30
    for limit in (None, Limit()):
        assert Engine(preset, memory_mb=16).analyse(Board(6, 7), limit).simulations == 30
    assert Engine(preset, memory_mb=16).analyse(Board(6, 7), Limit(simulations=70)).simulations == 70


@pytest.mark.parametrize("name", ["fourfall", "seed-002"])
def test_the_first_limit_reached_counts(name: str) -> None:
    """With both limits set whichever comes first ends the search."""
    board = Board(9, 9)
    assert fresh(name).analyse(board, Limit(time=600, simulations=50)).stopped_by == "simulations"
    assert fresh(name).analyse(board, Limit(time=0.01, simulations=10**12)).stopped_by == "time"


def test_time_is_kept() -> None:
    """Of fifty moves at 50 ms none takes 100 ms longer, the first on a board included."""
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


def test_an_engine_shows_what_it_is() -> None:
    """Its text is the call that makes it."""
    assert repr(Engine("seed-002", seed=7)) == "Engine('seed-002', seed=7)"
    assert repr(Engine("fourfall", threads=2)) == "Engine('fourfall', seed=0, threads=2)"


def test_threads_are_the_callers_or_the_presets() -> None:
    """A caller's threads replace a graph preset's own, which stays as it was."""
    preset = presets.load("fourfall")
    before = graph_config("fourfall").threads
    assert Engine(preset, threads=before + 1).play(Board.parse("6x7:112233"), Limit(simulations=100)) == 3
    assert isinstance(preset.config, GraphConfig)
    assert preset.config.threads == before


@pytest.mark.parametrize("name", TREES)
def test_a_tree_search_runs_in_one_thread(name: str) -> None:
    """One thread may be asked for; more are refused in a sentence that says why."""
    assert Engine(name, threads=1, memory_mb=16).play(Board(6, 7), Limit(simulations=10)) in range(7)
    with pytest.raises(EngineError, match=f"{name} is a tree search, which runs in one thread, not in 2"):
        Engine(name, threads=2)


@pytest.mark.parametrize("name", ["fourfall", "seed-002"])
@pytest.mark.parametrize("threads", [-1, 0, 65, 10**30])
def test_a_strange_number_of_threads_is_refused(name: str, threads: int) -> None:
    """The complaint names how many threads there may be."""
    with pytest.raises(EngineError, match=f"1 to 64 threads, not in {threads}"):
        Engine(name, threads=threads)
