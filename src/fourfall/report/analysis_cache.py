"""Keeps analyses of lost games in a file next to the database, so that a second report need not search again.

The file has one JSON object per line, with the key of a game and its analysis. The key is a digest of the moves, the
result, the version of the program and the settings of the search; so an analysis is found again for the same game in
any event, and not after an update. Lines are only appended. A line that cannot be read, or whose moves are impossible,
is ignored; so is a file that cannot be read or written.
"""

import hashlib
import json
import logging
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fourfall._core import Board, version
from fourfall.arena.record import GameRecord
from fourfall.coach import LANGUAGES
from fourfall.render import COLUMN_NAMES
from fourfall.report.report_game import TurningPoint
from fourfall.report.turning_points import LossAnalysis

log = logging.getLogger(__name__)

_FORMAT = 2  # to be increased when the definition of a turning point or its search changes
_SUFFIX = "-turning-points"
_STORED_STATES = ("found", "none", "lost start")
_MAX_BYTES = 64 << 20


def find_cache_path(database: Path) -> Path:
    """Return the path of the cache that belongs to a database.

    >>> find_cache_path(Path("games/arena.db")).name
    'arena.db-turning-points'
    """
    return database.with_name(f"{database.name}{_SUFFIX}")


class AnalysisCache:
    """Analyses that were made with the same settings, by game; without a path they are kept in memory only."""

    def __init__(self, path: Path | None, settings: str) -> None:
        self._path = path
        self._settings = f"{version} {_FORMAT} {settings}"
        self._entries = {} if path is None else _read_entries(path)

    def find(self, record: GameRecord) -> LossAnalysis | None:
        """Return the analysis of a game, or None if there is none or it does not fit the game."""
        entry = self._entries.get(self._make_key(record))
        return None if entry is None else _parse_analysis(entry, record)

    def add(self, record: GameRecord, analysis: LossAnalysis) -> None:
        """Add the analysis of a game and append it to the file; if the file cannot be written, it stays in memory."""
        if analysis.state not in _STORED_STATES:
            return
        point = None if analysis.turning_point is None else asdict(analysis.turning_point)
        key = self._make_key(record)
        entry = self._entries[key] = {"game": key, "state": analysis.state, "turning_point": point}
        if self._path is None:
            return
        try:
            with self._path.open("a", encoding="ascii") as file:
                file.write(json.dumps(entry, separators=(",", ":")) + "\n")
        except OSError as error:
            log.warning("%s: %s; the analysis of games is not stored", self._path, error.strerror)
            self._path = None

    def _make_key(self, record: GameRecord) -> str:
        parts = (self._settings, record.board, record.moves, str(record.winner), record.ending.value)
        return hashlib.blake2b("\n".join(parts).encode(), digest_size=12).hexdigest()


def _read_entries(path: Path) -> dict[str, dict[str, Any]]:
    entries: dict[str, dict[str, Any]] = {}
    try:
        if path.stat().st_size > _MAX_BYTES:
            return {}
        lines = path.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return {}
    for line in lines:
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict) and isinstance(entry.get("game"), str):
            entries[entry["game"]] = entry
    return entries


def _parse_analysis(entry: dict[str, Any], record: GameRecord) -> LossAnalysis | None:
    state, values = entry.get("state"), entry.get("turning_point")
    if state not in _STORED_STATES or (state == "found") != (values is not None):
        return None
    if values is None:
        return LossAnalysis(state)
    try:
        point = TurningPoint(**values)
        return LossAnalysis(state, point) if _fits(point, record) else None
    except (TypeError, ValueError, IndexError):
        return None


def _fits(point: TurningPoint, record: GameRecord) -> bool:
    """Whether a turning point is a move of the loser, with a legal better line and win chances from 0 to 1."""
    moves = record.final_board.moves
    board = Board.parse(point.board)
    chances = (point.win_chance_before, point.win_chance_after)
    is_move = moves[: board.ply] == board.moves and moves[board.ply] == COLUMN_NAMES.index(point.played)
    for column in point.line:
        board.push(COLUMN_NAMES.index(column))
    return (
        is_move
        and point.ply == Board.parse(point.board).ply
        and point.side == point.ply % 2 != record.winner
        and point.line[:1] == point.better != point.played
        and all(isinstance(chance, int | float) and 0 <= chance <= 1 for chance in chances)
        and point.kind in ("proof", "estimate")
        and isinstance(point.engine, str)
        and _are_reasons(point.reasons)
    )


def _are_reasons(reasons: object) -> bool:
    """Whether a value has sentences in every language."""
    return (
        isinstance(reasons, dict)
        and set(reasons) == set(LANGUAGES)
        and all(isinstance(texts, list) and all(isinstance(text, str) for text in texts) for texts in reasons.values())
    )
