// Monte Carlo tree search with the UCT formula.
//
// The search builds a tree of positions. It repeats four steps, together called a simulation, until the time is over:
//
//   1. Selection: start at the root and follow the most promising move until a position has a move without a node.
//   2. Expansion: add a node for that move.
//   3. Rollout:   play random moves from there to the end of the game.
//   4. Backup:    add the result to every node on the path.
//
// Good moves win more rollouts and are selected more often, so the tree grows deepest where play is best.
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

    // Runs simulations until the time is over. Returns the column with the most visits: its value is known best.
    int run(std::chrono::milliseconds time) {
        const auto deadline = std::chrono::steady_clock::now() + time;
        do {
            for (int i = 0; i < 64; ++i) simulate();  // reading the clock takes time, so it is read rarely
        } while (std::chrono::steady_clock::now() < deadline && nodes_.size() < kMaxNodes);

        int best = root_.legalColumns().front();
        for (int col : root_.legalColumns())
            if (visits(nodes_[0], col) > visits(nodes_[0], best)) best = col;
        return best;
    }

private:
    // A position, reached by the move of one player. `wins` is seen by that player: 1 for each simulation that it won,
    // 0.5 for each draw. A child is an index into nodes_; 0 means "no node yet", because the root is nobody's child.
    struct Node {
        std::array<int, kMaxSize> children{};
        int visits = 0;
        double wins = 0;
        bool isWon = false;  // the move to this position made four in a row
    };

    static constexpr double kExploration = 0.5;        // larger: try more moves; smaller: look deeper at good ones
    static constexpr std::size_t kMaxNodes = 3000000;  // about 200 MB; then the search ends early

    void simulate() {
        Board board = root_;
        Stone player = kMine;  // who moves next
        path_.assign(1, 0);    // the nodes of this simulation; node 0 is the root
        double result = 0.5;   // for the player who made the last move of the path: 1 won, 0.5 draw, 0 lost

        while (!nodes_[path_.back()].isWon) {
            const int col = selectColumn(board, path_.back());
            if (col < 0) break;  // the board is full: a draw
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
            result = 1.0 - result;  // the node above belongs to the other player
        }
    }

    // Returns a legal column without a node, or else the column with the largest UCT value; -1 on a full board.
    //
    //   UCT = wins / visits + exploration * sqrt(log(visits of the parent) / visits)
    //
    // The first part prefers moves that have won often, the second part moves that have been tried rarely.
    int selectColumn(const Board& board, int parent) {
        const double logVisits = std::log(nodes_[parent].visits + 1.0);
        int best = -1;
        double bestValue = -1;
        const int start = static_cast<int>(random_() % board.cols());  // new moves are tried in random order
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

    // Adds the node of a move and returns its index.
    int addNode(int parent, int col, bool isWon) {
        const int index = static_cast<int>(nodes_.size());
        nodes_[parent].children[col] = index;
        nodes_.emplace_back().isWon = isWon;
        return index;
    }

    // Plays random moves to the end of the game. Returns 1, 0.5 or 0: a win, draw or loss of the player `viewer`.
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
    std::mt19937 random_{1};  // a fixed seed, so that a search with equal numbers of simulations can be repeated
};
