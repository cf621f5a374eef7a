"""Tests the analysis of lost games: turning points, games without one, time limit, cache and threads."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.arena.judge import Ending
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.render import COLUMN_NAMES
from fourfall.report.analysis_cache import find_cache_path
from fourfall.report.loss_batch import analyse_losses
from fourfall.report.turning_points import LossAnalyser, LossAnalysis

SIMULATIONS = 60


def make_game(position: str, opening: int = 0, **changes: object) -> GameRecord:
    """Make the record of a game that ended with these moves, of which some are the opening."""
    board = Board.parse(position)
    moves = "".join(COLUMN_NAMES[column] for column in board.moves)
    start = position.partition(":")[0] + (f":{moves[:opening]}" if opening else "")
    outcome = board.outcome()
    record = replace(EXAMPLE, board=start, moves=moves[opening:], winner=None if outcome is None else outcome.winner)
    return replace(record, **changes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def analyser() -> LossAnalyser:
    """One analyser for all games."""
    return LossAnalyser(simulations=SIMULATIONS)


def test_move_that_gave_the_game_away_is_found(analyser: LossAnalyser) -> None:
    """The second player does not block; the better move is the block, and the loss is proven."""
    analysis = analyser.analyse(make_game("6x7:1122334"))
    point = analysis.turning_point
    assert analysis.state == "found"
    assert point is not None
    assert (point.ply, point.side, point.played, point.better, point.line[0]) == (5, 1, "3", "4", "4")
    assert point.win_chance_after == 0
    assert point.win_chance_before > 0.1
    assert point.board == "6x7:11223"
    assert point.engine == "fourfall"
    assert point.reasons["en"] == ["Blue now completes four in column 4, which Orange had to block."]
    assert point.reasons["zh"] == ["蓝方接下来在第 4 列连成四子，橙方本应挡在那里。"]  # noqa: RUF001
    line = Board.parse(point.board)
    for column in point.line:
        line.push(COLUMN_NAMES.index(column))


def test_both_results_proven_is_a_proof(analyser: LossAnalyser) -> None:
    """The first player could win at once and lets the opponent win instead."""
    lost = make_game("6x7:12121272")
    assert lost.winner == 1
    point = analyser.analyse(lost).turning_point
    assert point is not None
    assert (point.ply, point.played, point.better, point.kind) == (6, "7", "1", "proof")
    assert (point.win_chance_before, point.win_chance_after) == (1.0, 0.0)


def test_missing_weights_are_mentioned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the network's weights the engine evaluates by rollouts, and the turning point says so."""
    monkeypatch.setattr("fourfall.weights.load", lambda *_: None)
    point = LossAnalyser(simulations=SIMULATIONS).analyse(EXAMPLE).turning_point
    assert point is not None
    assert (point.ply, point.better, point.engine) == (5, "4", "fourfall (rollouts)")


@pytest.mark.parametrize(
    ("game", "state"),
    [
        (replace(EXAMPLE, winner=None, moves="11", ending=Ending.TIE), "not lost"),
        (replace(EXAMPLE, winner=0, moves="112", culprit=1, ending=Ending.TIMEOUT), "failure"),
        (replace(EXAMPLE, winner=0, moves="112", ending=Ending.TIME), "failure"),
        (make_game("6x7:1121314", opening=0, winner=0, ending=Ending.RESIGNATION), "found"),
        (make_game("6x7:3344556", opening=5), "lost start"),
    ],
)
def test_games_without_a_search_or_a_turning_point_say_why(
    analyser: LossAnalyser, game: GameRecord, state: str
) -> None:
    """Draws, failures and lost starting positions have no turning point; a resigned game may have one."""
    analysis = analyser.analyse(game)
    assert analysis.state == state
    assert (analysis.turning_point is not None) == (state == "found")


def test_result_does_not_depend_on_order_and_threads() -> None:
    """Every game starts with an empty search graph."""
    games = [make_game("6x7:1122334"), make_game("6x7:12121272"), make_game("6x7:4455667"), make_game("6x7:44536655")]
    games = [game for game in games if game.winner is not None]
    forward = analyse_losses(games, simulations=SIMULATIONS, threads=1)
    assert analyse_losses(games[::-1], simulations=SIMULATIONS, threads=2)[::-1] == forward
    assert LossAnalyser(simulations=SIMULATIONS).analyse(games[-1]) == forward[-1]


def test_cache_replaces_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second run reads the file; other settings, another game and a damaged file are searched again."""
    cache = find_cache_path(tmp_path / "arena.db")
    game = make_game("6x7:1122334")
    found = analyse_losses([game], simulations=SIMULATIONS, cache=cache)
    searched: list[GameRecord] = []

    def search(_: LossAnalyser, record: GameRecord) -> LossAnalysis:
        searched.append(record)
        return LossAnalysis("none")

    monkeypatch.setattr(LossAnalyser, "analyse", search)
    renumbered = replace(game, number=7, started="2026-01-01", times_ms=())
    assert analyse_losses([renumbered], simulations=SIMULATIONS, cache=cache) == found
    assert searched == []
    lines = cache.read_text()
    for damaged in (
        lines.replace('"played":"3"', '"played":"4"'),  # not the move that was played
        lines.replace('"line":"4', '"line":"z'),
        lines.replace('"ply":5', '"ply":3'),
        lines.replace('"win_chance_after":0.0', '"win_chance_after":"0"'),
        lines[:40],
        "\0\n[]\n{\n" + "[" * 100_000,
    ):
        assert damaged != lines
        cache.write_text(damaged)
        analyse_losses([game], simulations=SIMULATIONS, cache=cache)
        assert searched.pop() == game
    cache.write_text(lines)
    analyse_losses([game], simulations=SIMULATIONS + 1, cache=cache)
    analyse_losses([replace(game, winner=0, moves="1122335")], simulations=SIMULATIONS, cache=cache)
    assert len(searched) == 2


def test_cache_that_cannot_be_written_is_ignored(tmp_path: Path) -> None:
    """A missing folder costs nothing but the cache."""
    missing = tmp_path / "missing" / "arena.db-turning-points"
    assert [found.state for found in analyse_losses([EXAMPLE], simulations=SIMULATIONS, cache=missing)] == ["found"]


def test_games_that_the_time_does_not_suffice_for_are_open() -> None:
    """The time limit and the stop request leave games open; the others keep their results."""
    games = [EXAMPLE, replace(EXAMPLE, winner=None, ending=Ending.TIE, moves="11")]
    slow = make_game("12x12:1234567891")
    slow = replace(slow, winner=0, ending=Ending.RESIGNATION)
    progress: list[tuple[int, int]] = []
    analyses = analyse_losses(
        [*games, slow], simulations=10**7, max_time_s=0.2, on_progress=lambda *numbers: progress.append(numbers)
    )
    assert [analysis.state for analysis in analyses][1:] == ["not lost", "open"]
    assert progress[0] == (1, 3)
    stopping = threading.Event()
    stopping.set()
    assert analyse_losses([slow], simulations=10**7, stopping=stopping)[0].state == "open"
