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
Analysis TreeSearch<L>::run(const Board& board, const Limit& limit, Clock::Time requested, Control& control,
                            const std::function<void(const Analysis&)>& on_snapshot) {
    assert(!board.is_over());
    const Limit own = limit.or_else({config_.move_time_s, config_.simulations, false});
    clock_.start(requested, own.time_s);
    simulations_ = 0;
    depth_ = 0;
    profile_ = Profile();
    // The random numbers depend on seed and position only, not on earlier searches.
    random_ = Random(mix_bits(seed_) ^ board.key());
    set_up_root(board);
    reused_visits_ = pool_.node(root_).visits;

    const char* stopped_by = nullptr;
    const std::optional<int> rule_move = apply_root_rules(stopped_by);
    while (stopped_by == nullptr && (stopped_by = find_stop_reason(own, control)) == nullptr) {
        simulate();
        if (is_out_of_memory_) {
            is_out_of_memory_ = false;
            root_ = pool_.advance_generation();
        }
        if (control.snapshot_wanted.load(std::memory_order_relaxed)) {
            control.snapshot_wanted.store(false, std::memory_order_relaxed);
            on_snapshot(make_report());
        }
    }

    Analysis analysis = make_report();
    analysis.stopped_by = stopped_by;
    if (rule_move) {
        analysis.move = *rule_move;
        analysis.pv = {*rule_move};
        const auto column = std::ranges::find(analysis.columns, *rule_move, &ColumnAnalysis::column);
        if (analysis.stopped_by == "win") column->score = Score::exact(Proof::kWin, 1);
        analysis.score = column->score;
    }
    clock_.finish();
    return analysis;
}

template <class L>
const char* TreeSearch<L>::find_stop_reason(const Limit& limit, Control& control) {
    constexpr std::uint64_t kCheckEvery = 16;  // simulations between two readings of the clock
    if (config_.proofs != Proofs::kNone && pool_.node(root_).proof != Proof::kNone) return "proof";
    if (limit.simulations && simulations_ >= *limit.simulations) return "simulations";
    // At least one simulation runs, whatever the time: the search must return a move.
    if (simulations_ == 0 || simulations_ % kCheckEvery != 0) return nullptr;
    if (control.stop.load(std::memory_order_relaxed)) return "stop";
    control.poll();
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
