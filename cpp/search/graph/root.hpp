// Owns the root of the graph search: entering it, when to stop, the threads, the choice and the report. Included by
// search.cpp alone.
#pragma once

#include <algorithm>
#include <cassert>
#include <stop_token>
#include <thread>
#include <tuple>

#include "search/graph/search.hpp"

namespace fourfall::graph {

template <class L>
Analysis Search<L>::run(const Board& board, const Limit& limit, Clock::Time asked, Control& control,
                        const OnSnapshot& on_snapshot) {
    assert(!board.is_over());
    const Limit own = limit.or_else({config_.move_time_s, config_.simulations, false});
    for (Clock& clock : clocks_) clock.start(asked, own.time_s);
    solver_control_.stop = false;
    solver_control_.poll = [&] { solver_control_.stop = control.stop.load() || ending_.load(); };
    simulations_ = 0;
    spent_ = {};
    std::vector<Worker> workers;
    // The same position is searched with the same numbers, whatever was searched before.
    for (std::size_t i = 0; i < clocks_.size(); ++i)
        workers.push_back({Random(scramble(seed_ + i) ^ board.key()), &clocks_[i], static_cast<int>(i)});
    enter_root(board, workers[0]);
    const char* stopped_by = search(own, control, workers, on_snapshot);
    Analysis analysis = report(workers);
    analysis.stopped_by = stopped_by;
    if (config_.solver && !own.stop_early && analysis.score.proof() == Proof::kLoss)
        play_on(board, own, asked, control, on_snapshot, analysis);
    for (Clock& clock : clocks_) clock.finish();
    return analysis;
}

// A root without a node is decided by the next stone or the one after it.
template <class L>
void Search<L>::enter_root(const Board& board, Worker& worker) {
    root_position_ = relaid<L, WideLayout>(board.position());
    root_stones_ = board.ply();
    store_.set_root(root_position_, root_stones_);
    root_ = kNoNode;
    reused_ = 0;
    if (root_position_.wins(masks_).any() || root_position_.safe(masks_).none()) return;
    root_ = store_.find(root_position_);
    if (root_ != kNoNode) {
        Node<L>& root = store_.node(root_);
        reused_ = root.visits;
        // A result that the solver found for the position as a whole names no move.
        root.bounds = {};
        root.probes = 0;
        refresh(root);
        return;
    }
    float value = 0;
    root_ = expand(worker, root_position_, root_stones_, value);
    // The hand did not find room at once: begin anew.
    if (root_ == kNoNode) {
        store_.clear();
        root_ = expand(worker, root_position_, root_stones_, value);
    }
}

// Simulates until there is a reason to stop, and returns it. The calling thread keeps the time and answers whoever
// watches; the others only simulate.
template <class L>
const char* Search<L>::search(const Limit& limit, Control& control, std::vector<Worker>& workers,
                              const OnSnapshot& on_snapshot) {
    const bool slow = evaluator_->is_slow();
    const std::uint64_t clock_every = slow ? 1 : 8, decided_every = slow ? 32 : 256;  // simulations
    if (root_ == kNoNode) return "proof";
    const auto is_full = [&] {
        return limit.simulations && simulations_.load(std::memory_order_relaxed) >= *limit.simulations;
    };
    const auto is_proven = [&] { return shared(store_.node(root_).bounds).is_settled(); };
    const auto once = [&](Worker& worker) {
        simulate(worker);
        simulations_.fetch_add(1, std::memory_order_relaxed);
    };
    // Leaving this function, in whatever way, calls them out of the solver, stops and joins them.
    std::vector<std::jthread> helpers;
    ending_ = false;
    const struct Ending {
        std::atomic<bool>& flag;
        ~Ending() { flag = true; }
    } ending{ending_};
    for (std::size_t i = 1; i < workers.size(); ++i)
        helpers.emplace_back([&, &worker = workers[i]](const std::stop_token& stop) {
            while (!stop.stop_requested() && !is_full() && !is_proven()) once(worker);
        });
    std::uint64_t turns = 0;
    const auto stop_reason = [&]() -> const char* {
        if (is_proven()) return "proof";
        if (is_full()) return "simulations";
        // The solver may have taken the rest of the time.
        if (turns++ % clock_every != 0 && !workers[0].probed) return nullptr;
        if (control.stop.load(std::memory_order_relaxed)) return "stop";
        control.poll();
        if (clocks_[0].expired()) return "time";
        // Near the end a proof may still change everything.
        const bool may_end = limit.stop_early && limit.time_s && !is_near_the_end(root_stones_);
        return may_end && turns % decided_every == 1 && is_decided(*limit.time_s) ? "early stop" : nullptr;
    };
    const char* reason;
    while ((reason = stop_reason()) == nullptr) {
        once(workers[0]);
        if (control.snapshot_wanted.load(std::memory_order_relaxed)) {
            control.snapshot_wanted.store(false, std::memory_order_relaxed);
            on_snapshot(report(workers));
        }
    }
    return reason;
}

// Whether the simulations for which there is time could not make another move the most visited one.
template <class L>
bool Search<L>::is_decided(double time_s) const {
    const std::uint64_t least = evaluator_->is_slow() ? 200 : 2000;  // an opinion is wanted even of an only move
    const std::uint64_t done = simulations_.load(std::memory_order_relaxed);
    const double seconds = clocks_[0].seconds();
    if (done < least || seconds <= 0) return false;
    const Node<L>& root = store_.node(root_);
    const Edge* best = choose(root);
    std::uint32_t second = 0;
    bool has_choice = false;
    for (const Edge& edge : root.edges()) {
        if (&edge == best || shared(edge.bounds).is_lost()) continue;
        has_choice = true;
        second = std::max(second, shared(edge.visits));
    }
    if (!has_choice) return true;
    const double to_come = static_cast<double>(done) / seconds * (time_s - seconds);
    return static_cast<double>(shared(best->visits)) > second + to_come;
}

// Whoever has lost in theory plays for what the opponent may miss. A search that knows all moves to lose cannot tell
// them apart, so the rest of the time goes to one without a solver, which sees short losses only and still hopes.
template <class L>
void Search<L>::play_on(const Board& board, const Limit& limit, Clock::Time asked, Control& control,
                        const OnSnapshot& on_snapshot, Analysis& analysis) {
    constexpr int kFar = 8;  // plies: a nearer end is hardly missed
    if (analysis.score.distance() < kFar) return;
    if (hope_ == nullptr) {
        Config config = config_;
        config.solver = false;
        hope_ = std::make_unique<Search>(config, board.geometry(), seed_, memory_bytes_ / 8, evaluator_);
    }
    Limit rest = limit;
    if (rest.simulations) *rest.simulations -= std::min(*rest.simulations, analysis.simulations);
    const Analysis hoped = hope_->run(board, rest, asked, control, [&](const Analysis&) { on_snapshot(analysis); });
    analysis.move = hoped.move;
    analysis.pv = hoped.pv;
    analysis.score = std::ranges::find(analysis.columns, analysis.move, &ColumnAnalysis::column)->score;
    analysis.simulations += hoped.simulations;
    analysis.evaluations += hoped.evaluations;
    analysis.seconds = clocks_[0].seconds();
}

// The quickest win that is assured; else the most visited move that may still win, unless a draw is assured and the
// move promises little more; else the loss that can take longest.
template <class L>
const Edge* Search<L>::choose(const Node<L>& node) const {
    constexpr float kWorthTheRisk = 0.1F;
    const Bounds known = shared(node.bounds);
    const auto best_by = [&](const auto& rank) { return &*std::ranges::max_element(node.edges(), {}, rank); };
    const Edge* surest = best_by([](const Edge& edge) {
        const Bounds bounds = shared(edge.bounds);
        return std::tuple(bounds.lower, bounds.upper, shared(edge.visits));
    });
    if (shared(surest->bounds).is_won()) return surest;
    if (known.is_lost())
        return best_by([](const Edge& edge) { return std::tuple(shared(edge.bounds).upper, shared(edge.visits)); });
    const Value assured = shared(surest->bounds).lower;
    const Edge* hope = best_by([&](const Edge& edge) {
        const Bounds bounds = shared(edge.bounds);
        return std::tuple(!bounds.is_lost() && bounds.upper > assured, shared(edge.visits), edge.prior);
    });
    const bool may_win = shared(hope->bounds).upper > std::max<Value>(assured, 0);
    return assured >= 0 && !(may_win && shared(hope->value) > kWorthTheRisk) ? surest : hope;
}

template <class L>
Analysis Search<L>::report(const std::vector<Worker>& workers) const {
    Analysis analysis;
    for (Bits drops = root_position_.drops(masks_); drops.any(); drops &= ~drops.lowest())
        analysis.columns.push_back(report_column(drops.lowest()));
    if (root_ != kNoNode) {
        analysis.move = choose(store_.node(root_))->column;
    } else {
        // A win, or one of the opponent's wins to stand in the way of, or whatever is left.
        const Bits drops = root_position_.drops(masks_), wins = root_position_.wins(masks_);
        const Bits blocks = drops & L::completing(root_position_.theirs);
        analysis.move = L::col_of((wins.any() ? wins : blocks.any() ? blocks : drops).lowest_index());
    }
    analysis.score = std::ranges::find(analysis.columns, analysis.move, &ColumnAnalysis::column)->score;
    add_line(analysis);
    analysis.simulations = simulations_.load(std::memory_order_relaxed);
    analysis.reused_visits = reused_;
    {
        const std::lock_guard lock(store_mutex_);
        analysis.nodes = store_.nodes();
        analysis.memory_bytes = store_.memory_bytes() + solver_.memory_bytes() + evaluator_->memory_bytes();
    }
    analysis.seconds = clocks_[0].seconds();
    analysis.profile = workers[0].profile;
    for (const Worker& worker : workers) {
        analysis.evaluations += shared(worker.evaluations);
        analysis.depth = std::max(analysis.depth, shared(worker.depth));
    }
    return analysis;
}

template <class L>
ColumnAnalysis Search<L>::report_column(const Bits& drop) const {
    const int column = L::col_of(drop.lowest_index());
    if ((drop & root_position_.wins(masks_)).any()) return {column, 0, Score::exact(Proof::kWin, 1)};
    if (root_ != kNoNode) {
        const Node<L>& root = store_.node(root_);
        for (const Edge& edge : root.edges())
            if (edge.column == column) {
                const std::uint32_t visits = shared(edge.visits);
                const float value = visits > 0 ? shared(edge.value) : shared(root.value);
                return {column, visits, score_of(shared(edge.bounds), value, root_stones_, cells_)};
            }
    }
    // A stone that does not win may still be the last one, or leave the opponent without a win.
    const Position<L> next = root_position_.play(drop);
    if (next.wins(masks_).any()) return {column, 0, Score::exact(Proof::kLoss, 2)};
    return {column, 0, root_stones_ + 1 == cells_ ? Score::exact(Proof::kDraw, 1) : Score::estimate(0)};
}

// The best moves as far as they were searched. Where the result is known the last few are plain: wins are taken and
// threats are stopped.
template <class L>
void Search<L>::add_line(Analysis& analysis) const {
    Position<L> position = root_position_;
    const auto add = [&](int column) {
        analysis.pv.push_back(column);
        position = position.play(position.drops(masks_) & masks_.column[column]);
    };
    add(analysis.move);
    for (const Edge* edge = root_ == kNoNode ? nullptr : choose(store_.node(root_)); edge != nullptr;) {
        const NodeId id = std::atomic_ref(const_cast<NodeId&>(edge->child)).load(std::memory_order_acquire);
        const bool goes_on = id != kNoNode && shared(store_.node(id).visits) > 0;
        edge = goes_on ? choose(store_.node(id)) : nullptr;
        if (edge != nullptr) add(edge->column);
    }
    while (analysis.score.is_exact() && !position.is_lost()) {
        const Bits drops = position.drops(masks_);
        const Bits wins = drops & L::completing(position.mine), blocks = drops & L::completing(position.theirs);
        if ((wins | blocks).none()) break;
        add(L::col_of((wins.any() ? wins : blocks).lowest_index()));
    }
}

template <class L>
TreeNode Search<L>::tree(int depth) const {
    if (root_ == kNoNode) return {-1, 0, Score::estimate(0), {}};
    const Node<L>& root = store_.node(root_);
    return report_tree(-1, root.visits, score_of(root.bounds, root.value, root_stones_, cells_), root_, depth);
}

template <class L>
TreeNode Search<L>::report_tree(int column, std::uint64_t visits, Score score, NodeId id, int depth) const {
    TreeNode out{column, visits, score, {}};
    if (id == kNoNode || depth == 0) return out;
    const Node<L>& node = store_.node(id);
    for (const Edge& edge : node.edges())
        if (edge.visits > 0)
            out.children.push_back(report_tree(edge.column, edge.visits,
                                               score_of(edge.bounds, edge.value, node.stones, cells_), edge.child,
                                               depth - 1));
    return out;
}

}  // namespace fourfall::graph
