// Owns the choices of the graph search that a preset may set.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "search/network/network.hpp"

namespace fourfall::graph {

enum class EvaluatorKind : std::uint8_t { kRollouts, kNetwork };

struct Config {
    double exploration = 2;           // c of the selection rule
    double prior = 1;                 // how much the first impression of a move counts; 0 treats all moves alike
    double first_play_urgency = 0.4;  // how far below its node an unvisited move is put
    EvaluatorKind evaluator = EvaluatorKind::kRollouts;
    int rollouts = 4;                                   // games that estimate a position, where no network does
    std::string weights;                                // the network's file, for whoever loads it
    std::shared_ptr<const network::Network> network{};  // must be there if it is the evaluator
    bool solver = true;                                 // whether solver and follow-up bounds are asked near the end
    int threads = 1;
    std::optional<double> move_time_s;  // where the caller sets no limit
    std::optional<std::uint64_t> simulations;
};

}  // namespace fourfall::graph
