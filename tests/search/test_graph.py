"""Owns the contract of the graph search behind the engine: what it answers, keeps, shows and repeats."""

import random
import threading
from pathlib import Path

import pytest

from fourfall import Analysis, Board, Engine, Limit, TreeNode, solve

SIZES = ["6x7", "4x4", "12x12", *(f"{rows}x{cols}" for rows in range(9, 13) for cols in range(9, 13))]
HOLES = ["9x9@8,4", "10x11@4,7", "12x12@0,0", "12x12@11,11", "4x4@3,0"]
# Positions in which some columns lose at once, one is forced, a column is full, or little room is left.
TIGHT = ["6x7:11223", "6x7:5224465", "6x7:4444441", "4x4:1111222233", "9x9@3,4:271334957"]


@pytest.fixture(params=["rollouts", "network"])
def engine(request: pytest.FixtureRequest, network_preset: Path) -> Engine:
    """Make a graph search with each evaluator, with little memory."""
    preset = network_preset if request.param == "network" else "fourfall-classic"
    engine = Engine(preset, seed=1, memory_mb=16)
    assert engine.evaluator == request.param
    return engine


def numbers_of(analysis: Analysis) -> tuple[object, ...]:
    """Return all of an analysis that the clock does not decide."""
    columns = [(column.column, column.visits, column.score) for column in analysis.columns]
    counts = (analysis.simulations, analysis.reused_visits, analysis.nodes, analysis.memory_bytes)
    return analysis.move, analysis.score, columns, analysis.pv, counts, analysis.stopped_by


def assert_adds_up(tree: TreeNode) -> None:
    """Check that no part of a tree was visited less than what lies directly below it."""
    assert tree.visits >= max((child.visits for child in tree.children), default=0)
    for child in tree.children:
        assert_adds_up(child)


@pytest.mark.parametrize("text", [*SIZES, *HOLES, *TIGHT])
@pytest.mark.parametrize("nodes", [1, 300])
def test_an_analysis_makes_sense(engine: Engine, text: str, nodes: int) -> None:
    """It speaks of every legal column from left to right, chooses one of them, and its line can be played."""
    board = Board.parse(text)
    analysis = engine.analyse(board, Limit(simulations=nodes))
    assert analysis.move in board.legal_moves
    assert [column.column for column in analysis.columns] == board.legal_moves
    (chosen,) = (column for column in analysis.columns if column.column == analysis.move)
    assert chosen.score == analysis.score
    assert analysis.pv[0] == analysis.move
    for column in analysis.pv:
        board.push(column)
    if analysis.stopped_by == "proof":
        assert analysis.score.is_exact
        assert analysis.simulations <= nodes
    else:
        assert (analysis.stopped_by, analysis.simulations) == ("simulations", nodes)


@pytest.mark.parametrize("text", ["9x9@3,4", "6x7:5224465"])
def test_an_analysis_says_what_it_cost(engine: Engine, text: str) -> None:
    """Nodes, memory and time are counted, the memory within the budget, and a first search takes over nothing."""
    analysis = engine.analyse(Board.parse(text), Limit(simulations=2000))
    assert analysis.nodes >= 1
    assert 0 < analysis.memory_bytes <= 16 * 2**20
    assert analysis.seconds > 0
    assert analysis.reused_visits == 0
    assert all(0 <= share <= 1 for share in analysis.profile.values())


@pytest.mark.parametrize("nodes", [1, 50])
@pytest.mark.parametrize("text", ["6x7:112233", "6x7:121212", "9x9@6,4:112233", "12x12:a1b1c1"])
def test_a_win_at_hand_is_taken(engine: Engine, text: str, nodes: int) -> None:
    """However short the search, a stone that makes four is played, and its column is known to win."""
    board = Board.parse(text)
    analysis = engine.analyse(board, Limit(simulations=nodes))
    assert analysis.move in board.winning_moves
    assert str(analysis.score) == "wins in 1"
    assert {column.column for column in analysis.columns if str(column.score) == "wins in 1"} == {*board.winning_moves}


@pytest.mark.parametrize("nodes", [1, 50])
@pytest.mark.parametrize(("text", "block"), [("6x7:11223", 3), ("9x9@6,4:11223", 3), ("7x7@6,3:643464", 3)])
def test_a_threat_is_blocked(engine: Engine, text: str, block: int, nodes: int) -> None:
    """However short the search, the one stone that stops a four is played, and every other column loses in two."""
    board = Board.parse(text)
    analysis = engine.analyse(board, Limit(simulations=nodes))
    assert analysis.move == block
    lost = {column.column for column in analysis.columns if str(column.score) == "loses in 2"}
    assert lost == {*board.legal_moves} - {block}


@pytest.mark.parametrize("text", ["9x9@6,4:44353645", "6x7:4152", "6x7:112233", "6x7:33445"])
def test_a_short_proof_comes_with_its_moves(engine: Engine, text: str) -> None:
    """The line of a win or a loss within three plies leads to the end of the game, in as many plies as promised."""
    board = Board.parse(text)
    analysis = engine.analyse(board, Limit(simulations=100))
    assert analysis.score.is_exact
    for column in analysis.pv:
        board.push(column)
    assert board.is_over
    assert len(analysis.pv) == analysis.score.distance


@pytest.mark.parametrize("text", [*SIZES, *HOLES, *TIGHT])
def test_no_time_still_gives_a_move(engine: Engine, text: str) -> None:
    """A limit of 0 seconds is answered with a legal move, and with a word on every column."""
    board = Board.parse(text)
    analysis = engine.analyse(board, Limit(time=0))
    assert analysis.move in board.legal_moves
    assert analysis.stopped_by in ("time", "proof")
    assert [column.column for column in analysis.columns] == board.legal_moves


def test_without_time_the_first_impression_decides(engine: Engine) -> None:
    """On a symmetric board no first impression is better than one of the middle columns, if it means anything."""
    if engine.evaluator == "network":
        pytest.skip("this network was drawn by chance")
    assert engine.analyse(Board.parse("9x9@3,4"), Limit(time=0)).move in (3, 4, 5)


def test_a_hopeless_position_is_still_played(engine: Engine) -> None:
    """Where the opponent wins whatever one does the answer is a legal move that blocks one of his fours."""
    board = Board.parse("6x7:33445")
    analysis = engine.analyse(board, Limit(simulations=100))
    assert str(analysis.score) == "loses in 2"
    assert analysis.move in (1, 5)
    assert [column.column for column in analysis.columns] == board.legal_moves


def test_a_game_of_one_seed_repeats(engine: Engine) -> None:
    """Two engines with one seed agree on everything through a whole game, another seed differs."""
    twin = Engine(engine.preset, seed=1, memory_mb=16)
    other = Engine(engine.preset, seed=2, memory_mb=16)
    board = Board.parse("9x9@3,4")
    differed = False
    while not board.is_over:
        analysis = engine.analyse(board, Limit(simulations=300))
        assert numbers_of(analysis) == numbers_of(twin.analyse(board, Limit(simulations=300)))
        differed |= numbers_of(analysis) != numbers_of(other.analyse(board, Limit(simulations=300)))
        board.push(analysis.move)
    assert differed


def test_threads_answer_too(engine: Engine) -> None:
    """With several threads the answer is as well formed as with one."""
    board = Board.parse("9x9@3,4")
    analysis = Engine(engine.preset, seed=1, memory_mb=16, threads=2).analyse(board, Limit(simulations=2000))
    assert analysis.move in board.legal_moves
    assert [column.column for column in analysis.columns] == board.legal_moves
    assert analysis.simulations >= 2000


def test_what_was_learned_is_kept(engine: Engine) -> None:
    """After a move and a reply the search starts with the visits below them; after clear() with none."""
    board = Board.parse("9x9@3,4")
    line = engine.analyse(board, Limit(simulations=5000)).pv
    assert len(line) >= 2
    for column in line[:2]:
        board.push(column)
    kept = engine.analyse(board, Limit(simulations=100))
    assert kept.reused_visits > 0
    assert sum(column.visits for column in kept.columns) >= kept.reused_visits
    engine.clear()
    assert engine.analyse(board, Limit(simulations=100)).reused_visits == 0


def test_a_forgetful_engine_is_a_fresh_one(engine: Engine) -> None:
    """After clear() an engine answers as if it had never searched, and has no tree to show."""
    board = Board.parse("6x7:4")
    first = numbers_of(engine.analyse(board, Limit(simulations=500)))
    engine.clear()
    assert engine.tree(1).visits == 0
    assert numbers_of(engine.analyse(board, Limit(simulations=500))) == first


def test_the_tree_is_that_of_the_analysis(engine: Engine) -> None:
    """The root's children are columns of the analysis with the same numbers, and nothing outweighs its parent."""
    board = Board.parse("9x9@3,4")
    assert (engine.tree(3).visits, engine.tree(3).children) == (0, [])
    analysis = engine.analyse(board, Limit(simulations=500))
    tree = engine.tree(3)
    assert tree.column == -1
    assert tree.children
    reported = {column.column: (column.visits, column.score) for column in analysis.columns}
    assert all(reported[child.column] == (child.visits, child.score) for child in tree.children)
    assert any(child.children for child in tree.children)
    assert_adds_up(tree)
    assert not any(child.children for child in engine.tree(1).children)
    assert not engine.tree(0).children


def test_a_search_is_watched_and_stopped_from_another_thread(engine: Engine) -> None:
    """A snapshot of a running search speaks of every legal column; after stop() the answer has no less to say."""
    board = Board.parse("10x11@4,7")
    answers: list[Analysis] = []
    thread = threading.Thread(target=lambda: answers.append(engine.analyse(board, Limit(simulations=10**12))))
    thread.start()
    try:
        while (seen := engine.snapshot()) is None or seen.simulations == 0:
            thread.join(0.001)
    finally:
        engine.stop()
        thread.join(60)
    assert [column.column for column in seen.columns] == board.legal_moves
    assert seen.pv[0] == seen.move
    assert answers[0].stopped_by == "stop"
    assert answers[0].simulations >= seen.simulations


def test_memory_that_is_full_is_used_again(engine: Engine) -> None:
    """A game of more simulations than fit in memory stays inside the budget, with a sensible answer at every move."""
    board = Board.parse("12x12@9,5")
    analyses: list[Analysis] = []
    # Less memory is left beside what a network has said.
    nodes = 60_000 if engine.evaluator == "rollouts" else 30_000
    for _ in range(4):
        analyses.append(engine.analyse(board, Limit(simulations=nodes)))
        assert analyses[-1].memory_bytes <= 16 * 2**20
        assert analyses[-1].move in board.legal_moves
        board.push(analyses[-1].move)
    # Full from the second move on, and yet every search finds what the one before left for it.
    assert len({analysis.nodes for analysis in analyses[1:]}) == 1
    assert all(analysis.reused_visits > 0 for analysis in analyses[1:])
    # Back where the game began the old nodes are gone.
    assert engine.analyse(Board.parse("12x12@9,5"), Limit(simulations=100)).reused_visits == 0


@pytest.mark.parametrize("text", ["9x9@3,4", "10x11@4,7:66", "12x12@9,5:7", "6x7:4"])
@pytest.mark.parametrize("nodes", [1, 37, 400])
def test_a_value_is_the_mean_of_all_that_was_seen(engine: Engine, text: str, nodes: int) -> None:
    """Taking what the moves contributed out of the root's value leaves its own estimate, here often a mean of games."""
    engine.analyse(Board.parse(text), Limit(simulations=nodes))
    root = engine.tree(1)
    assert not any(child.score.is_exact for child in root.children)
    assert root.visits == sum(child.visits for child in root.children) == nodes
    seen = sum(child.visits * child.score.value for child in root.children)
    estimate = root.score.value * (1 + root.visits) - seen
    assert abs(estimate) <= 1.01
    if engine.evaluator == "rollouts":
        assert abs(4 * estimate - round(4 * estimate)) < 0.01


@pytest.mark.parametrize("text", ["9x9@3,4:11223", "12x12@9,5:1a2b3"])
def test_an_answer_that_cannot_change_is_given_early(engine: Engine, text: str) -> None:
    """With one sensible move a search that may stop when decided does so; one that may not takes its time."""
    board = Board.parse(text)
    early = engine.analyse(board, Limit(time=60, stop_early=True))
    assert early.stopped_by == "early stop"
    engine.clear()
    full = engine.analyse(board, Limit(time=0.3))
    assert (full.move, full.stopped_by) == (early.move, "time")


def test_threads_prove_nothing_false(engine: Engine) -> None:
    """What two threads prove together about positions near the end agrees with the solver; each has its proof."""
    proven = 0
    for seed in range(12):
        board = near_the_end(seed)
        threaded = Engine(engine.preset, seed=seed, memory_mb=16, threads=2)
        solved = solve(board, columns=True)
        for column, truth in zip(threaded.analyse(board, Limit(simulations=3000)).columns, solved.columns, strict=True):
            if column.score.is_exact:
                assert truth.score is not None
                assert column.score.value == truth.score.value
                assert column.score.distance is not None
                assert truth.score.distance is not None
                assert column.score.distance >= truth.score.distance
                proven += 1
    assert proven >= 12


def near_the_end(seed: int) -> Board:
    """Play a random game on a 5x6 board with a hole until a dozen cells are left, or begin again."""
    rng = random.Random(seed)  # noqa: S311
    while True:
        board = Board(5, 6, hole=(2, 3))
        while not board.is_over and board.ply < 17:
            board.push(rng.choice(board.legal_moves))
        if not board.is_over:
            return board
