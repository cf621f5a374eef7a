"""Tests the bot in a few positions. Add one for each mistake that you find in a lost game.

Run it with: python test_bot.py
"""

import unittest

from fourfall import Board, Limit
from main import play


def choose(position: str) -> int:
    """Return the bot's column in a position, counted from 1 as in the notation."""
    return play(Board.parse(position), Limit(time=0.2)) + 1


class BotTest(unittest.TestCase):
    """The bot's moves in small positions; print(Board.parse("6x7:112233")) draws one."""

    def test_completes_four(self) -> None:
        """Three in the bottom row become four."""
        self.assertEqual(choose("6x7:112233"), 4)

    def test_stops_the_opponent(self) -> None:
        """The opponent has three in the bottom row."""
        self.assertEqual(choose("6x7:1122366"), 4)

    def test_prefers_a_win_to_a_block(self) -> None:
        """Both players have three in a column."""
        self.assertEqual(choose("6x7:171717"), 1)

    def test_makes_three_with_two_open_ends(self) -> None:
        """The opponent can stop only one end."""
        self.assertIn(choose("6x7:3344"), (2, 5))

    def test_plays_a_whole_game(self) -> None:
        """Every move on an official board is legal; an illegal one raises an error."""
        board = Board(9, 9, hole=(3, 4))
        while not board.is_over:
            board.push(play(board.copy(), Limit(time=0.005)))
        self.assertIsNotNone(board.outcome())


if __name__ == "__main__":
    unittest.main()
