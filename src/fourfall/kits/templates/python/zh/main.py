"""四子棋程序：能立即获胜就获胜；否则阻止对手获胜；否则搜索。"""

from fourfall import Board, Limit
from tree_search import TreeSearch

TIME_SHARE = 0.8  # 占每步时间的比例；其余留作余量，因为超时就判负
DEFAULT_TIME_S = 1.0  # 裁判没有给出时间时使用


def play(board: Board, limit: Limit) -> int:
    """返回要落子的列，从 0 开始数。

    board 是对局的副本，可以随意修改；limit.time 是每步的时间（秒）。
    """
    forced = find_forced_move(board)
    if forced is not None:
        return forced
    time_s = DEFAULT_TIME_S if limit.time is None else limit.time
    return TreeSearch(board).run(TIME_SHARE * time_s)


def find_forced_move(board: Board) -> int | None:
    """返回能立即获胜、或能阻止对手获胜的列；都没有时返回 None。"""
    if board.winning_moves:
        return board.winning_moves[0]
    # 威胁是能连成四子的空格。只有现在就能落到那个格子时，才需要马上处理。
    for row, col in board.threats(1 - board.turn):
        if board.landing_row(col) == row:
            return col
    return None
