"""Game: moves, players and result of one game, which draws itself."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from fourfall._core import Board
from fourfall.arena.jsonl import read_game, read_games
from fourfall.arena.judge import Ending, judge_board
from fourfall.arena.record import GameRecord
from fourfall.arena.store import Store
from fourfall.arena.tables import replace_control_characters
from fourfall.extras import describe_missing_package
from fourfall.games.game_html import draw_game_html
from fourfall.render.animation import MOVE_TIME_S, PAUSE_S, draw_animated_svg, rewind
from fourfall.render.gif import draw_gif
from fourfall.render.score_labels import PLAYER_NAMES
from fourfall.render.svg import EMPTY, draw_svg


class GameError(ValueError):
    """Values that do not describe a game; the message names the value."""


@dataclass(frozen=True)
class Game:
    """A game with its players and its result; Jupyter draws it as a board with buttons to step through the moves.

    Attributes:
        position: notation of the last position with all its moves, as of `Board.notation`.
        names: names of the first and the second player.
        opening: number of stones of the opening, which the players did not choose.
        ending: how the game ended, for example "win", "tie" or "timeout"; None if it is not over. The default is what
            the board says.
        winner: the winner, 0 or 1; None for a draw and for a game that is not over.
        times_ms: time of each move after the opening in milliseconds; may be empty.
        scores: win chance that the moving player reported for each move after the opening, or None; may be empty.

    >>> game = Game("6x7:1122334", names=("ann", "bob"))
    >>> game
    Game('6x7:1122334', names=('ann', 'bob'))
    >>> print(game)
    ann (blue) against bob (orange): ann won
    >>> game.to_svg().startswith("<svg ")
    True
    """

    position: str
    names: tuple[str, str] = PLAYER_NAMES
    opening: int = field(default=0, kw_only=True)
    ending: str | None = field(default=None, kw_only=True)
    winner: int | None = field(default=None, kw_only=True)
    times_ms: tuple[float, ...] = field(default=(), kw_only=True, repr=False)
    scores: tuple[float | None, ...] = field(default=(), kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.position, str):
            raise TypeError(f"position must be a text such as '6x7:44', not {self.position!r}; see Game.from_board")
        board = Board.parse(self.position)
        if isinstance(self.names, str) or len(self.names) != 2 or not all(isinstance(name, str) for name in self.names):
            raise GameError(f"names must be two texts, not {self.names!r}")
        if not 0 <= self.opening <= board.ply:
            raise GameError(f"opening must be from 0 to {board.ply}, the number of stones, not {self.opening}")
        if self.winner not in (0, 1, None):
            raise GameError(f"winner must be 0, 1 or None, not {self.winner!r}")
        if self.ending is None and self.winner is not None:
            raise GameError("a game with a winner needs an ending, for example 'win' or 'resignation'")
        verdict = judge_board(board)
        if verdict is not None and self.ending is None:
            object.__setattr__(self, "ending", verdict.ending.value)
            object.__setattr__(self, "winner", verdict.winner)
        elif self.ending in (Ending.WIN, Ending.TIE) and (verdict is None or self.ending != verdict.ending):
            raise GameError(f"ending is {self.ending!r}, but the board {_describe_board(board)}")
        elif verdict is not None and (self.ending, self.winner) != (verdict.ending, verdict.winner):
            raise GameError(
                f"ending is {self.ending!r} and winner {self.winner!r}, but the board {_describe_board(board)}"
                f": ending {verdict.ending.value!r}, winner {verdict.winner!r}; leave both out"
            )
        object.__setattr__(self, "position", board.notation)
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "times_ms", tuple(self.times_ms))
        object.__setattr__(self, "scores", tuple(self.scores))

    @classmethod
    def from_board(cls, board: Board, names: tuple[str, str] = PLAYER_NAMES) -> Self:
        """Return the game that was played on a board.

        >>> Game.from_board(Board.parse("6x7:44")).moves
        [3, 3]
        """
        return cls(board.notation, names)

    @classmethod
    def from_record(cls, record: GameRecord) -> Self:
        """Return the game of a record of the arena.

        >>> from fourfall.arena.record import EXAMPLE
        >>> Game.from_record(EXAMPLE).names
        ('left', 'right')
        """
        return cls(
            record.final_board.notation,
            record.names,
            opening=Board.parse(record.board).ply,
            ending=record.ending.value,
            winner=record.winner,
            times_ms=record.times_ms,
            scores=record.scores,
        )

    @classmethod
    def from_database(cls, database: Path | str, number: int) -> Self:
        """Return a game of the arena's database by its number, which `fourfall games` prints.

        Raises StoreError if the database has no such game.
        """
        with Store(database, read_only=True) as store:
            return cls.from_record(store.get_record(number))

    @classmethod
    def from_jsonl(cls, path: Path | str, line: int) -> Self:
        """Return the game on one line of a JSON Lines file, counted from 1; raises RecordError."""
        return cls.from_record(read_game(Path(path), line))

    @classmethod
    def read_jsonl(cls, path: Path | str) -> Iterator[Self]:
        """Yield the games of a JSON Lines file; RecordError names the first wrong line."""
        return map(cls.from_record, read_games(Path(path)))

    @property
    def board(self) -> Board:
        """The last position, as a new board.

        >>> Game("6x7:44").board.ply
        2
        """
        return Board.parse(self.position)

    @property
    def moves(self) -> list[int]:
        """Columns of all moves, including the opening."""
        return self.board.moves

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.ending is not None

    def get_board(self, ply: int) -> Board:
        """Return the position after `ply` stones.

        >>> Game("6x7:4433").get_board(3)
        Board.parse('6x7:443')
        """
        return rewind(self.board, ply)

    def describe(self) -> str:
        """Return players and result in one line; control characters in names are replaced."""
        first, second = map(replace_control_characters, self.names)
        players = " against ".join(
            name if name == color else f"{name} ({color})"
            for name, color in zip((first, second), PLAYER_NAMES, strict=True)
        )
        if not self.is_over:
            return f"{players}: not over, {self.board.ply} stones"
        if self.winner is None:
            return f"{players}: draw"
        winner, loser = (first, second) if self.winner == 0 else (second, first)
        return f"{players}: {winner} won" + ("" if self.ending == Ending.WIN else f" ({self.ending} of {loser})")

    def to_svg(
        self,
        path: Path | str | None = None,
        *,
        animated: bool = True,
        start: int | None = None,
        move_time_s: float = MOVE_TIME_S,
        pause_s: float = PAUSE_S,
        background: str | None = EMPTY,
    ) -> str:
        """Draw the game as SVG, and write it to a file if `path` is given.

        Args:
            path: file to write.
            animated: whether the image plays the moves; otherwise it shows the last position.
            start: number of stones on the board at the beginning of the animation; by default the opening.
            move_time_s: time from one stone to the next in seconds.
            pause_s: time that the last position is shown before the animation begins again, in seconds.
            background: colour behind the image, white by default; None for a transparent image.

        >>> Game("6x7:4433").to_svg(start=1).count("<animateTransform")
        3
        """
        if animated:
            start = self.opening if start is None else start
            drawing = draw_animated_svg(
                self.board,
                start=start,
                move_time_s=move_time_s,
                pause_s=pause_s,
                title=self.describe(),
                caption=self._make_caption(),
                background=background,
            )
        else:
            drawing = draw_svg(self.board, title=self.describe(), caption=self._make_caption(), background=background)
        if path is not None:
            Path(path).write_text(drawing + "\n", encoding="utf-8")
        return drawing

    def to_gif(
        self,
        path: Path | str | None = None,
        *,
        start: int | None = None,
        move_time_s: float = MOVE_TIME_S,
        pause_s: float = PAUSE_S,
    ) -> bytes:
        """Draw the game as an animated GIF, and write it to a file if `path` is given; arguments as of `to_svg`.

        Raises ImportError if the package pillow is not installed.

        >>> Game("6x7:4433").to_gif()[:6]
        b'GIF89a'
        """
        start = self.opening if start is None else start
        try:
            drawing = draw_gif(self.board, start=start, move_time_s=move_time_s, pause_s=pause_s)
        except ModuleNotFoundError:
            error = ModuleNotFoundError(name="pillow")  # the module is PIL
            raise ImportError(describe_missing_package("a GIF", "notebook", error)) from None
        if path is not None:
            Path(path).write_bytes(drawing)
        return drawing

    def _make_caption(self) -> str:
        """Return names and result for a line as wide as the board; long names are shortened."""
        room = 3 * self.board.cols - 2
        names = [replace_control_characters(name) for name in self.names]
        first, second = (name if len(name) <= room else name[: room - 1] + "…" for name in names)
        points = "" if not self.is_over else ("½-½" if self.winner is None else ("1-0", "0-1")[self.winner])
        return f"● {first}   ◆ {second}   {points}".rstrip()

    def __str__(self) -> str:
        return self.describe()

    def __repr__(self) -> str:
        names = "" if self.names == PLAYER_NAMES else f", names={self.names!r}"
        opening = f", opening={self.opening}" if self.opening else ""
        return f"Game({self.position!r}{names}{opening})"

    def _repr_html_(self) -> str:
        return draw_game_html(self.board, self.describe(), self.opening, self.times_ms, self.scores)

    def _repr_svg_(self) -> str:
        return self.to_svg()


def _describe_board(board: Board) -> str:
    """Return what the board says about the result."""
    outcome = board.outcome()
    if outcome is None:
        return "is not full and has no four in a row"
    return "is full" if outcome.winner is None else "has four in a row"
