"""Tests scores, info lines and limits: what the client reads, and what its arguments mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfall import Board, Limit, Score
from fourfall.agents.protocol.ugi_messages import format_position, format_score, parse_score
from fourfall.agents.time_control import compute_move_time_s
from fourfall.ugi.commands import CommandError, Go, SetPosition, parse_command
from fourfall.ugi.limits import compute_search_limit
from fourfall.ugi.options import Options, change_option, create_engine, list_options
from fourfall.ugi.replies import answer_query, list_info

BOARD = Board(6, 7)


@given(st.floats(-1, 1))
def test_judge_reads_the_estimate_that_the_engine_wrote(value: float) -> None:
    """Rounding to centipawns changes a win probability by at most 0.15 percentage points."""
    score = parse_score(f"score {format_score(Score.estimate(value))}".split())
    assert score is not None
    assert score.value == pytest.approx(value, abs=0.003)


@pytest.mark.parametrize("moves", [1, 2, 9, 72])
def test_judge_reads_the_proof_that_the_engine_wrote(moves: int) -> None:
    """A mate counts the winner's moves, with the plies that follow from them."""
    for score in (Score.win(2 * moves - 1), Score.loss(2 * moves)):
        assert parse_score(f"score {format_score(score)}".split()) == score


@pytest.mark.parametrize("position", ["6x7", "6x7:44", "10x12@4,7:6655ac"])
def test_engine_reads_the_position_that_the_judge_wrote(position: str) -> None:
    """The position keeps the order of its moves."""
    command = parse_command(format_position(Board.parse(position)))
    assert isinstance(command, SetPosition)
    assert command.board.notation == position


@pytest.mark.parametrize(
    ("position", "answers"),
    [
        ("6x7", ("true", "false", "none")),
        ("6x7:4", ("false", "false", "none")),
        ("6x7:1212121", ("false", "true", "p1win")),
        ("6x7:12121242", ("true", "true", "p2win")),
        ("4x4:4321311144234232", ("true", "true", "draw")),
    ],
)
def test_queries(position: str, answers: tuple[str, str, str]) -> None:
    """Turn, end and result, in the words of the protocol."""
    board = Board.parse(position)
    assert (
        answer_query(board, "p1turn"),
        answer_query(board, "gameover"),
        answer_query(board, "result"),
    ) == tuple(f"response {answer}" for answer in answers)


def test_info_lines_rank_the_columns() -> None:
    """The first line is the move to play; the others follow by score, and only so many as wanted."""
    board = Board.parse("6x7:11223")
    options = Options("seed-002", multipv=12)
    analysis = create_engine(options).analyse(board, Limit(simulations=500))
    lines = [line.split() for line in list_info(analysis, options)]
    assert [line[line.index("multipv") + 1] for line in lines] == [str(rank) for rank in range(1, 8)]
    assert lines[0][lines[0].index("pv") + 1] == "4"
    assert [line[line.index("score") + 1 :][:2] for line in lines[1:]] == [["mate", "-1"]] * 6
    assert sorted(line[line.index("pv") + 1] for line in lines) == list("1234567")
    assert len(list_info(analysis, Options(multipv=3))) == 3
    assert "multipv" not in list_info(analysis, Options())[0]


@pytest.mark.parametrize(
    ("line", "options", "limit", "depth"),
    [
        ("go", Options(), None, None),
        ("go movetime 1000", Options(), Limit(time=0.99), None),
        ("go movetime 1000", Options(move_overhead_ms=200), Limit(time=0.8), None),
        ("go movetime 10", Options(), Limit(time=0.008), None),
        ("go movetime 0", Options(), Limit(time=0), None),
        ("go nodes 50", Options(), Limit(simulations=50), None),
        ("go depth 3 nodes 50", Options(), Limit(simulations=50), 3),
        ("go", Options("level-30"), Limit(simulations=93), None),
        ("go infinite", Options("level-30"), Limit(simulations=93), None),
        ("go nodes 50", Options("level-30"), Limit(simulations=50), None),
        ("go infinite", Options(), Limit(simulations=10**15), None),
        ("go depth 8", Options(), Limit(simulations=10**15), 8),
    ],
)
def test_limits(line: str, options: Options, limit: Limit | None, depth: int | None) -> None:
    """A search ends at the first of its limits; a level also at its simulations."""
    go = parse_command(line)
    assert isinstance(go, Go)
    found = compute_search_limit(go, BOARD, options)
    assert (found.limit, found.depth) == (limit, depth)


def test_limits_from_a_clock() -> None:
    """The clock of the side to move counts; the move takes a share of it, without the overhead."""
    go = Go(times_ms=(60_010, 1000), increments_ms=(500, 0))
    first = compute_search_limit(go, BOARD, Options()).limit
    second = compute_search_limit(go, Board.parse("6x7:4"), Options()).limit
    assert first is not None
    assert first.time == pytest.approx(compute_move_time_s(60, 0.5, 42) - 0.01)
    assert second is not None
    assert second.time is not None
    assert 0 < second.time < 0.1
    with pytest.raises(CommandError, match="player 2 is to move, but p2time is missing"):
        compute_search_limit(Go(times_ms=(1000, None)), Board.parse("6x7:4"), Options())


@pytest.mark.parametrize("left_ms", [-1000, 0, 1, 5, 20])
def test_clock_that_has_nearly_run_out(left_ms: int) -> None:
    """The engine answers within milliseconds, also if the client reports a negative time."""
    limit = compute_search_limit(Go(times_ms=(left_ms, left_ms)), BOARD, Options()).limit
    assert limit is not None
    assert limit.time is not None
    assert 0 <= limit.time <= 0.01


def test_option_values() -> None:
    """Names are compared without regard to case; the declared ranges are those that are checked."""
    for line in list_options(Options())[1:]:
        name, _, rest = line.removeprefix("option name ").partition(" type spin default ")
        _, _, low, _, high = rest.split()
        for value in (low, high):
            assert change_option(Options(), name.upper(), value) != Options(seed=1)
        for value in (str(int(low) - 1), str(int(high) + 1), "1.5", "", "x"):
            with pytest.raises(CommandError, match=f"option {name} must be an integer from {low} to {high}"):
                change_option(Options(), name, value)
    with pytest.raises(CommandError, match="there is no option 'Hash'; the options are Preset, Threads, Memory, Seed"):
        change_option(Options(), "Hash", "1")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (Options("sead-002"), "there is no preset 'sead-002'; similar: seed-002"),
        (Options("level-3"), "there is no level 'level-3'; levels are level-2, level-4"),
        (Options("/nowhere/x.toml"), "/nowhere/x.toml: No such file or directory"),
        (Options("seed-002", threads=4), "seed-002 is a tree search, which runs in one thread, not in 4"),
        (Options("fourfall", memory_mb=1), "memory"),
    ],
)
def test_options_that_make_no_engine(options: Options, message: str) -> None:
    """The error names the option that is wrong."""
    with pytest.raises(CommandError, match=message):
        create_engine(options)
