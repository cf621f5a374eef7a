// Interface of the evaluators: value and policy of a position, by rollouts or by a network.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "game/position.hpp"
#include "game/random.hpp"
#include "search/graph/config.hpp"

namespace fourfall::graph {

struct Evaluation {
    float value = 0;                       // -1..1, for the side to move
    std::array<float, kMaxSide> logits{};  // policy before the softmax, by column; all 0 without a policy
    bool is_cached = false;                // whether it was read from the evaluation cache
};

// How often the solver is called in addition to an evaluator, chosen so that the solver takes a fixed share of the
// time.
struct SolverSchedule {
    std::uint32_t first_visits;              // visits of a node before its first probe
    std::uint64_t first_positions;           // budget of that probe in solver positions
    std::uint64_t positions_per_simulation;  // growth of the total budget
};

// Several threads may use one evaluator at the same time, each with its own thread number.
template <class L>
class Evaluator {
public:
    // The side to move has no immediate win and at least one safe move. Only the logits of `safe` moves are used.
    struct Request {
        Position<L> position;
        typename L::Bits safe;
    };
    struct Caller {
        Random& random;
        int thread;
    };

    virtual ~Evaluator() = default;
    virtual void evaluate(std::span<const Request> requests, std::span<Evaluation> results, Caller caller) const = 0;

    // Whether one evaluation takes much longer than the rest of a simulation. The search then reads the clock after
    // every simulation and does not evaluate positions with a single safe move.
    virtual bool is_slow() const { return false; }
    virtual SolverSchedule solver_schedule() const = 0;
    virtual std::uint64_t memory_bytes() const { return 0; }
};

template <class L>
std::shared_ptr<const Evaluator<L>> make_rollout_evaluator(const GraphConfig& config, const Geometry& geometry);

// `cache_bytes` is the size of the evaluation cache.
template <class L>
std::shared_ptr<const Evaluator<L>> make_network_evaluator(const GraphConfig& config, const Geometry& geometry,
                                                           std::uint64_t seed, std::uint64_t cache_bytes);

}  // namespace fourfall::graph
