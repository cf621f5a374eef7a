// The loop of the tree search and the phases of one simulation: selection, expansion, evaluation, backup.
#include "search/tree/search.hpp"

#include <algorithm>
#include <cassert>

#include "search/tree/backup.inl"
#include "search/tree/evaluation.inl"
#include "search/tree/expansion.inl"
#include "search/tree/report.inl"
#include "search/tree/root.inl"
#include "search/tree/root_choice.inl"
#include "search/tree/selection.inl"

namespace fourfall::tree {

template <class L>
TreeSearch<L>::TreeSearch(const TreeConfig& config, const Geometry& geometry, std::uint64_t seed,
                          std::uint64_t memory_bytes)
    : config_(config),
      masks_(geometry),
      seed_(seed),
      pool_(config, memory_bytes, geometry.cols()),
      expansion_sampler_(config.expansion_weights, geometry.cols()),
      rollout_sampler_(config.rollout == Rollout::kCentre ? ColumnWeights::kCentre : ColumnWeights::kUniform,
                       geometry.cols()),
      uses_array_rollouts_(config.representation == Representation::kArray ||
                           (config.representation == Representation::kNarrow && L::kWords > 2)) {
    path_.reserve(kMaxCells);
}

template <class L>
void TreeSearch<L>::start(const Board& board, const Limit& limit, Clock::Time requested, Control& control) {
    assert(!board.is_over());
    limit_ = limit.or_else({config_.move_time_s, config_.simulations, false});
    control_ = &control;
    clock_.start(requested, limit_.time_s);
    simulations_ = 0;
    depth_ = 0;
    profile_ = Profile();
    // The random numbers depend on seed and position only, not on earlier searches.
    random_ = Random(mix_bits(seed_) ^ board.key());
    set_up_root(board);
    reused_visits_ = pool_.node(root_).visits;
    result_.reset();
    stopped_by_ = nullptr;
    rule_move_ = apply_root_rules(stopped_by_);
}

template <class L>
bool TreeSearch<L>::advance(std::optional<Clock::Time> pause_at, const OnSnapshot& on_snapshot) {
    clock_.resume(pause_at);
    while (stopped_by_ == nullptr && (stopped_by_ = find_stop_reason()) == nullptr) {
        if (clock_.should_pause()) return false;
        simulate();
        if (is_out_of_memory_) {
            is_out_of_memory_ = false;
            root_ = pool_.advance_generation();
        }
        if (control_->snapshot_wanted.load(std::memory_order_relaxed)) {
            control_->snapshot_wanted.store(false, std::memory_order_relaxed);
            on_snapshot(make_report());
        }
    }
    result_ = make_report();
    result_->stopped_by = stopped_by_;
    if (rule_move_) {
        result_->move = *rule_move_;
        result_->pv = {*rule_move_};
        const auto column = std::ranges::find(result_->columns, *rule_move_, &ColumnAnalysis::column);
        if (result_->stopped_by == "win") column->score = Score::exact(Proof::kWin, 1);
        result_->score = column->score;
    }
    clock_.finish();
    return true;
}

template <class L>
const char* TreeSearch<L>::find_stop_reason() {
    constexpr std::uint64_t kCheckEvery = 16;  // simulations between two readings of the clock
    if (config_.proofs != Proofs::kNone && pool_.node(root_).proof != Proof::kNone) return "proof";
    if (limit_.simulations && simulations_ >= *limit_.simulations) return "simulations";
    // At least one simulation runs, whatever the time: the search must return a move.
    if (simulations_ == 0 || simulations_ % kCheckEvery != 0) return nullptr;
    if (control_->stop.load(std::memory_order_relaxed)) return "stop";
    control_->poll();
    return clock_.has_expired() ? "time" : nullptr;
}

// Runs one simulation: descends to a position that is new or proven, evaluates it, and backs the value up.
template <class L>
void TreeSearch<L>::simulate() {
    profile_.begin(simulations_++);
    path_.clear();
    Position<L> position = root_position_;
    NodeId id = root_;
    for (int ply = root_ply_ + 1;; ++ply) {
        Edge& edge = select(pool_.node(id));
        path_.push_back({id, &edge});
        position = play_column(position, edge.column);
        profile_.end(Phase::kSelection);
        const auto value = config_.graph ? follow_in_graph(edge, position, ply) : follow_in_tree(edge, position, ply);
        if (value) {
            depth_ = std::max(depth_, ply - root_ply_);
            config_.graph ? back_up_graph() : back_up_tree(*value);
            profile_.end(Phase::kBackup);
            return;
        }
        id = edge.child;
    }
}

std::unique_ptr<Searcher> make_searcher(const TreeConfig& config, const Geometry& geometry, std::uint64_t seed,
                                        std::uint64_t memory_bytes) {
    const auto make = [&]<class L>(L) -> std::unique_ptr<Searcher> {
        return std::make_unique<TreeSearch<L>>(config, geometry, seed, memory_bytes);
    };
    if (config.representation == Representation::kWide) return make(WideLayout{});
    return with_layout(geometry.rows(), geometry.cols(), make);
}

}  // namespace fourfall::tree
