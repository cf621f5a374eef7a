// 使用 UCT 公式的蒙特卡洛树搜索。
//
// 搜索会建立一棵由局面组成的树。在时间用完之前反复执行下面四步，合称一次模拟：
//
//   1. 选择：从根节点出发，沿着最有希望的着法走，直到某个局面还有没有节点的着法。
//   2. 扩展：为这个着法添加一个节点。
//   3. 随机对局：从这里开始随机落子，直到对局结束。
//   4. 回传：把结果加到路径上的每个节点。
//
// 好的着法在随机对局中赢得更多，被选中的次数也更多，所以树在最佳着法的方向上长得最深。
#pragma once

#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "board.hpp"

class TreeSearch {
public:
    explicit TreeSearch(const Board& board) : root_(board) { nodes_.emplace_back(); }

    // 反复模拟直到时间用完。返回访问次数最多的列：它的价值估计得最准。
    int run(std::chrono::milliseconds time) {
        const auto deadline = std::chrono::steady_clock::now() + time;
        do {
            for (int i = 0; i < 64; ++i) simulate();  // 读取时钟需要时间，所以不必每次都读
        } while (std::chrono::steady_clock::now() < deadline && nodes_.size() < kMaxNodes);

        int best = root_.legalColumns().front();
        for (int col : root_.legalColumns())
            if (visits(nodes_[0], col) > visits(nodes_[0], best)) best = col;
        return best;
    }

private:
    // 一个局面，由某个玩家的一步棋到达。wins 以该玩家的视角计算：每次模拟获胜加 1，平局加 0.5。
    // 子节点是 nodes_ 中的下标；0 表示“还没有节点”，因为根节点不是任何节点的子节点。
    struct Node {
        std::array<int, kMaxSize> children{};
        int visits = 0;
        double wins = 0;
        bool isWon = false;  // 到达这个局面的那步棋连成了四子
    };

    static constexpr double kExploration = 0.5;        // 越大，尝试的着法越多；越小，对好着法看得越深
    static constexpr std::size_t kMaxNodes = 3000000;  // 约 200 MB；达到后搜索提前结束

    void simulate() {
        Board board = root_;
        Stone player = kMine;  // 轮到谁走
        path_.assign(1, 0);    // 本次模拟经过的节点；节点 0 是根节点
        double result = 0.5;   // 对走出路径最后一步的玩家而言：1 胜，0.5 平，0 负

        while (!nodes_[path_.back()].isWon) {
            const int col = selectColumn(board, path_.back());
            if (col < 0) break;  // 棋盘已满：平局
            const bool isWon = board.drop(col, player);
            int child = nodes_[path_.back()].children[col];
            const bool isNew = child == 0;
            if (isNew) child = addNode(path_.back(), col, isWon);
            path_.push_back(child);
            if (isNew && !isWon) {
                result = rollout(board, other(player), player);
                break;
            }
            player = other(player);
        }
        if (nodes_[path_.back()].isWon) result = 1.0;

        for (auto node = path_.rbegin(); node != path_.rend(); ++node) {
            ++nodes_[*node].visits;
            nodes_[*node].wins += result;
            result = 1.0 - result;  // 上一层节点属于另一个玩家
        }
    }

    // 返回一个还没有节点的合法列；如果都有节点，返回 UCT 值最大的列；棋盘已满时返回 -1。
    //
    //   UCT = 获胜数 / 访问数 + 探索常数 * sqrt(log(父节点访问数) / 访问数)
    //
    // 第一项偏向获胜多的着法，第二项偏向尝试得少的着法。
    int selectColumn(const Board& board, int parent) {
        const double logVisits = std::log(nodes_[parent].visits + 1.0);
        int best = -1;
        double bestValue = -1;
        const int start = static_cast<int>(random_() % board.cols());  // 新着法按随机顺序尝试
        for (int i = 0; i < board.cols(); ++i) {
            const int col = (start + i) % board.cols();
            if (!board.isLegal(col)) continue;
            const int child = nodes_[parent].children[col];
            if (child == 0) return col;
            const Node& node = nodes_[child];
            const double value = node.wins / node.visits + kExploration * std::sqrt(logVisits / node.visits);
            if (value > bestValue) {
                bestValue = value;
                best = col;
            }
        }
        return best;
    }

    // 为一步棋添加节点，返回它的下标。
    int addNode(int parent, int col, bool isWon) {
        const int index = static_cast<int>(nodes_.size());
        nodes_[parent].children[col] = index;
        nodes_.emplace_back().isWon = isWon;
        return index;
    }

    // 随机落子直到对局结束。返回 1、0.5 或 0：玩家 viewer 胜、平、负。
    double rollout(Board& board, Stone player, Stone viewer) {
        std::array<int, kMaxSize> columns{};
        while (true) {
            int count = 0;
            for (int col = 0; col < board.cols(); ++col)
                if (board.isLegal(col)) columns[count++] = col;
            if (count == 0) return 0.5;
            if (board.drop(columns[random_() % count], player)) return player == viewer ? 1.0 : 0.0;
            player = other(player);
        }
    }

    int visits(const Node& parent, int col) const {
        return parent.children[col] == 0 ? 0 : nodes_[parent.children[col]].visits;
    }

    Board root_;
    std::vector<Node> nodes_;
    std::vector<int> path_;
    std::mt19937 random_{1};  // 固定的随机种子，使模拟次数相同的搜索可以重现
};
