"""Sentences in Chinese."""

from collections.abc import Sequence

from fourfall.coach.facts import Cell, Fact, FactKind
from fourfall.coach.sentences.writer import SentenceWriter, count_winner_moves, get_score, list_columns, percent
from fourfall.render import COLUMN_NAMES


class ChineseWriter(SentenceWriter):
    """Writes facts in Chinese."""

    colours = ("蓝方", "橙方")

    def name_player(self, player: int) -> str:
        """Return the name of a player; a Latin letter is called a side, as a colour is."""
        name = super().name_player(player)
        return f"{name} 方" if name.isascii() else name

    def write_nothing(self) -> str:
        """Return the sentence about a move without facts."""
        return "这一手暂时没有可以证明的结论：没有找到任何一方的必胜走法。"

    def _write_wins(self, fact: Fact) -> str:
        return f"{self.mover}下第 {self.here} 列，当即连成四子获胜。"

    def _write_misses_win(self, fact: Fact) -> str:
        return f"{self.mover}下{_name_columns(fact.cells, '或')}本可以当即获胜。"

    def _write_blocks(self, fact: Fact) -> str:
        return f"{self.mover}必须下在这里，否则{self.opponent}下一手就在这一列连成四子。"

    def _write_misses_block(self, fact: Fact) -> str:
        return f"{self.opponent}接下来在第 {self.get_column(fact)} 列连成四子，{self.mover}本应挡在那里。"

    def _write_cannot_block(self, fact: Fact) -> str:
        return f"{self.opponent}在{_name_columns(fact.cells, '和')}都能连成四子，{self.mover}一手挡不住。"

    def _write_opens_win(self, fact: Fact) -> str:
        (cell,) = fact.cells
        if self.is_above_hole(cell):
            return f"第 {self.here} 列的下一枚棋子会落在禁点上方，{self.opponent}正好在那里连成四子。"
        return f"这枚棋子替对方垫了脚：{self.opponent}接着下在它上面一格，连成四子。"

    def _write_double_threat(self, fact: Fact) -> str:
        return f"{self.mover}同时要在{_name_columns(fact.cells, '和')}连成四子，{self.opponent}只能挡住一处。"

    def _write_stacked_threat(self, fact: Fact) -> str:
        return f"{self.mover}在同一列有一上一下两个制胜点：{self._describe_stack(fact)}。"

    def _write_no_safe_reply(self, fact: Fact) -> str:
        return f"无论{self.opponent}下哪一列，{self.mover}下一手都能连成四子。"

    def _write_forced_sequence(self, fact: Fact) -> list[str]:
        return [
            f"{self.mover}可以一路紧逼，{fact.count} 手内必胜：{self.list_moves(fact)}。",
            f"除最后一手外，{self.opponent}每一手都只有这一种应法，否则立即输棋。",
        ]

    def _write_allows_sequence(self, fact: Fact) -> list[str]:
        reply = f"{self.opponent}应在第 {self.get_column(fact)} 列"
        if fact.count == 2:
            return [f"{reply}，再下一手就能获胜：{self._describe_ending(fact, self.mover)}。"]
        return [
            f"{reply}，一路紧逼，{fact.count} 手内必胜：{self.list_moves(fact, 1)}。",
            f"此后除最后一手外，{self.mover}每一手都只有这一种应法，否则立即输棋。",
        ]

    def _write_misses_sequence(self, fact: Fact) -> str:
        start = f"{self.mover}下第 {self.get_column(fact)} 列本可以 {fact.count} 手内必胜"
        if fact.count == 2:
            return f"{start}：{self._describe_ending(fact, self.opponent)}。"
        return f"{start}：{self.list_moves(fact)}。"

    def _write_no_defence(self, fact: Fact) -> str:
        return f"{self.opponent}怎么应都守不住，{self.mover}接下来都有必胜走法。"

    def _write_few_replies(self, fact: Fact) -> str:
        return f"{self.opponent}只能应在{_name_columns(fact.cells, '或')}，下别处都必败。"

    def _write_allows_attack(self, fact: Fact) -> str:
        return f"{self.opponent}应在第 {self.get_column(fact)} 列之后，{self.mover}下哪一列都必败。"

    def _write_misses_attack(self, fact: Fact) -> str:
        return f"如果下第 {self.get_column(fact)} 列，{self.opponent}怎么应都必败。"

    def _write_allows_few_replies(self, fact: Fact) -> str:
        return (
            f"{self.opponent}可以应在第 {self.get_column(fact)} 列，此后{self.mover}除了"
            f"{_name_columns(fact.cells, '和')}，下别处都必败。"
        )

    def _write_only_move(self, fact: Fact) -> str:
        return "下其他任何一列都必败。"

    def _write_gives_up_cell(self, fact: Fact) -> str:
        return (
            f"这枚棋子垫在了{self.mover}自己的制胜点（第 {self.here} 列第 {self.name_row(fact.cells[0])} 行）下面，"
            f"{self.opponent}可以随即占掉它。"
        )

    def _write_parity(self, fact: Fact) -> list[str]:
        return [
            f"其他格子下满后，轮到{self.opponent}垫在{self._name_winning_cells(fact)}下面，在此之前{self.opponent}赢不了。",
            self._describe_follow_up(fact),
        ]

    def _write_allows_parity(self, fact: Fact) -> list[str]:
        return [
            f"{self.opponent}应在第 {self.get_column(fact)} 列；其他格子下满后，轮到{self.mover}垫在"
            f"{self._name_winning_cells(fact)}下面，在此之前{self.mover}赢不了。",
            self._describe_follow_up(fact),
        ]

    def _write_misses_parity(self, fact: Fact) -> str:
        return (
            f"如果下第 {self.get_column(fact)} 列，其他格子下满后轮到{self.opponent}垫在"
            f"{self._name_winning_cells(fact)}下面，在此之前{self.opponent}赢不了。"
        )

    def _write_hole_parity(self, fact: Fact) -> str:
        return f"禁点起了决定作用：没有它，其余空格就是奇数，最后要由{self.mover}自己去垫。"

    def _write_hole_line(self, fact: Fact) -> str:
        return f"禁点断开了{self.mover}这三枚棋子的连线，它们连不成四子。"

    def _write_threat(self, fact: Fact) -> str:
        return f"{self.mover}威胁在第 {self.get_column(fact)} 列连成四子，{self.opponent}必须挡在那里。"

    def _write_winning_cell(self, fact: Fact) -> str:
        return f"{self.mover}得到制胜点：{self._name_cells(fact.cells)}。"

    def _write_prevents_double_threat(self, fact: Fact) -> str:
        return f"这一格如果让{self.opponent}占去，{self.opponent}就能同时威胁{_name_columns(fact.cells, '和')}。"

    def _write_takes_cell(self, fact: Fact) -> str:
        return f"这一格如果让{self.opponent}占去，{self.opponent}会得到制胜点：{self._name_cells(fact.cells)}。"

    def _write_allows_cell(self, fact: Fact) -> str:
        return (
            f"{self.opponent}可以应在第 {self.get_column(fact)} 列，得到制胜点：{self._name_cells(fact.cells)}；"
            f"如果这一手下第 {COLUMN_NAMES[fact.other or 0]} 列，就不会这样。"
        )

    def _write_misses_cell(self, fact: Fact) -> str:
        return f"{self.mover}下第 {self.get_column(fact)} 列可以得到制胜点：{self._name_cells(fact.cells)}。"

    def _write_expected_cell(self, fact: Fact) -> str:
        return (
            f"引擎预计接下来是 {self.list_moves(fact)}，届时{self.opponent}得到制胜点：{self._name_cells(fact.cells)}。"
        )

    def _write_misses_expected_cell(self, fact: Fact) -> str:
        return (
            f"如果下第 {self.get_column(fact)} 列，引擎预计是 {self.list_moves(fact)}，"
            f"届时{self.mover}得到制胜点：{self._name_cells(fact.cells)}。"
        )

    def _write_leaves_cell(self, fact: Fact) -> str:
        return (
            f"第 {self.get_column(fact)} 列的这一格让给了{self.opponent}：经过它，{self.opponent}还有 {fact.count} 条、"
            f"{self.mover}还有 {fact.other_count} 条可能的四连。"
        )

    def _write_fewer_lines(self, fact: Fact) -> str:
        return (
            f"经过这一格，{self.mover}只有 {fact.count} 条可能的四连，"
            f"而第 {self.get_column(fact)} 列那一格有 {fact.other_count} 条。"
        )

    def _write_open_lines(self, fact: Fact) -> str:
        return f"经过这一格，{self.mover}还有 {fact.count} 条可能的四连，其他各列都不比它多。"

    def _write_result(self, fact: Fact) -> str:
        score = get_score(fact.score)
        if score.is_draw:
            return "已证明：此后双方都走最佳着法则为和棋。"
        return f"已证明：此后{self.name_player(fact.player)} {count_winner_moves(score)} 手内必胜。"

    def _write_comparison(self, fact: Fact) -> str:
        own, best, column = get_score(fact.score), get_score(fact.other_score), self.get_column(fact)
        if best.is_win:
            return f"已证明：下第 {column} 列 {count_winner_moves(best)} 手内必胜。"
        if best.is_draw and own.is_loss:
            return f"已证明：下第 {column} 列可以守和。"
        if own.is_exact:
            return f"第 {column} 列更好：引擎估计{self.mover}在那里的胜率为 {percent(best)}。"
        if best.is_exact:
            result = "是和棋" if best.is_draw else "必败"
            return f"引擎估计{self.mover}胜率为 {percent(own)}；已证明下第 {column} 列{result}。"
        if own < best:
            return f"引擎更倾向第 {column} 列：估计{self.mover}胜率为 {percent(best)}，而这一手为 {percent(own)}。"
        return f"引擎估计这一手{self.mover}胜率为 {percent(own)}，其次是第 {column} 列，为 {percent(best)}。"

    def _describe_follow_up(self, fact: Fact) -> str:
        winner, loser = self.name_player(fact.player), self.name_player(1 - fact.player)
        if fact.is_above:
            return f"在那之前，{loser}下哪一列，{winner}就跟着下在它的正上方。"
        return f"在那之前还有 {fact.count} 格，是偶数，{loser}的每一手{winner}都有应手。"

    def _name_winning_cells(self, fact: Fact) -> str:
        winner = self.name_player(fact.player)
        one_of = "" if len(fact.cells) == 1 else "之一"
        return f"{winner}的制胜点（{self._name_cells(fact.cells)}）{one_of}"

    def _name_cells(self, cells: Sequence[Cell]) -> str:
        """Name cells by column and row."""
        return "、".join(f"第 {self.name_column(cell)} 列第 {self.name_row(cell)} 行" for cell in cells)

    def _describe_ending(self, fact: Fact, defender: str) -> str:
        """Describe the double threat at the end of a sequence."""
        if fact.ending == FactKind.DOUBLE_THREAT:
            return f"{_name_columns(fact.cells, '和')}，{defender}只能挡住一处"
        if fact.ending == FactKind.STACKED_THREAT:
            return self._describe_stack(fact)
        return f"{defender}怎么应都立即输棋"

    def _describe_stack(self, fact: Fact) -> str:
        lower, upper = fact.cells
        attacker, defender = self.name_player(fact.player), self.name_player(1 - fact.player)
        return (
            f"{defender}挡住第 {self.name_column(lower)} 列第 {self.name_row(lower)} 行，"
            f"{attacker}就在第 {self.name_row(upper)} 行连成四子"
        )


def _name_columns(cells: Sequence[Cell], conjunction: str) -> str:
    """Name the columns of some cells.

    >>> _name_columns([(5, 0), (5, 4)], "和"), _name_columns([(5, 9)], "或")
    ('第 1 列和第 5 列', '第 a 列')
    """
    names = [f"第 {name} 列" for name in list_columns(cells)]
    return names[0] if len(names) == 1 else f"{'、'.join(names[:-1])}{conjunction}{names[-1]}"
