// Calls the exact solver within its budget and converts its values to proven bounds.
#include "search/graph/solver_probe.hpp"

namespace fourfall::graph {

template <class L>
SolverProbe<L>::SolverProbe(const GraphConfig& config, const Geometry& geometry, const SolverSchedule& schedule,
                            std::uint64_t memory_bytes)
    : is_enabled_(config.solver),
      cells_(geometry.cells()),
      schedule_(schedule),
      masks_(geometry),
      pairing_(masks_),
      solver_(geometry, std::make_shared<solver::TableMemory>(memory_bytes, solver::TableMemory::Use::kFixed)) {}

template <class L>
void SolverProbe<L>::start(const Control& control) {
    is_cancelled_ = false;
    used_ = {};
    solver_control_.stop = false;
    interrupted_positions_ = 0;
    solver_control_.poll = [&] {
        const bool is_paused = pausing_clock_ != nullptr && pausing_clock_->should_pause();
        solver_control_.stop = is_paused || control.stop.load() || is_cancelled_.load();
    };
}

template <class L>
bool SolverProbe<L>::run(Node<L>& node, bool is_root, std::uint64_t simulations, Clock& clock) {
    const UniqueLock lock(mutex_, kTryToLock);
    // Another thread may have probed the node since the caller's test.
    if (!lock || !is_due(node, is_root, simulations)) return false;
    const int probes = node.solver_probes;
    pausing_clock_ = budget(probes) > kMaxUninterrupted ? &clock : nullptr;
    solver_control_.poll();
    if (load_relaxed(node.bounds).is_proven() || is_out_of_time(clock)) return false;
    store_relaxed(node.solver_probes, static_cast<std::uint8_t>(probes + 1));
    const auto used = used_;
    if (is_root)
        probe_moves(node, budget(probes), clock);
    else
        probe_position(node, budget(probes), clock);
    if (pausing_clock_ != nullptr && clock.should_pause() && solver_control_.stop) {
        interrupted_positions_ += used_[0] + used_[1] - used[0] - used[1];
        if (interrupted_positions_ < budget(probes)) {
            store_relaxed(node.solver_probes, static_cast<std::uint8_t>(probes));
            store_relaxed(used_[0], used[0]);
            store_relaxed(used_[1], used[1]);
            return true;
        }
    }
    interrupted_positions_ = 0;
    return true;
}

template <class L>
void SolverProbe<L>::probe_position(Node<L>& node, std::uint64_t max_positions, Clock& clock) {
    const ProvenBounds found =
        solve(node.position, node.stones, load_relaxed(node.bounds), max_positions, clock, used_[0]);
    ProvenBounds bounds = load_relaxed(node.bounds);
    bounds.narrow(found);
    store_relaxed(node.bounds, bounds);
    store_relaxed(node.value, clamp_to(bounds, load_relaxed(node.value)));
}

template <class L>
void SolverProbe<L>::probe_moves(Node<L>& node, std::uint64_t max_positions, Clock& clock) {
    for (Edge& edge : node.edges()) {
        if (load_relaxed(edge.bounds).is_proven()) continue;
        const Position<L> next = node.position.play(node.position.drops(masks_) & masks_.column[edge.column]);
        const ProvenBounds found =
            -solve(next, node.stones + 1, -load_relaxed(edge.bounds), max_positions / node.edge_count, clock, used_[1]);
        ProvenBounds bounds = load_relaxed(edge.bounds);
        bounds.narrow(found);
        store_relaxed(edge.bounds, bounds);
        store_relaxed(edge.value, clamp_to(bounds, load_relaxed(edge.value)));
        if (bounds.is_won() || is_out_of_time(clock)) break;
    }
    update(node);
}

// Narrows the bounds of a position: first whether it is lost, then whether it is won. Adds the positions that the
// solver searched to `used`.
template <class L>
ProvenBounds SolverProbe<L>::solve(const Position<L>& position, int stones, ProvenBounds known,
                                   std::uint64_t max_positions, Clock& clock, std::uint64_t& used) {
    solver_.begin(max_positions, clock, solver_control_);
    for (const int alpha : {-1, 0}) {
        if (alpha < 0 ? known.lower >= 0 : known.upper <= 0) continue;
        const int solved = solver_.search(position, stones, alpha, alpha + 1);
        if (solver_.is_stopped()) break;
        known.narrow(solved <= alpha ? ProvenBounds{-kWinBase, proven_value(solved, stones)}
                                     : ProvenBounds{proven_value(solved, stones), kWinBase});
    }
    store_relaxed(used, used + solver_.positions());
    return known;
}

// Converts a value of the solver, which counts the stones that are left, to one that counts the stones on the board.
template <class L>
ProvenValue SolverProbe<L>::proven_value(int solver_value, int stones) const {
    if (solver_value > 0) return win_at(stones + 2 * (solver_.win_value(stones) - solver_value) + 1);
    if (solver_value < 0) return loss_at(stones + 2 * (solver_value - solver_.loss_value(stones)) + 2);
    return 0;
}

#define FOURFALL_INSTANTIATE(L) template class SolverProbe<L>;
FOURFALL_FOR_EACH_LAYOUT(FOURFALL_INSTANTIATE)
#undef FOURFALL_INSTANTIATE

}  // namespace fourfall::graph
