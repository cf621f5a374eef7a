"""Asks for the solutions of puzzles in the terminal: hints, refutations, rating and streak."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import typer
from rich.console import Console
from rich.live import Live
from rich.text import Text

from fourfall import Board, render
from fourfall.cli.puzzle_words import WORDS, PuzzleWords
from fourfall.cli.terminal import wants_color
from fourfall.coach import Language, explain
from fourfall.coach.puzzles import Progress, Puzzle, list_hints, refute
from fourfall.render import COLUMN_NAMES

_STONE_TIME_S = 0.7
_HINT_SCORE = 0.5


class _Quit(Exception):  # noqa: N818 (not an error)
    """The person ends the session."""


@dataclass
class PuzzleSession:
    """One session of puzzles in the terminal; the file of the progress is written after each first try.

    Attributes:
        puzzles: puzzles to choose from.
        progress: the person's progress.
        path: file of the progress.
        rating: wanted rating of the puzzles; None for the person's own.
        language: language of all texts.
        seed: random seed of the choice; None for a random one.
    """

    puzzles: Sequence[Puzzle]
    progress: Progress
    path: Path
    rating: int | None = None
    language: Language = "en"
    seed: int | None = None
    tried: int = 0
    solved: int = 0
    _words: PuzzleWords = field(init=False)

    def __post_init__(self) -> None:
        self._words = WORDS[self.language]

    def run(self) -> None:
        """Show puzzles until the person quits with q, Ctrl-C or the end of the input."""
        now, words = self.progress, self._words
        typer.echo(words.greeting.format(rating=now.rating, streak=now.streak, commands=words.commands))
        try:
            while True:
                seed = None if self.seed is None else self.seed + self.tried
                self._ask(self.progress.choose_puzzle(self.puzzles, self.rating, seed))
                if self._read(words.next_prompt) == "q":
                    break
        except (_Quit, KeyboardInterrupt):
            pass
        typer.echo("\n" + self._describe_session())

    def _ask(self, puzzle: Puzzle) -> None:
        """Show a puzzle and read moves until it is solved or the solution is shown."""
        words, board = self._words, puzzle.board
        goal = words.goals[puzzle.result]
        typer.echo("\n" + words.heading.format(rating=puzzle.rating, player=_name_player(board.turn), goal=goal))
        _draw(board)
        hints = list_hints(puzzle, self.language, text_board=True)
        score: float | None = 1.0
        while True:
            word = self._read(words.prompt)
            if word == "q":
                raise _Quit
            if word == "h":
                typer.echo(hints.pop(0) if hints else words.no_more_hints)
                score = None if score is None else min(score, _HINT_SCORE if hints else 0.0)
                continue
            if word == "s":
                change = self._record(puzzle, None if score is None else 0.0)
                typer.echo(words.skipped.format(column=COLUMN_NAMES[puzzle.move]))
                self._show_solution(puzzle, change)
                return
            column = self._parse_column(board, word)
            if column is None:
                continue
            if column == puzzle.move:
                change = self._record(puzzle, score)
                typer.echo(words.right.format(column=COLUMN_NAMES[column]))
                self._show_solution(puzzle, change)
                return
            change = self._record(puzzle, None if score is None else 0.0)
            score = None
            self._refute(board, column)
            typer.echo(change, nl=bool(change))
            typer.echo(words.try_again)
            _draw(board)

    def _parse_column(self, board: Board, word: str) -> int | None:
        column = COLUMN_NAMES[: board.cols].find(word) if len(word) == 1 else -1
        if column < 0:
            typer.echo(self._words.not_a_move.format(word=word, commands=self._words.commands))
            return None
        if not board.is_legal(column):
            typer.echo(self._words.full.format(column=word))
            return None
        return column

    def _refute(self, board: Board, column: int) -> None:
        """Play out what happens after a wrong move, and say why it is wrong."""
        typer.echo(self._words.wrong.format(column=COLUMN_NAMES[column]))
        refutation = refute(board, column)
        _play_out(board, refutation.columns)
        typer.echo("\n" + refutation.write(self.language, text_board=True))
        if len(refutation.columns) > 1:
            typer.echo(self._words.refutation.format(moves=_name_moves(refutation.columns)))

    def _show_solution(self, puzzle: Puzzle, change: str) -> None:
        """Write the coach's reasons, play out the main line and write the change of the rating."""
        for sentence in explain(puzzle.board, puzzle.move).write(self.language, text_board=True):
            typer.echo(sentence)
        if len(puzzle.solution) > 1:
            typer.echo(self._words.line.format(moves=_name_moves(puzzle.solution)))
        _play_out(puzzle.board, puzzle.solution)
        typer.echo(f"\n{change}" if change else "", nl=bool(change))

    def _record(self, puzzle: Puzzle, score: float | None) -> str:
        """Save the score of the first try, None if it was saved before; return what changed as text."""
        if score is None:
            return ""
        before = self.progress.rating
        self.progress = self.progress.add(puzzle, score)
        self.progress.save(self.path)
        self.tried += 1
        self.solved += score == 1
        now = self.progress
        change = now.rating - before
        text = self._words.rating
        return text.format(rating=now.rating, deviation=now.deviation, change=change, streak=now.streak)

    def _read(self, prompt: str) -> str:
        try:
            return input("\n" + prompt).strip().lower()
        except EOFError:
            raise _Quit from None

    def _describe_session(self) -> str:
        now = self.progress
        if not self.tried:
            return self._words.nothing_tried.format(rating=now.rating)
        return self._words.farewell.format(
            solved=self.solved, tried=self.tried, rating=now.rating, best=now.best_streak
        )


def _name_player(player: int) -> str:
    """Return X or O, and the symbol of a drawing in colour."""
    return ("X (●)", "O (◆)")[player] if wants_color() else "XO"[player]


def _name_moves(columns: Sequence[int]) -> str:
    return "-".join(COLUMN_NAMES[column] for column in columns)


def _draw(board: Board) -> None:
    typer.echo("\n" + render.draw_text(board, color=wants_color()), color=True)


def _play_out(board: Board, columns: Sequence[int]) -> None:
    """Draw the board after the moves; on a terminal stone by stone."""
    board = board.copy()
    console = Console(highlight=False)
    if not console.is_terminal:
        for column in columns:
            board.push(column)
        _draw(board)
        return
    with Live(console=console, auto_refresh=False) as screen:
        for column in columns:
            board.push(column)
            screen.update(Text.from_ansi("\n" + render.draw_text(board, color=wants_color())), refresh=True)
            time.sleep(_STONE_TIME_S)
