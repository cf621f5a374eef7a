// Owns the root of a search: what it takes over, the rules before and after, the choice and the report. Included by
// search.cpp alone.
#pragma once

#include <algorithm>
#include <cassert>
#include <span>
#include <tuple>

#include "search/tree/search.hpp"

namespace fourfall::tree {

inline constexpr std::uint64_t kClockEvery = 16;  // simulations between two looks at the clock

template <class L>
Analysis Search<L>::run(const Board& board, const Limit& limit, Clock::Time asked, Control& control,
                        const std::function<void(const Analysis&)>& on_snapshot) {
    assert(!board.is_over());
    const Limit own = limit.or_else({config_.move_time_s, config_.simulations, false});
    clock_.start(asked, own.time_s);
    simulations_ = 0;
    depth_ = 0;
    profile_ = Profile();
    // The same position is searched with the same numbers, whatever was searched before.
    random_ = Random(scramble(seed_) ^ board.key());
    enter_root(board);
    reused_ = store_.node(root_).visits;

    const char* stopped_by = nullptr;
    const auto ruled = rule_before(root_position_, stopped_by);
    const auto stop_reason = [&]() -> const char* {
        if (config_.proofs != Proofs::kNone && store_.node(root_).proof != Proof::kNone) return "proof";
        if (own.simulations && simulations_ >= *own.simulations) return "simulations";
        // At least one simulation whatever the time: a move must come out of it.
        if (simulations_ == 0 || simulations_ % kClockEvery != 0) return nullptr;
        if (control.stop.load(std::memory_order_relaxed)) return "stop";
        control.poll();
        return clock_.expired() ? "time" : nullptr;
    };
    while (stopped_by == nullptr && (stopped_by = stop_reason()) == nullptr) {
        simulate();
        if (out_of_memory_) {
            out_of_memory_ = false;
            root_ = store_.make_room();
        }
        if (control.snapshot_wanted.load(std::memory_order_relaxed)) {
            control.snapshot_wanted.store(false, std::memory_order_relaxed);
            on_snapshot(report());
        }
    }

    Analysis analysis = report();
    analysis.stopped_by = stopped_by;
    if (ruled) {
        analysis.move = *ruled;
        analysis.pv = {*ruled};
        const auto column = std::ranges::find(analysis.columns, *ruled, &ColumnAnalysis::column);
        if (analysis.stopped_by == "win") column->score = Score::exact(Proof::kWin, 1);
        analysis.score = column->score;
    }
    clock_.finish();
    return analysis;
}

template <class L>
void Search<L>::enter_root(const Board& board) {
    root_position_ = relaid<L, WideLayout>(board.position());
    root_ply_ = board.ply();
    root_ = kept_root(board);
    if (root_ == kNoNode || store_.node(root_).edges == nullptr) root_ = expand(root_, root_position_, root_ply_);
    if (root_ == kNoNode) {
        store_.clear();
        root_ = expand(kNoNode, root_position_, root_ply_);
    }
    out_of_memory_ = false;
    // A position that ended the search above it may never have been looked into; a move must come out of it now.
    if (Node& root = store_.node(root_); root.opened == 0) root.proof = Proof::kNone;
    store_.set_root(root_, root_position_, root_ply_);
    root_moves_.assign(board.moves().begin(), board.moves().end());
}

// The node that an earlier search left for this position, or kNoNode.
template <class L>
NodeId Search<L>::kept_root(const Board& board) {
    if (!config_.reuse || (config_.graph && config_.reclaim == Reclaim::kRestart && store_.is_half_full())) {
        store_.clear();
        return kNoNode;
    }
    if (config_.graph) return store_.find(root_position_);
    const auto moves = board.moves();
    if (root_ == kNoNode || moves.size() < root_moves_.size() ||
        !std::ranges::equal(root_moves_, moves.first(root_moves_.size())))
        return kNoNode;
    NodeId id = root_;
    for (const int column : moves.subspan(root_moves_.size())) {
        const auto edges = std::span(store_.node(id).edges, store_.node(id).count);
        const auto edge = std::ranges::find(edges, column, &Edge::column);
        if (edge == edges.end() || edge->child == kNoNode) return kNoNode;
        id = edge->child;
    }
    return id;
}

template <class L>
std::optional<int> Search<L>::rule_before(const Position<L>& position, const char*& rule) const {
    const auto answer = [&](const char* name, const Bits& drops) {
        rule = name;
        return L::col_of(drops.lowest_index());
    };
    if (config_.root_win)
        if (const Bits wins = position.wins(masks_); wins.any()) return answer("win", wins);
    if (config_.root_block)
        if (const Bits blocks = position.drops(masks_) & L::completing(position.theirs); blocks.any())
            return answer("block", blocks);
    if (config_.root_double_threat)
        for (Bits drops = position.drops(masks_); drops.any(); drops &= ~drops.lowest()) {
            const Position<L> next = position.play(drops.lowest());
            if (next.wins(masks_).any()) continue;
            if ((next.drops(masks_) & L::completing(next.theirs)).several()) return answer("double threat", drops);
        }
    return std::nullopt;
}

template <class L>
const Edge* Search<L>::choose(const Node& node, const ColumnSet& allowed) const {
    const bool distances = config_.proofs == Proofs::kLatest || config_.proofs == Proofs::kDistances;
    // Greater is better: proven wins, then what is open, then proven losses; inside each the configured choice.
    const auto rank = [&](const Edge& edge) {
        int proof = 0, distance = 0;
        if (config_.proofs != Proofs::kNone && edge.proof != Proof::kNone && edge.proof != Proof::kDraw) {
            proof = static_cast<int>(edge.proof);
            if (distances) distance = edge.proof == Proof::kWin ? -edge.distance : edge.distance;
        }
        const double mean = edge.visits > 0 ? mean_of(edge) : -2, visits = edge.visits;
        return config_.choice == Choice::kVisits ? std::tuple(allowed[edge.column], proof, distance, visits, mean)
                                                 : std::tuple(allowed[edge.column], proof, distance, mean, visits);
    };
    return &*std::ranges::max_element(std::span(node.edges, node.count), {}, rank);
}

template <class L>
Position<L> Search<L>::after(const Position<L>& position, int column) const {
    return position.play(position.drops(masks_) & masks_.column[column]);
}

template <class L>
bool Search<L>::gives_win(int column) const {
    const Position<L> next = after(root_position_, column);
    return !next.is_lost() && next.wins(masks_).any();
}

template <class L>
bool Search<L>::gives_double_threat(int column) const {
    const Position<L> next = after(root_position_, column);
    if (next.is_lost()) return false;
    for (Bits drops = next.drops(masks_); drops.any(); drops &= ~drops.lowest()) {
        const Position<L> reply = next.play(drops.lowest());
        if ((reply.drops(masks_) & L::completing(reply.theirs)).several()) return true;
    }
    return false;
}

// The best move that lets the opponent neither win nor prepare two wins; failing that, one that does not let him
// win; failing that, the first.
template <class L>
const Edge* Search<L>::choose_after_rules(const Node& node) const {
    ColumnSet no_gift, no_threat;
    for (const Edge& edge : std::span(node.edges, node.count)) {
        no_gift[edge.column] = !config_.avoid_gifts || !gives_win(edge.column);
        no_threat[edge.column] = !config_.avoid_double_threats || !gives_double_threat(edge.column);
    }
    if ((no_gift & no_threat).any()) return choose(node, no_gift & no_threat);
    return no_gift.any() ? choose(node, no_gift) : node.edges;
}

template <class L>
double Search<L>::value_of(const Edge& edge) const {
    if (edge.visits == 0) return 0;
    const double mean = mean_of(edge);
    return config_.reward == Reward::kUnit ? 2 * mean - 1 : mean;
}

template <class L>
Score Search<L>::score_of(const Edge& edge) const {
    return edge.proof == Proof::kNone ? Score::estimate(value_of(edge)) : Score::exact(edge.proof, edge.distance);
}

template <class L>
Analysis Search<L>::report() const {
    const Node& root = store_.node(root_);
    Analysis analysis;
    for (Bits drops = root_position_.drops(masks_); drops.any(); drops &= ~drops.lowest()) {
        const int column = L::col_of(drops.lowest_index());
        analysis.columns.push_back({column, 0, Score::estimate(0)});
        for (const Edge& edge : std::span(root.edges, root.count))
            if (edge.column == column) analysis.columns.back() = {column, edge.visits, score_of(edge)};
    }
    const Edge* best = choose_after_rules(root);
    analysis.move = best->column;
    analysis.score = score_of(*best);
    for (const Edge* edge = best; edge != nullptr && analysis.pv.size() < kMaxCells;) {
        analysis.pv.push_back(edge->column);
        const NodeId child = store_.linked(*edge);
        const bool goes_on = child != kNoNode && store_.node(child).opened > 0;
        edge = goes_on ? choose(store_.node(child), ColumnSet().set()) : nullptr;
        if (edge != nullptr && edge->visits == 0) edge = nullptr;
    }
    analysis.simulations = analysis.evaluations = simulations_;
    analysis.depth = depth_;
    analysis.reused_visits = reused_;
    analysis.nodes = store_.nodes();
    analysis.memory_bytes = store_.memory_bytes();
    analysis.seconds = clock_.seconds();
    analysis.profile = profile_;
    return analysis;
}

template <class L>
TreeNode Search<L>::tree(int depth) const {
    if (root_ == kNoNode || !store_.is_alive(root_)) return {-1, 0, Score::estimate(0), {}};
    const Node& root = store_.node(root_);
    double sum = 0;
    for (const Edge& edge : std::span(root.edges, root.count)) sum += edge.visits * value_of(edge);
    const Score score = root.proof != Proof::kNone ? Score::exact(root.proof, root.distance)
                                                   : Score::estimate(root.visits > 0 ? sum / root.visits : 0);
    return report_tree(-1, root.visits, score, root_, depth);
}

template <class L>
TreeNode Search<L>::report_tree(int column, std::uint64_t visits, Score score, NodeId id, int depth) const {
    TreeNode out{column, visits, score, {}};
    if (id == kNoNode || depth == 0) return out;
    const Node& node = store_.node(id);
    for (const Edge& edge : std::span(node.edges, node.count))
        if (edge.visits > 0)
            out.children.push_back(
                report_tree(edge.column, edge.visits, score_of(edge), store_.linked(edge), depth - 1));
    return out;
}

}  // namespace fourfall::tree
