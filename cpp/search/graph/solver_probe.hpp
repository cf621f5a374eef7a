// Calls the exact solver on nodes near the end of the game, within a budget that grows with the simulations.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "platform/mutex.hpp"
#include "search/graph/evaluator.hpp"
#include "search/graph/node.hpp"
#include "search/limits.hpp"
#include "search/solver/alpha_beta.hpp"
#include "search/solver/pairing.hpp"

namespace fourfall::graph {

// A node is probed when its visits reach a threshold, and again whenever they have grown fourfold, each time with four
// times the budget. The root and all other nodes together have equal total budgets.
template <class L>
class SolverProbe {
public:
    SolverProbe(const GraphConfig& config, const Geometry& geometry, const SolverSchedule& schedule,
                std::uint64_t memory_bytes);

    // Prepares for a search that `control` may stop: no budget is used yet.
    void start(const Control& control);
    // Makes a running probe return soon. May be called from any thread.
    void cancel() { is_cancelled_ = true; }
    // Allows probes again after cancel().
    void resume() { is_cancelled_ = false; }

    bool is_near_end(int stones) const { return is_enabled_ && cells_ - stones <= kMaxFreeCells; }

    // Bounds from follow-up play and dead lines, without a search. Neither side may have won.
    ProvenBounds static_bounds(const Position<L>& position) const {
        const auto found = pairing_.bound_result(position);
        ProvenBounds out;
        if (found.lower >= 0) out.lower = found.lower > 0 ? win_at(cells_) : ProvenValue{0};
        if (found.upper <= 0) out.upper = found.upper < 0 ? loss_at(cells_) : ProvenValue{0};
        return out;
    }

    // Whether a node has the visits, and the search the budget, for the next probe.
    bool is_due(const Node<L>& node, bool is_root, std::uint64_t simulations) const {
        if (!is_near_end(node.stones)) return false;
        const int probes = load_relaxed(node.solver_probes);
        if (probes >= kMaxProbes || load_relaxed(node.visits) >> (2 * probes) < schedule_.first_visits) return false;
        const std::uint64_t available =
            schedule_.positions_per_simulation * (simulations + kAdvance) + schedule_.first_positions;
        return load_relaxed(used_[is_root ? 1 : 0]) + budget(probes) <= available;
    }

    // Probes a node that is due and narrows its bounds. At the root, probes each move instead: a result of the position
    // as a whole would not name the move to play. Does nothing if another thread uses the solver or time is up. Returns
    // whether it called the solver. A pause of the clock interrupts a long probe: the next call repeats it with the
    // results in the solver's table.
    bool run(Node<L>& node, bool is_root, std::uint64_t simulations, Clock& clock);

    std::uint64_t memory_bytes() const { return solver_.memory_bytes(); }

private:
    static constexpr int kMaxFreeCells = 44;
    static constexpr int kMaxProbes = 7;                         // the last one takes some seconds
    static constexpr std::uint64_t kAdvance = 64;                // simulations whose budget is available from the start
    static constexpr std::uint64_t kMaxUninterrupted = 1 << 17;  // budget of a probe that no pause interrupts

    std::uint64_t budget(int probes) const { return schedule_.first_positions << (2 * probes); }
    bool is_out_of_time(Clock& clock) { return clock.has_expired() || solver_control_.stop; }
    void probe_position(Node<L>& node, std::uint64_t max_positions, Clock& clock);
    void probe_moves(Node<L>& node, std::uint64_t max_positions, Clock& clock);
    ProvenBounds solve(const Position<L>& position, int stones, ProvenBounds known, std::uint64_t max_positions,
                       Clock& clock, std::uint64_t& used);
    ProvenValue proven_value(int solver_value, int stones) const;

    bool is_enabled_;
    int cells_;
    SolverSchedule schedule_;
    Masks<L> masks_;
    solver::Pairing<L> pairing_;
    Mutex mutex_;  // held during a probe; guards the solver and what follows, except is_cancelled_
    solver::AlphaBeta<L> solver_;
    Control solver_control_;
    const Clock* pausing_clock_ = nullptr;     // of the running probe, if a pause may interrupt it
    std::uint64_t interrupted_positions_ = 0;  // solver positions of the interrupted attempts of a probe
    std::array<std::uint64_t, 2> used_{};      // solver positions in this search: for other nodes, for the root
    std::atomic<bool> is_cancelled_{false};
};

}  // namespace fourfall::graph
