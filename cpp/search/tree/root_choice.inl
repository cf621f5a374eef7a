// Choice of the move at the root: rules before the search, rules after it, and the ranking of moves. Part of
// search.cpp.
#include <algorithm>
#include <limits>
#include <span>
#include <tuple>

#include "search/tree/search.hpp"

namespace fourfall::tree {

// Returns the column that a rule plays without a search and sets `rule` to the name of the rule.
template <class L>
std::optional<int> TreeSearch<L>::apply_root_rules(const char*& rule) const {
    const Position<L>& position = root_position_;
    const auto play_lowest = [&](const char* name, const Bits& drops) {
        rule = name;
        return L::col_of(drops.lowest_index());
    };
    if (config_.root_win)
        if (const Bits wins = position.winning_drops(masks_); wins.any()) return play_lowest("win", wins);
    if (config_.root_block)
        if (const Bits blocks = position.drops(masks_) & L::completing_cells(position.theirs); blocks.any())
            return play_lowest("block", blocks);
    if (config_.root_double_threat)
        for (Bits drops = position.drops(masks_); drops.any(); drops &= ~drops.lowest()) {
            const Position<L> next = position.play(drops.lowest());
            if (next.winning_drops(masks_).any()) continue;
            if ((next.drops(masks_) & L::completing_cells(next.theirs)).has_several())
                return play_lowest("double threat", drops);
        }
    return std::nullopt;
}

// Applies the rules after the search: chooses among the moves that neither let the opponent win at once nor allow a
// double threat. If there is none, a double threat is allowed; if every move lets the opponent win, the first is
// played.
template <class L>
const Edge* TreeSearch<L>::choose_move(const Node& root) const {
    ColumnSet no_win, no_threat;
    for (const Edge& edge : std::span(root.edges, root.edge_count)) {
        no_win[edge.column] = !config_.avoid_gifts || !allows_win(edge.column);
        no_threat[edge.column] = !config_.avoid_double_threats || !allows_double_threat(edge.column);
    }
    if ((no_win & no_threat).any()) return choose_among(root, no_win & no_threat);
    return no_win.any() ? choose_among(root, no_win) : root.edges;
}

// Ranks allowed moves first; then proven wins, unproven moves and proven losses in this order; then by
// TreeConfig::choice.
template <class L>
const Edge* TreeSearch<L>::choose_among(const Node& node, const ColumnSet& allowed) const {
    const bool has_distances = config_.proofs == Proofs::kLatest || config_.proofs == Proofs::kDistances;
    const double numerator = bound_numerator(node);
    const auto rank = [&](const Edge& edge) {
        int proof = 0, distance = 0;
        if (config_.proofs != Proofs::kNone && edge.proof != Proof::kNone && edge.proof != Proof::kDraw) {
            proof = static_cast<int>(edge.proof);
            if (has_distances) distance = edge.proof == Proof::kWin ? -edge.distance : edge.distance;
        }
        const double visits = edge.visits;
        const double mean = edge.visits > 0 ? mean_reward(edge) : -std::numeric_limits<double>::infinity();
        if (config_.choice == Choice::kVisits) return std::tuple(allowed[edge.column], proof, distance, visits, mean);
        double score = mean;
        if (config_.choice == Choice::kRewardSum && edge.visits > 0) score = mean * visits;
        if (config_.choice == Choice::kUpperBound && edge.visits > 0) score = upper_bound(edge, numerator);
        return std::tuple(allowed[edge.column], proof, distance, score, visits);
    };
    return &*std::ranges::max_element(std::span(node.edges, node.edge_count), {}, rank);
}

template <class L>
Position<L> TreeSearch<L>::play_column(const Position<L>& position, int column) const {
    return position.play(position.drops(masks_) & masks_.column[column]);
}

// Whether the opponent can win at once after this move.
template <class L>
bool TreeSearch<L>::allows_win(int column) const {
    const Position<L> next = play_column(root_position_, column);
    return !next.is_lost() && next.winning_drops(masks_).any();
}

// Whether the opponent can make two winning cells at once after this move.
template <class L>
bool TreeSearch<L>::allows_double_threat(int column) const {
    const Position<L> next = play_column(root_position_, column);
    if (next.is_lost()) return false;
    for (Bits drops = next.drops(masks_); drops.any(); drops &= ~drops.lowest()) {
        const Position<L> reply = next.play(drops.lowest());
        if ((reply.drops(masks_) & L::completing_cells(reply.theirs)).has_several()) return true;
    }
    return false;
}

}  // namespace fourfall::tree
