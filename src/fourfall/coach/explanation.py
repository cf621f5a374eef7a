"""Explains a move: collects checked facts in the order of their importance and writes sentences about them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fourfall._core import Analysis, Board, IllegalMove
from fourfall.coach.attacks import (
    find_allowed_attack,
    find_allowed_pressure,
    find_attack,
    find_missed_attack,
)
from fourfall.coach.evaluation import (
    ColumnScore,
    collect_scores,
    find_best_other,
    find_comparison,
    find_result,
    is_clearly_worse,
)
from fourfall.coach.facts import Fact, FactKind
from fourfall.coach.forced_win import PositionBudget
from fourfall.coach.hole import find_broken_line
from fourfall.coach.parity import find_allowed_parity, find_missed_parity, find_parity
from fourfall.coach.possible_lines import find_fewer_lines, find_left_cell, find_open_lines
from fourfall.coach.sentences import LANGUAGES, Language, write_sentences
from fourfall.coach.sequences import find_allowed_sequence, find_missed_sequence, find_only_move, find_sequence
from fourfall.coach.tactics import find_block, find_missed_win, find_opened_win, find_win
from fourfall.coach.winning_cells import (
    find_allowed_cell,
    find_expected_cell,
    find_given_up_cell,
    find_made_cells,
    find_missed_cell,
    find_taken_cell,
)
from fourfall.render import COLUMN_NAMES


@dataclass(frozen=True)
class Budget:
    """Limits of the work for one explanation, in positions, so that the result does not depend on the machine.

    Attributes:
        sequence_positions: positions of all searches for forced sequences together.
        solver_positions: positions of each call of the exact solver; 0 for none.
    """

    sequence_positions: int = 6000
    solver_positions: int = 20_000


@dataclass(frozen=True)
class Explanation:
    """Reasons for or against a move.

    Attributes:
        board: the position before the move.
        column: the explained move.
        facts: checked facts, the most important first; empty if nothing can be said.
    """

    board: Board
    column: int
    facts: tuple[Fact, ...]

    def write(self, language: Language = "en", *, text_board: bool = False) -> list[str]:
        """Return one to three sentences.

        Args:
            language: "en" or "zh".
            text_board: name the players X and O and count rows from 0 at the top, as in drawings with text; otherwise
                they are Blue and Orange, and rows count from 1 at the bottom, as on the page.
        """
        return write_sentences(self.board, self.column, self.facts, language, text_board=text_board)

    def to_json_value(self) -> dict[str, Any]:
        """Return the facts and the sentences in both languages as plain data for JSON."""
        return {
            "facts": [fact.to_json_value() for fact in self.facts],
            "text": {language: self.write(language) for language in LANGUAGES},
        }


def explain(
    board: Board,
    column: int,
    *,
    analysis: Analysis | Sequence[ColumnScore] | None = None,
    budget: Budget | None = None,
) -> Explanation:
    """Explain why a move is good or bad, with checked facts only.

    The same arguments give the same explanation. `board` is not changed.

    Args:
        board: position before the move.
        column: the move, from 0.
        analysis: an engine's analysis of `board`, or the scores of some columns, for the comparison with other columns.
        budget: limits of the searches.

    Raises:
        IllegalMove: the game is over, or the column is full or off the board.
        ValueError: the analysis is of another position.

    >>> explain(Board.parse("6x7:112233"), 3).write()
    ['Blue wins at once: the stone in column 4 completes four in a row.']
    >>> explain(Board.parse("6x7:11223"), 0).write()
    ['Blue now completes four in column 4, which Orange had to block.']
    """
    _check_move(board, column)
    if isinstance(analysis, Analysis) and analysis.board != board:
        raise ValueError(f"the analysis is of another position, {analysis.board.notation}, not of {board.notation}")
    board = board.copy()
    found = _collect_facts(board, column, analysis, budget or Budget())
    return Explanation(board, column, tuple(fact for fact in found if fact is not None))


def _check_move(board: Board, column: int) -> None:
    if board.is_over:
        raise IllegalMove("the game is over; there is no move to explain")
    if not 0 <= column < board.cols:
        raise IllegalMove(f"column {column} is off the board: columns are 0..{board.cols - 1}")
    if not board.is_legal(column):
        raise IllegalMove(f"column {column} (named {COLUMN_NAMES[column]}) is full")


def _collect_facts(
    board: Board, column: int, analysis: Analysis | Sequence[ColumnScore] | None, budget: Budget
) -> Iterator[Fact | None]:
    """Yield the facts in order of priority, with None where there is none."""
    win = find_win(board, column)
    if win is not None:
        yield win
        return
    missed_win = find_missed_win(board)
    block = find_block(board, column) if missed_win is None else None
    opened_win = find_opened_win(board, column)
    yield from (missed_win, block, opened_win)
    is_block = block is not None and block.kind == FactKind.BLOCKS
    if missed_win is not None or opened_win is not None or (block is not None and not is_block):
        return
    positions = PositionBudget(budget.sequence_positions)
    sequence = find_sequence(board, column, positions)
    if sequence is not None:
        yield sequence
        return
    allowed = find_allowed_sequence(board, column, positions)
    missed = None if is_block else find_missed_sequence(board, column, positions)
    yield from (allowed, missed)
    if allowed is None:
        scores = collect_scores(board, analysis, budget.solver_positions)
        case = _Case(board, column, scores, positions, has_choice=not is_block and missed is None)
        yield from _collect_later_facts(case)


@dataclass(frozen=True)
class _Case:
    """A move after which the opponent has no forced win.

    Without a choice (the move is a block, or another move wins by force), other columns are not mentioned.
    """

    board: Board
    column: int
    scores: dict[int, ColumnScore]
    positions: PositionBudget
    has_choice: bool


def _collect_later_facts(case: _Case) -> Iterator[Fact | None]:
    """Yield the facts about attacks, parity, winning cells, lines and scores."""
    board, column, scores = case.board, case.column, case.scores
    result = find_result(board, column, scores)
    is_lost = result is not None and result.player != board.turn
    attack = find_attack(board, column, case.positions)
    if attack is not None and attack.kind == FactKind.NO_DEFENCE:
        yield attack
        return
    allowed_attack = find_allowed_attack(board, column, case.positions)
    yield allowed_attack
    is_lost = is_lost or allowed_attack is not None
    if case.has_choice and not is_lost:
        yield find_only_move(board, column, case.positions, [at for at in scores if scores[at].score.is_loss])
    parity = find_parity(board, column)
    allowed_parity = None if parity or allowed_attack else find_allowed_parity(board, column)
    is_bad = is_lost or allowed_parity is not None or is_clearly_worse(scores, column)
    may_be_bad = not parity and (is_bad or column not in scores)
    yield find_given_up_cell(board, column) if may_be_bad else None
    yield from parity
    yield allowed_parity
    is_explained = bool(parity) or allowed_parity is not None or allowed_attack is not None
    yield None if is_explained else result
    if not case.has_choice or parity:
        return
    if result is None or result.score is None or not result.score.is_win:
        yield find_missed_attack(board, column, case.positions)
        yield find_missed_parity(board, column)
    yield find_broken_line(board, column) if may_be_bad else None
    yield from _collect_drawbacks(case) if is_bad else _collect_gains(case, attack, has_result=result is not None)
    yield find_comparison(board, column, scores)


def _collect_gains(case: _Case, attack: Fact | None, *, has_result: bool) -> Iterator[Fact | None]:
    """Yield what the move makes and prevents; if nothing, its possible lines."""
    gains = [attack, find_made_cells(case.board, case.column), find_taken_cell(case.board, case.column)]
    yield from gains
    if not any(gains) and not has_result:
        yield find_open_lines(case.board, case.column)


def _collect_drawbacks(case: _Case) -> Iterator[Fact | None]:
    """Yield what the opponent gets, and what the best other column offers."""
    board, column, scores = case.board, case.column, case.scores
    better = find_best_other(scores, column)
    if better is None or column not in scores or scores[better].score <= scores[column].score:
        return
    line = scores[column].pv
    pressure = find_allowed_pressure(board, column, line[1], case.positions) if len(line) > 1 else None
    drawbacks = [pressure, find_allowed_cell(board, column, better), find_missed_cell(board, better)]
    yield from drawbacks
    expected = [] if any(drawbacks) else _find_expected_cells(board, line, scores[better].pv)
    yield from expected
    if not any(drawbacks) and not any(expected):
        is_taken = len(line) > 1 and line[1] == better
        yield find_left_cell(board, column, better) if is_taken else find_fewer_lines(board, column, better)


def _find_expected_cells(board: Board, line: list[int], better_line: list[int]) -> list[Fact | None]:
    """Return the winning cell that the engine expects: of the opponent after the move, or else of the player."""
    expected = find_expected_cell(board, line, 1 - board.turn)
    return [expected if expected is not None else find_expected_cell(board, better_line, board.turn)]
