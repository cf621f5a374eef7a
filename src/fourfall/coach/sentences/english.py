"""Sentences in English."""

from collections.abc import Sequence

from fourfall.coach.facts import Cell, Fact, FactKind
from fourfall.coach.sentences.writer import SentenceWriter, count_winner_moves, get_score, list_columns, percent
from fourfall.render import COLUMN_NAMES


class EnglishWriter(SentenceWriter):
    """Writes facts in English."""

    colours = ("Blue", "Orange")

    def write_nothing(self) -> str:
        """Return the sentence about a move without facts."""
        return "Nothing is proved about this move: neither side was found to win by force."

    def _write_wins(self, fact: Fact) -> str:
        return f"{self.mover} wins at once: the stone in column {self.here} completes four in a row."

    def _write_misses_win(self, fact: Fact) -> str:
        return f"{self.mover} could win at once in {_name_columns(fact.cells, 'or')}."

    def _write_blocks(self, fact: Fact) -> str:
        return f"{self.mover} must play here: otherwise {self.opponent} completes four in this column at once."

    def _write_misses_block(self, fact: Fact) -> str:
        return f"{self.opponent} now completes four in column {self.get_column(fact)}, which {self.mover} had to block."

    def _write_cannot_block(self, fact: Fact) -> str:
        where = _name_columns(fact.cells, "and")
        return f"{self.opponent} can complete four in {where}; {self.mover} cannot block all of them."

    def _write_opens_win(self, fact: Fact) -> str:
        (cell,) = fact.cells
        if self.is_above_hole(cell):
            return (
                f"The next stone in column {self.here} lands above the blocked cell, "
                f"and {self.opponent} completes four there."
            )
        return f"The stone opens the cell above it, where {self.opponent} completes four with the next stone."

    def _write_double_threat(self, fact: Fact) -> str:
        where = _name_columns(fact.cells, "and")
        return f"{self.mover} now threatens four in {where}; {self.opponent} can block only one."

    def _write_stacked_threat(self, fact: Fact) -> str:
        return f"{self.mover} threatens four on two cells, one above the other: {self._describe_stack(fact)}."

    def _write_no_safe_reply(self, fact: Fact) -> str:
        return f"Whatever {self.opponent} plays, {self.mover} completes four with the next stone."

    def _write_forced_sequence(self, fact: Fact) -> list[str]:
        return [
            f"{self.mover} wins by force in {fact.count} moves: {self.list_moves(fact)}.",
            f"Each reply of {self.opponent} except the last is the only one that does not lose at once.",
        ]

    def _write_allows_sequence(self, fact: Fact) -> list[str]:
        reply = f"{self.opponent} answers in column {self.get_column(fact)}"
        if fact.count == 2:
            return [f"{reply} and wins with the stone after that: {self._describe_ending(fact, self.mover)}."]
        return [
            f"{reply} and wins by force in {fact.count} moves: {self.list_moves(fact, 1)}.",
            f"Each move of {self.mover} except the last is then the only one that does not lose at once.",
        ]

    def _write_misses_sequence(self, fact: Fact) -> str:
        start = f"{self.mover} could win by force in {fact.count} moves with column {self.get_column(fact)}"
        if fact.count == 2:
            return f"{start}: {self._describe_ending(fact, self.opponent)}."
        return f"{start}: {self.list_moves(fact)}."

    def _write_no_defence(self, fact: Fact) -> str:
        return f"Every reply of {self.opponent} loses: {self.mover} then wins by force."

    def _write_few_replies(self, fact: Fact) -> str:
        return f"{self.opponent} must answer in {_name_columns(fact.cells, 'or')}; every other reply loses by force."

    def _write_allows_attack(self, fact: Fact) -> str:
        return f"{self.opponent} answers in column {self.get_column(fact)}, and every move of {self.mover} then loses."

    def _write_misses_attack(self, fact: Fact) -> str:
        return f"After column {self.get_column(fact)}, every reply of {self.opponent} would lose by force."

    def _write_allows_few_replies(self, fact: Fact) -> str:
        return (
            f"{self.opponent} can answer in column {self.get_column(fact)}; every move of {self.mover} except "
            f"{_name_columns(fact.cells, 'and')} then loses by force."
        )

    def _write_only_move(self, fact: Fact) -> str:
        return "Every other column loses."

    def _write_gives_up_cell(self, fact: Fact) -> str:
        return (
            f"The stone fills the cell below {self.mover}'s own winning cell in column {self.here}, "
            f"row {self.name_row(fact.cells[0])}; {self.opponent} can now block it."
        )

    def _write_parity(self, fact: Fact) -> list[str]:
        return [
            f"When the other cells are full, {self.opponent} must play below {self._name_winning_cells(fact)}, "
            "and cannot win before.",
            self._describe_follow_up(fact),
        ]

    def _write_allows_parity(self, fact: Fact) -> list[str]:
        return [
            f"{self.opponent} answers in column {self.get_column(fact)}; when the other cells are full, {self.mover} "
            f"must play below {self._name_winning_cells(fact)}, and cannot win before.",
            self._describe_follow_up(fact),
        ]

    def _write_misses_parity(self, fact: Fact) -> str:
        return (
            f"After column {self.get_column(fact)}, {self.opponent} would have to play below "
            f"{self._name_winning_cells(fact)} when the other cells are full, and could not win before."
        )

    def _write_hole_parity(self, fact: Fact) -> str:
        return (
            f"The blocked cell decides it: without it the number of other cells would be odd, "
            f"and {self.mover} would have to play there."
        )

    def _write_hole_line(self, fact: Fact) -> str:
        return f"The blocked cell breaks the line of {self.mover}'s three stones: they cannot become four."

    def _write_threat(self, fact: Fact) -> str:
        return f"{self.mover} threatens four in column {self.get_column(fact)}; {self.opponent} must block there."

    def _write_winning_cell(self, fact: Fact) -> str:
        return f"{self.mover} gets {self._name_cells(fact.cells)}."

    def _write_prevents_double_threat(self, fact: Fact) -> str:
        return f"A stone of {self.opponent} here would threaten four in {_name_columns(fact.cells, 'and')}."

    def _write_takes_cell(self, fact: Fact) -> str:
        return f"A stone of {self.opponent} here would make {self._name_cells(fact.cells)}."

    def _write_allows_cell(self, fact: Fact) -> str:
        return (
            f"{self.opponent} can answer in column {self.get_column(fact)} and get {self._name_cells(fact.cells)}; "
            f"after column {COLUMN_NAMES[fact.other or 0]} it could not."
        )

    def _write_misses_cell(self, fact: Fact) -> str:
        return f"Column {self.get_column(fact)} would make {self._name_cells(fact.cells)} for {self.mover}."

    def _write_expected_cell(self, fact: Fact) -> str:
        return (
            f"The engine expects {self.list_moves(fact)}, "
            f"after which {self.opponent} has {self._name_cells(fact.cells)}."
        )

    def _write_misses_expected_cell(self, fact: Fact) -> str:
        return (
            f"With column {self.get_column(fact)} the engine expects {self.list_moves(fact)}, "
            f"after which {self.mover} has {self._name_cells(fact.cells)}."
        )

    def _write_leaves_cell(self, fact: Fact) -> str:
        return (
            f"{self.opponent} can now take the cell in column {self.get_column(fact)}: {fact.count} possible fours of "
            f"{self.opponent} and {fact.other_count} of {self.mover} go through it."
        )

    def _write_fewer_lines(self, fact: Fact) -> str:
        return (
            f"{fact.other_count} possible fours of {self.mover} go through the cell in column {self.get_column(fact)}, "
            f"but only {fact.count} through this one."
        )

    def _write_open_lines(self, fact: Fact) -> str:
        return f"{fact.count} possible fours of {self.mover} go through this cell; no other column has more."

    def _write_result(self, fact: Fact) -> str:
        score = get_score(fact.score)
        if score.is_draw:
            return "After this move the game is a draw with best play (proven)."
        count = count_winner_moves(score)
        return (
            f"After this move {self.name_player(fact.player)} wins in at most {count} {_plural(count)} "
            "with best play (proven)."
        )

    def _write_comparison(self, fact: Fact) -> str:
        own, best, column = get_score(fact.score), get_score(fact.other_score), self.get_column(fact)
        if best.is_win:
            count = count_winner_moves(best)
            return f"Column {column} wins in at most {count} {_plural(count)} (proven)."
        if best.is_draw and own.is_loss:
            return f"Column {column} would hold a draw (proven)."
        if own.is_exact:
            return f"Column {column} is better: the engine estimates {percent(best)} win chance for {self.mover} there."
        if best.is_exact:
            result = "draws" if best.is_draw else "loses"
            return (
                f"The engine estimates {percent(own)} win chance for {self.mover}; column {column} {result} (proven)."
            )
        if own < best:
            return (
                f"The engine prefers column {column}: it estimates {percent(best)} win chance for {self.mover} there, "
                f"{percent(own)} here."
            )
        return (
            f"The engine estimates {percent(own)} win chance for {self.mover} here, "
            f"and {percent(best)} for the next best, column {column}."
        )

    def _describe_follow_up(self, fact: Fact) -> str:
        winner = self.name_player(fact.player)
        if fact.is_above:
            return f"Until then {winner} answers every stone directly above it."
        return f"The number of cells until then is even ({fact.count}), and {winner} has an answer to every stone."

    def _name_winning_cells(self, fact: Fact) -> str:
        cells = [f"column {self.name_column(cell)}, row {self.name_row(cell)}" for cell in fact.cells]
        winner = self.name_player(fact.player)
        if len(cells) == 1:
            return f"{winner}'s winning cell ({cells[0]})"
        return f"one of {winner}'s winning cells ({'; '.join(cells)})"

    def _name_cells(self, cells: Sequence[Cell]) -> str:
        """Name winning cells.

        In words: "a winning cell in column 4, row 3".
        """
        names = [f"column {self.name_column(cell)}, row {self.name_row(cell)}" for cell in cells]
        return f"a winning cell in {names[0]}" if len(names) == 1 else f"winning cells in {'; '.join(names)}"

    def _describe_ending(self, fact: Fact, defender: str) -> str:
        """Describe the double threat at the end of a sequence."""
        if fact.ending == FactKind.DOUBLE_THREAT:
            return f"{defender} can block only one of {_name_columns(fact.cells, 'and')}"
        if fact.ending == FactKind.STACKED_THREAT:
            return self._describe_stack(fact)
        return "every reply loses at once"

    def _describe_stack(self, fact: Fact) -> str:
        lower, upper = fact.cells
        attacker, defender = self.name_player(fact.player), self.name_player(1 - fact.player)
        return (
            f"if {defender} blocks column {self.name_column(lower)} in row {self.name_row(lower)}, "
            f"{attacker} completes four in row {self.name_row(upper)}"
        )


def _name_columns(cells: Sequence[Cell], conjunction: str) -> str:
    """Name the columns of some cells.

    >>> _name_columns([(5, 0), (5, 4)], "and"), _name_columns([(5, 9)], "or")
    ('columns 1 and 5', 'column a')
    """
    names = list_columns(cells)
    if len(names) == 1:
        return f"column {names[0]}"
    return f"columns {', '.join(names[:-1])} {conjunction} {names[-1]}"


def _plural(count: int) -> str:
    return "move" if count == 1 else "moves"
