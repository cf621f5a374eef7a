"""用几个局面测试程序。每当你在输掉的对局里发现一个错误，就在这里加一个局面。

运行：python test_bot.py
"""

import unittest

from fourfall import Board, Limit
from main import play


def choose(position: str) -> int:
    """返回程序在一个局面中选择的列，与记谱法一样从 1 开始数。"""
    return play(Board.parse(position), Limit(time=0.2)) + 1


class BotTest(unittest.TestCase):
    """程序在小棋盘上的着法；用 print(Board.parse("6x7:112233")) 可以画出局面。"""

    def test_completes_four(self) -> None:
        """底行的三子连成四子。"""
        self.assertEqual(choose("6x7:112233"), 4)

    def test_stops_the_opponent(self) -> None:
        """对手在底行已有三子。"""
        self.assertEqual(choose("6x7:1122366"), 4)

    def test_prefers_a_win_to_a_block(self) -> None:
        """双方都在一列中有三子。"""
        self.assertEqual(choose("6x7:171717"), 1)

    def test_makes_three_with_two_open_ends(self) -> None:
        """对手只能挡住一端。"""
        self.assertIn(choose("6x7:3344"), (2, 5))

    def test_plays_a_whole_game(self) -> None:
        """在正式棋盘上每一步都合法；不合法的着法会引发异常。"""
        board = Board(9, 9, hole=(3, 4))
        while not board.is_over:
            board.push(play(board.copy(), Limit(time=0.005)))
        self.assertIsNotNone(board.outcome())


if __name__ == "__main__":
    unittest.main()
