// Owns how the search asks what positions are worth: a batch in, values and first impressions out.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "game/position.hpp"
#include "game/random.hpp"

namespace fourfall::graph {

struct Evaluation {
    float value = 0;                       // -1..1, for the side to move
    std::array<float, kMaxSide> policy{};  // by column: the logarithm of a move's share; all equal if there is none
    bool is_new = true;                    // whether it was computed for this question
};

// What the solver is given beside this evaluator, in nodes, so that it gets its share of the time: at a node's first
// visits, and earned by a simulation.
struct SolverShare {
    std::uint32_t first_visits;
    std::uint64_t first_nodes;
    std::uint64_t earned_nodes;
};

// Positions come without an immediate win and with at least one safe move; `safe` holds those moves, and only their
// part of the policy is read. One evaluator serves several threads at once, each under a number of its own.
template <class L>
class Evaluator {
public:
    struct Question {
        Position<L> position;
        typename L::Bits safe;
    };
    struct Asker {
        Random& random;
        int thread;
    };

    virtual ~Evaluator() = default;
    virtual void evaluate(std::span<const Question> questions, std::span<Evaluation> answers, Asker asker) const = 0;

    // Whether an answer takes so long that one looks at the clock after each, and spares those about only moves.
    virtual bool is_slow() const { return false; }
    virtual SolverShare solver_share() const = 0;
    virtual std::uint64_t memory_bytes() const { return 0; }
};

}  // namespace fourfall::graph
