"""The games of the report on a replayable board: HTML, style and script without any dependency.

Every game is also a static figure: the position at its turning point, or its final position. Without a script and on
paper these figures are shown; with a script, one board and a list of games replace them on the screen.
"""

import re
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path

from fourfall._core import Board
from fourfall.arena.record import join_moves
from fourfall.render import COLUMN_NAMES, draw_svg
from fourfall.report.html import Html, data_script, element, join, name_element
from fourfall.report.numbers import format_percent
from fourfall.report.report_game import ReportGame, TurningPoint
from fourfall.report.words import Words

_MODULES = ("replay_board.js", "replay_data.js", "replay_list.js", "replay.js")  # each uses only earlier ones
_WIDEST_LINE = 40  # moves of the better line in the text


def render_replay(games: Sequence[ReportGame], words: Words) -> Html:
    """Return the list of games with the board; the page must also contain `get_style` and `get_script`.

    The figure of a game has the id "game-N" with its number in the database; a link to it selects the game.
    """
    if not games:
        return element("p", words("replay.empty"))
    return join(
        element("div", id="replay", hidden=""),
        element("div", *(_render_static_game(game, words) for game in games), class_="replay-static"),
        data_script("replay-games", [_to_data(game, words) for game in games]),
        data_script("replay-words", words.select("replay.")),
    )


@cache
def get_style() -> Html:
    """Return the style sheet of the board, for a style element."""
    return Html(Path(__file__).with_name("replay.css").read_text(encoding="utf-8"))


@cache
def get_script() -> Html:
    """Return the script of the board, for an element `<script type="module">`."""
    return Html("\n".join(map(_inline_module, _MODULES)))


def _inline_module(name: str) -> str:
    """Return a module without its imports and exports: the modules become one."""
    source = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return re.sub(r"^export ", "", re.sub(r"^import [^;]*;\n", "", source, flags=re.MULTILINE), flags=re.MULTILINE)


def describe_result(game: ReportGame, words: Words) -> str:
    """Say who won and how the game ended."""
    ending = words.get_ending(game.ending)
    if game.winner is None:
        return words("replay.result.draw", ending=ending)
    winner, loser = game.names[game.winner], game.names[1 - game.winner]
    key = "replay.result.won" if game.culprit is None else "replay.result.failed"
    return words(key, name=winner, loser=loser, ending=ending)


def describe_loss(game: ReportGame, words: Words) -> list[str]:
    """Return the sentences about the turning point, or about why the game has none; none if the game was not lost."""
    point = game.turning_point
    loser = "" if game.winner is None else game.names[1 - game.winner]
    if point is None:
        if game.analysis in ("not lost", "found"):
            return []
        return [words(f"replay.point.{game.analysis}", name=loser, ending=words.get_ending(game.ending))]
    text = words(
        "replay.point.text",
        stones=point.ply + 1,
        name=game.names[point.side],
        played=point.played,
        better=point.better,
        before=format_percent(point.win_chance_before),
        after=format_percent(point.win_chance_after),
    )
    line = " ".join(point.line[:_WIDEST_LINE]) + (" …" if len(point.line) > _WIDEST_LINE else "")
    source = words("replay.point.proof" if point.kind == "proof" else "replay.point.estimate", engine=point.engine)
    reasons = words.separator.join(point.reasons.get(words.language, []))
    return [text, *([reasons] if reasons else []), words("replay.point.line.text", line=line), source]


def _render_static_game(game: ReportGame, words: Words) -> Html:
    """Return the figure of one game with its sentences and its moves."""
    point = game.turning_point
    board = _make_final_board(game) if point is None else Board.parse(point.board)
    drawing = draw_svg(board, values=_list_values(board, point), title=_describe_board(board, words))
    caption = words("replay.static.final" if point is None else "replay.static.point")
    first, second = map(name_element, game.names)
    heading = element("h3", *_fill(words("replay.title"), {"game": str(game.id), "first": first, "second": second}))
    sentences = [f"{describe_result(game, words)}, {words('replay.moves', count=len(game.moves))}."]
    sentences += [*describe_loss(game, words), words("replay.static.moves", moves=_make_final_board(game).notation)]
    return element(
        "article",
        heading,
        element("figure", Html(drawing), element("figcaption", caption)),
        *(element("p", sentence) for sentence in sentences),
        class_="replay-game",
        id=f"game-{game.id}",
    )


def _fill(text: str, values: dict[str, str]) -> list[str]:
    """Split a text at its placeholders and put values between, which may be HTML."""
    parts: list[str] = []
    for at, piece in enumerate(text.replace("}", "{").split("{")):
        parts.append(values[piece] if at % 2 else piece)
    return parts


def _list_values(board: Board, point: TurningPoint | None) -> list[str] | None:
    if point is None:
        return None
    chances = {point.played: point.win_chance_after, point.better: point.win_chance_before}
    return [format_percent(chances[name]) if name in chances else "" for name in COLUMN_NAMES[: board.cols]]


def _describe_board(board: Board, words: Words) -> str:
    size = {"rows": board.rows, "cols": board.cols, "count": board.ply}
    if board.hole is None:
        return words("replay.board.label.no_hole", **size)
    row, column = board.hole
    return words("replay.board.label", column=COLUMN_NAMES[column], row=board.rows - row, **size)


def _make_final_board(game: ReportGame) -> Board:
    return join_moves(game.board, game.moves)


def _to_data(game: ReportGame, words: Words) -> dict[str, object]:
    """Return what the script needs of a game."""
    return {
        "id": game.id,
        "names": game.names,
        "board": game.board,
        "moves": game.moves,
        "times": [round(time) for time in game.times_ms],
        "scores": game.scores,
        "winner": game.winner,
        "failed": game.culprit is not None,
        "result": describe_result(game, words),
        "text": describe_loss(game, words),
        "point": None if game.turning_point is None else asdict(game.turning_point),
    }
