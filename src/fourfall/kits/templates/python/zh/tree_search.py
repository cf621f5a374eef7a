"""使用 UCT 公式的蒙特卡洛树搜索。

搜索会建立一棵由局面组成的树。在时间用完之前反复执行下面四步，合称一次模拟：

1. 选择：从根节点出发，沿着最有希望的着法走，直到某个局面还有没有节点的着法。
2. 扩展：为这个着法添加一个节点。
3. 随机对局：从这里开始随机落子，直到对局结束。
4. 回传：把结果加到路径上的每个节点。

好的着法在随机对局中赢得更多，被选中的次数也更多，所以树在最佳着法的方向上长得最深。
"""

import math
import random
import time

from fourfall import Board, rollouts

EXPLORATION = 0.5  # 越大，尝试的着法越多；越小，对好着法看得越深
ROLLOUTS = 16  # 每个新节点的随机对局数；它们在 C++ 中运行，耗时与周围的 Python 代码相当
MAX_NODES = 1_000_000  # 约 300 MB；达到后搜索提前结束


class Node:
    """一个局面，由某个玩家的一步棋到达；wins 以该玩家的视角计算，从 0 到 visits。"""

    __slots__ = ("children", "untried", "visits", "wins")

    def __init__(self, board: Board) -> None:
        self.visits = 0
        self.wins = 0.0
        self.children: dict[int, Node] = {}
        self.untried = board.legal_moves  # 对局结束时为空
        random.shuffle(self.untried)

    def select_column(self) -> int:
        """返回 UCT 值最大的列。

        UCT = 获胜数 / 访问数 + 探索常数 * sqrt(log(父节点访问数) / 访问数)。
        第一项偏向获胜多的着法，第二项偏向尝试得少的着法。
        """
        log_visits = math.log(self.visits)

        def compute_uct(column: int) -> float:
            child = self.children[column]
            return child.wins / child.visits + EXPLORATION * math.sqrt(log_visits / child.visits)

        return max(self.children, key=compute_uct)


class TreeSearch:
    """从一个局面开始的搜索；对局不能已经结束。"""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.root = Node(board)
        self.nodes = 1

    def run(self, time_s: float) -> int:
        """搜索若干秒。返回访问次数最多的列：它的价值估计得最准。"""
        deadline = time.perf_counter() + time_s
        self.simulate()
        while time.perf_counter() < deadline and self.nodes < MAX_NODES:
            self.simulate()
        return max(self.root.children, key=lambda column: self.root.children[column].visits)

    def simulate(self) -> None:
        """进行一次模拟：选择、扩展、随机对局、回传。"""
        board = self.board.copy()
        node = self.root
        path = [node]
        while not node.untried and node.children:
            column = node.select_column()
            board.push(column)
            node = node.children[column]
            path.append(node)
        if node.untried:
            column = node.untried.pop()
            board.push(column)
            node.children[column] = node = Node(board)
            path.append(node)
            self.nodes += 1

        result = evaluate(board)
        for node in reversed(path):
            node.visits += 1
            node.wins += result
            result = 1 - result  # 上一层节点属于另一个玩家


def evaluate(board: Board) -> float:
    """返回对走最后一步的玩家而言的结果：1 胜，0.5 平，0 负，或随机对局的平均值。"""
    outcome = board.outcome()
    if outcome is not None:
        return 0.5 if outcome.is_draw else 1.0  # 只有走最后一步的玩家才可能获胜
    counts = rollouts(board, ROLLOUTS, random.getrandbits(32))
    wins = counts.second if board.turn == 0 else counts.first
    return (wins + counts.draws / 2) / ROLLOUTS
