"""Tests of the graph search with both evaluators: analyses, proofs, reuse, memory and threads."""

import random
import threading
from pathlib import Path

import pytest

from fourfall import Analysis, Board, Engine, Limit, TreeNode, solve
from tests.search.tree_comparison import summarise_search

SIZES = ["6x7", "4x4", "12x12", *(f"{rows}x{cols}" for rows in range(9, 13) for cols in range(9, 13))]
HOLES = ["9x9@8,4", "10x11@4,7", "12x12@0,0", "12x12@11,11", "4x4@3,0"]
# Positions in which some columns lose immediately, a move is forced, a column is full, or few cells are free.
TACTICAL = ["6x7:11223", "6x7:5224465", "6x7:4444441", "4x4:1111222233", "9x9@3,4:271334957"]


@pytest.fixture(params=["rollouts", "network"])
def engine(request: pytest.FixtureRequest, network_preset: Path) -> Engine:
    """Make an engine with each evaluator and little memory."""
    preset = network_preset if request.param == "network" else "fourfall-classic"
    engine = Engine(preset, seed=1, memory_mb=16)
    assert engine.evaluator == request.param
    return engine


def assert_visits_consistent(tree: TreeNode) -> None:
    """Check that no node has fewer visits than one of its children."""
    assert tree.visits >= max((child.visits for child in tree.children), default=0)
    for child in tree.children:
        assert_visits_consistent(child)


@pytest.mark.parametrize("text", [*SIZES, *HOLES, *TACTICAL])
@pytest.mark.parametrize("simulations", [1, 300])
def test_analysis_is_consistent(engine: Engine, text: str, simulations: int) -> None:
    """It has every legal column from left to right, chooses one of them, and the principal variation is legal."""
    board = Board.parse(text)
    analysis = engine.search(board, Limit(simulations=simulations))
    assert analysis.move in board.legal_moves
    assert [column.column for column in analysis.columns] == board.legal_moves
    (chosen,) = (column for column in analysis.columns if column.column == analysis.move)
    assert chosen.score == analysis.score
    assert analysis.pv[0] == analysis.move
    for column in analysis.pv:
        board.push(column)
    if analysis.stopped_by == "proof":
        assert analysis.score.is_exact
        assert analysis.simulations <= simulations
    else:
        assert (analysis.stopped_by, analysis.simulations) == ("simulations", simulations)


@pytest.mark.parametrize("text", ["9x9@3,4", "6x7:5224465"])
def test_analysis_reports_costs(engine: Engine, text: str) -> None:
    """It reports nodes, memory within the limit and time; the first search reuses nothing."""
    analysis = engine.search(Board.parse(text), Limit(simulations=2000))
    assert analysis.nodes >= 1
    assert 0 < analysis.memory_bytes <= 16 * 2**20
    assert analysis.seconds > 0
    assert analysis.reused_visits == 0
    assert all(0 <= share <= 1 for share in analysis.profile.values())


@pytest.mark.parametrize("simulations", [1, 50])
@pytest.mark.parametrize("text", ["6x7:112233", "6x7:121212", "9x9@6,4:112233", "12x12:a1b1c1"])
def test_immediate_win_is_played(engine: Engine, text: str, simulations: int) -> None:
    """Even the shortest search plays a winning move and reports every winning column as a win in 1."""
    board = Board.parse(text)
    analysis = engine.search(board, Limit(simulations=simulations))
    assert analysis.move in board.winning_moves
    assert str(analysis.score) == "wins in 1"
    assert {column.column for column in analysis.columns if str(column.score) == "wins in 1"} == {*board.winning_moves}


@pytest.mark.parametrize("simulations", [1, 50])
@pytest.mark.parametrize(("text", "block"), [("6x7:11223", 3), ("9x9@6,4:11223", 3), ("7x7@6,3:643464", 3)])
def test_threat_is_blocked(engine: Engine, text: str, block: int, simulations: int) -> None:
    """Even the shortest search plays the only block and reports every other column as a loss in 2."""
    board = Board.parse(text)
    analysis = engine.search(board, Limit(simulations=simulations))
    assert analysis.move == block
    lost = {column.column for column in analysis.columns if str(column.score) == "loses in 1"}
    assert lost == {*board.legal_moves} - {block}


@pytest.mark.parametrize("text", ["9x9@6,4:44353645", "6x7:4152", "6x7:112233", "6x7:33445"])
def test_principal_variation_of_a_short_proof_is_complete(engine: Engine, text: str) -> None:
    """For a win or loss within three plies, it leads to the end of the game and has the proven length."""
    board = Board.parse(text)
    analysis = engine.search(board, Limit(simulations=100))
    assert analysis.score.is_exact
    for column in analysis.pv:
        board.push(column)
    assert board.is_over
    assert len(analysis.pv) == analysis.score.distance


@pytest.mark.parametrize("text", [*SIZES, *HOLES, *TACTICAL])
def test_zero_time_gives_a_legal_move(engine: Engine, text: str) -> None:
    """A limit of 0 seconds gives a legal move and an analysis of every column."""
    board = Board.parse(text)
    analysis = engine.search(board, Limit(time=0))
    assert analysis.move in board.legal_moves
    assert analysis.stopped_by in ("time", "proof")
    assert [column.column for column in analysis.columns] == board.legal_moves


def test_zero_time_plays_the_move_with_the_best_prior(engine: Engine) -> None:
    """On an empty symmetric board, the prior of rollouts prefers the columns in the middle."""
    if engine.evaluator == "network":
        pytest.skip("the weights of this network are random")
    assert engine.search(Board.parse("9x9@3,4"), Limit(time=0)).move in (3, 4, 5)


def test_unavoidable_loss_gives_a_blocking_move(engine: Engine) -> None:
    """If every move loses, the search plays a move that blocks one of the threats."""
    board = Board.parse("6x7:33445")
    analysis = engine.search(board, Limit(simulations=100))
    assert str(analysis.score) == "loses in 1"
    assert analysis.move in (1, 5)
    assert [column.column for column in analysis.columns] == board.legal_moves


def test_same_seed_gives_same_game(engine: Engine) -> None:
    """Two engines with the same seed have equal results through a whole game; another seed differs."""
    twin = Engine(engine.preset, seed=1, memory_mb=16)
    other = Engine(engine.preset, seed=2, memory_mb=16)
    board = Board.parse("9x9@3,4")
    differed = False
    while not board.is_over:
        analysis = engine.search(board, Limit(simulations=300))
        assert summarise_search(analysis) == summarise_search(twin.search(board, Limit(simulations=300)))
        differed |= summarise_search(analysis) != summarise_search(other.search(board, Limit(simulations=300)))
        board.push(analysis.move)
    assert differed


def test_search_with_two_threads(engine: Engine) -> None:
    """With two threads, the analysis is complete and the limit is reached."""
    board = Board.parse("9x9@3,4")
    analysis = Engine(engine.preset, seed=1, memory_mb=16, threads=2).search(board, Limit(simulations=2000))
    assert analysis.move in board.legal_moves
    assert [column.column for column in analysis.columns] == board.legal_moves
    assert analysis.simulations >= 2000


def test_nodes_are_reused_after_a_move_and_a_reply(engine: Engine) -> None:
    """The next search starts with the visits of its root from the search before; after clear() with none."""
    board = Board.parse("9x9@3,4")
    pv = engine.search(board, Limit(simulations=5000)).pv
    assert len(pv) >= 2
    for column in pv[:2]:
        board.push(column)
    following = engine.search(board, Limit(simulations=100))
    assert following.reused_visits > 0
    assert sum(column.visits for column in following.columns) >= following.reused_visits
    engine.clear()
    assert engine.search(board, Limit(simulations=100)).reused_visits == 0


def test_clear_restores_the_initial_state(engine: Engine) -> None:
    """After clear() the tree is empty, and the next search has the same result as the first."""
    board = Board.parse("6x7:4")
    first = summarise_search(engine.search(board, Limit(simulations=500)))
    engine.clear()
    assert engine.tree(1).visits == 0
    assert summarise_search(engine.search(board, Limit(simulations=500))) == first


def test_tree_agrees_with_analysis(engine: Engine) -> None:
    """The children of the root have the numbers of the analysis; no node has more visits than its parent."""
    board = Board.parse("9x9@3,4")
    assert (engine.tree(3).visits, engine.tree(3).children) == (0, [])
    analysis = engine.search(board, Limit(simulations=500))
    tree = engine.tree(3)
    assert tree.column == -1
    assert tree.children
    reported = {column.column: (column.visits, column.score) for column in analysis.columns}
    assert all(reported[child.column] == (child.visits, child.score) for child in tree.children)
    assert any(child.children for child in tree.children)
    assert_visits_consistent(tree)
    assert not any(child.children for child in engine.tree(1).children)
    assert not engine.tree(0).children


def test_snapshot_and_stop_from_another_thread(engine: Engine) -> None:
    """A snapshot of a running search has every legal column; the result after stop() has at least its simulations."""
    board = Board.parse("10x11@4,7")
    results: list[Analysis] = []
    thread = threading.Thread(target=lambda: results.append(engine.search(board, Limit(simulations=10**12))))
    thread.start()
    try:
        while (snapshot := engine.snapshot()) is None or snapshot.simulations == 0:
            thread.join(0.001)
    finally:
        engine.stop()
        thread.join(60)
    assert [column.column for column in snapshot.columns] == board.legal_moves
    assert snapshot.pv[0] == snapshot.move
    assert results[0].stopped_by == "stop"
    assert results[0].simulations >= snapshot.simulations


def test_full_memory_replaces_unreachable_nodes(engine: Engine) -> None:
    """A game with more simulations than fit in memory stays within the limit and plays legal moves."""
    board = Board.parse("12x12@9,5")
    analyses: list[Analysis] = []
    # The evaluation cache leaves less memory for nodes.
    simulations = 60_000 if engine.evaluator == "rollouts" else 30_000
    for _ in range(4):
        analyses.append(engine.search(board, Limit(simulations=simulations)))
        assert analyses[-1].memory_bytes <= 16 * 2**20
        assert analyses[-1].move in board.legal_moves
        board.push(analyses[-1].move)
    # The memory is full from the second move on, and every search still reuses nodes of the previous one.
    assert len({analysis.nodes for analysis in analyses[1:]}) == 1
    assert all(analysis.reused_visits > 0 for analysis in analyses[1:])
    # The start position was not reachable any more, so its nodes were replaced.
    assert engine.search(Board.parse("12x12@9,5"), Limit(simulations=100)).reused_visits == 0


@pytest.mark.parametrize("text", ["9x9@3,4", "10x11@4,7:66", "12x12@9,5:7", "6x7:4"])
@pytest.mark.parametrize("simulations", [1, 37, 400])
def test_value_is_the_mean_of_evaluation_and_moves(engine: Engine, text: str, simulations: int) -> None:
    """Without the share of the moves, the value of the root is its evaluation; of rollouts a multiple of 1/4."""
    engine.search(Board.parse(text), Limit(simulations=simulations))
    root = engine.tree(1)
    assert not any(child.score.is_exact for child in root.children)
    assert root.visits == sum(child.visits for child in root.children) == simulations
    share_of_moves = sum(child.visits * child.score.value for child in root.children)
    evaluation = root.score.value * (1 + root.visits) - share_of_moves
    assert abs(evaluation) <= 1.01
    if engine.evaluator == "rollouts":
        assert abs(4 * evaluation - round(4 * evaluation)) < 0.01


@pytest.mark.parametrize("text", ["9x9@3,4:11223", "12x12@9,5:1a2b3"])
def test_stop_early(engine: Engine, text: str) -> None:
    """With a forced move, a search with stop_early stops before its time; one without uses all of its time."""
    board = Board.parse(text)
    early = engine.search(board, Limit(time=60, stop_early=True))
    assert early.stopped_by == "early stop"
    engine.clear()
    full = engine.search(board, Limit(time=0.3))
    assert (full.move, full.stopped_by) == (early.move, "time")


def test_proofs_of_two_threads_agree_with_the_solver(engine: Engine) -> None:
    """Near the end, two threads prove the result of the solver, with at least its distance."""
    proven = 0
    for seed in range(12):
        board = make_late_position(seed)
        threaded = Engine(engine.preset, seed=seed, memory_mb=16, threads=2)
        solved = solve(board, columns=True)
        for column, truth in zip(threaded.search(board, Limit(simulations=3000)).columns, solved.columns, strict=True):
            if column.score.is_exact:
                assert truth.score is not None
                assert column.score.value == truth.score.value
                assert column.score.distance is not None
                assert truth.score.distance is not None
                assert column.score.distance >= truth.score.distance
                proven += 1
    assert proven >= 12


def make_late_position(seed: int) -> Board:
    """Return an unfinished random game on a 5x6 board with a hole, with twelve free cells."""
    rng = random.Random(seed)  # noqa: S311
    while True:
        board = Board(5, 6, hole=(2, 3))
        while not board.is_over and board.ply < 17:
            board.push(rng.choice(board.legal_moves))
        if not board.is_over:
            return board
