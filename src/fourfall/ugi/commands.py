"""Parses the commands of a UGI client. All functions are pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from fourfall import Board, NotationError
from fourfall.agents.protocol.ugi_messages import START_GEOMETRY
from fourfall.render import COLUMN_NAMES

Subject = Literal["p1turn", "gameover", "result"]
SimpleName = Literal["ugi", "isready", "uginewgame", "stop", "quit"]

MAX_NUMBER = 10**15
"""Largest number in a command: more milliseconds or simulations than any search can use."""

_QUOTED_CHARS = 40


class CommandError(ValueError):
    """A command that cannot be carried out; the message says what is wrong and what is expected."""


@dataclass(frozen=True)
class Simple:
    """A command without arguments."""

    name: SimpleName


@dataclass(frozen=True)
class SetOption:
    """`setoption name NAME value VALUE`."""

    name: str
    value: str


@dataclass(frozen=True)
class SetPosition:
    """`position`: the game from here on."""

    board: Board


@dataclass(frozen=True)
class PlayMoves:
    """`moves`: columns to play in the current position."""

    columns: str


@dataclass(frozen=True)
class Go:
    """`go`: when the search ends. Times are in milliseconds; an entry of a pair belongs to player 1 or player 2."""

    movetime_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None
    is_infinite: bool = False
    times_ms: tuple[int | None, int | None] = (None, None)
    increments_ms: tuple[int, int] = (0, 0)
    moves_to_go: int | None = None


@dataclass(frozen=True)
class Query:
    """`query`: a question about the current position."""

    subject: Subject


@dataclass(frozen=True)
class Debug:
    """`debug on` or `debug off`."""

    is_on: bool


Command = Simple | SetOption | SetPosition | PlayMoves | Go | Query | Debug

# Arguments of `go` with their smallest values. Clients send negative times when a clock has run out.
_GO_MINIMA = {
    "movetime": 0,
    "nodes": 1,
    "depth": 0,
    "p1time": -MAX_NUMBER,
    "p2time": -MAX_NUMBER,
    "p1inc": -MAX_NUMBER,
    "p2inc": -MAX_NUMBER,
    "movestogo": 1,
}


def parse_command(line: str) -> Command | None:
    """Return the command of a line, or None if the line is blank.

    >>> parse_command("go movetime 500")
    Go(movetime_ms=500, nodes=None, depth=None, is_infinite=False, times_ms=(None, None), increments_ms=(0, 0), \
moves_to_go=None)
    >>> parse_command("position startpos moves 4 4")
    SetPosition(board=Board.parse('6x7:44'))
    >>> parse_command("position fen 6x7 moves 4 8")
    Traceback (most recent call last):
    fourfall.ugi.commands.CommandError: position 6x7:48: character 6 '8': not a column; the columns are 1..7
    """
    words = line.split()
    if not words:
        return None
    if words[0] == "setoption":
        return _parse_setoption(line.strip())
    parse = _PARSERS.get(words[0])
    if parse is None:
        known = ", ".join(sorted([*_PARSERS, "setoption"]))
        raise CommandError(f"unknown command {quote(words[0])}; the commands are {known}")
    return parse(words)


def quote(text: str) -> str:
    """Quote text of a client for an error message, without control characters and not too long.

    >>> quote("x" * 100)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'"
    """
    return ascii(text if len(text) <= _QUOTED_CHARS else f"{text[:_QUOTED_CHARS]}...")


def play_moves(board: Board, columns: str) -> Board:
    """Return the board after these columns, or raise CommandError that names the first move that is not legal.

    >>> play_moves(Board.parse("6x7:44"), "45")
    Board.parse('6x7:4445')
    """
    notation = board.notation
    return _parse_position(notation + ("" if ":" in notation else ":") + columns)


def _parse_simple(words: Sequence[str]) -> Simple:
    if len(words) > 1:
        raise CommandError(f"{words[0]} has no arguments, but here is {quote(words[1])}")
    for name in get_args(SimpleName):
        if name == words[0]:
            return Simple(name)
    raise AssertionError(words[0])


def _parse_setoption(line: str) -> SetOption:
    words = line.split()
    end = words.index("value") if "value" in words else len(words)
    name = " ".join(words[2:end])
    if words[1:2] != ["name"] or not name or end >= len(words) - 1:
        raise CommandError("setoption: expected setoption name NAME value VALUE")
    return SetOption(name, line.split(maxsplit=end + 1)[-1])  # blanks in the value are kept: it may be a path


def _parse_set_position(words: Sequence[str]) -> SetPosition:
    match words[1:]:
        case ["startpos", *rest]:
            start = str(START_GEOMETRY)
        case ["fen", start, *rest] if start != "moves":
            pass
        case _:
            raise CommandError("position: expected position startpos or position fen ROWSxCOLS[@row,col], then moves")
    if not rest:
        return SetPosition(_parse_position(start))
    if rest[0] != "moves":
        raise CommandError(f"position: expected moves or the end of the line, not {quote(rest[0])}")
    return SetPosition(_parse_position(start + ("" if ":" in start else ":") + _parse_columns(rest[1:])))


def _parse_position(notation: str) -> Board:
    try:
        return Board.parse(notation)
    except NotationError as error:
        raise CommandError(f"position {ascii(notation)[1:-1][:200]}: {error}") from None


def _parse_columns(words: Sequence[str]) -> str:
    """Join moves; each is one character. The board checks whether they are legal."""
    for number, word in enumerate(words, 1):
        if len(word) != 1 or word not in COLUMN_NAMES:
            raise CommandError(
                f"moves: move {number} is {quote(word)}; a move is a column, one of {' '.join(COLUMN_NAMES)}"
            )
    return "".join(words)


def _parse_moves(words: Sequence[str]) -> PlayMoves:
    if len(words) == 1:
        raise CommandError("moves: expected columns, for example moves 4 4")
    return PlayMoves(_parse_columns(words[1:]))


def _parse_go(words: Sequence[str]) -> Go:
    numbers: dict[str, int] = {}
    is_infinite = False
    rest = iter(words[1:])
    for word in rest:
        if word == "infinite":
            is_infinite = True
        elif word not in _GO_MINIMA:
            raise CommandError(f"go: unknown argument {quote(word)}; expected {', '.join(_GO_MINIMA)} or infinite")
        elif word in numbers:
            raise CommandError(f"go: {word} is given twice")
        else:
            numbers[word] = _parse_number(f"go: {word}", next(rest, None), _GO_MINIMA[word], MAX_NUMBER)
    if is_infinite and numbers:
        raise CommandError(f"go: infinite cannot be combined with {next(iter(numbers))}")
    return Go(
        numbers.get("movetime"),
        numbers.get("nodes"),
        numbers.get("depth"),
        is_infinite,
        (numbers.get("p1time"), numbers.get("p2time")),
        (max(0, numbers.get("p1inc", 0)), max(0, numbers.get("p2inc", 0))),
        numbers.get("movestogo"),
    )


def _parse_query(words: Sequence[str]) -> Query:
    for subject in get_args(Subject):
        if words[1:] == [subject]:
            return Query(subject)
    raise CommandError("query: expected query p1turn, query gameover or query result")


def _parse_debug(words: Sequence[str]) -> Debug:
    if list(words[1:]) not in (["on"], ["off"]):
        raise CommandError("debug: expected debug on or debug off")
    return Debug(words[1] == "on")


def _parse_number(name: str, text: str | None, low: int, high: int) -> int:
    if text is None:
        raise CommandError(f"{name} needs a number")
    if not re.fullmatch(r"-?[0-9]{1,20}", text) or not low <= int(text) <= high:
        raise CommandError(f"{name} must be an integer from {low} to {high}, not {quote(text)}")
    return int(text)


_PARSERS: dict[str, Callable[[Sequence[str]], Command]] = {
    **dict.fromkeys(get_args(SimpleName), _parse_simple),
    "position": _parse_set_position,
    "moves": _parse_moves,
    "go": _parse_go,
    "query": _parse_query,
    "debug": _parse_debug,
}
