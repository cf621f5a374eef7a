// Configuration of the graph search, as set by presets.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "search/network/network.hpp"

namespace fourfall::graph {

enum class EvaluatorKind : std::uint8_t { kRollouts, kNetwork };
// Arithmetic of the network: the fastest of the processor, or single precision, which is the same on all processors
// with AVX2 and FMA.
enum class Arithmetic : std::uint8_t { kFastest, kFloat32 };

struct GraphConfig {
    double exploration = 2;           // c of the selection formula
    double prior = 1;                 // factor on the logits of the prior; 0 makes all moves equal
    double first_play_urgency = 0.4;  // reduction of the value that unvisited moves are assumed to have
    // Factor of 1 / sqrt(visits) that is subtracted from the value of a move to rank it; 0 ranks moves by visits.
    double lower_confidence_bound = 0;
    EvaluatorKind evaluator = EvaluatorKind::kRollouts;
    int rollouts = 4;                                   // per evaluation; not used with a network
    Arithmetic arithmetic = Arithmetic::kFastest;       // for the caller that loads the network
    std::string weights;                                // name of the weights file; the caller loads it into `network`
    std::shared_ptr<const network::Network> network{};  // required for EvaluatorKind::kNetwork
    bool solver = true;                                 // whether the exact solver is used near the end of the game
    int threads = 1;
    std::optional<double> move_time_s;  // default limits, for callers that set none
    std::optional<std::uint64_t> simulations;
};

}  // namespace fourfall::graph
