// Evaluation of many positions by a network in several threads.
#pragma once

#include <span>
#include <vector>

#include "game/board.hpp"
#include "game/poll.hpp"
#include "search/network/network.hpp"

namespace fourfall {

struct BatchEvaluation {
    std::vector<float> values;  // for the side to move, -1..1; of a finished game its result
    std::vector<float> logits;  // [board][col]; -infinity for columns that are full or off the board
};

// `cols` is the number of logits per board, at least the columns of the widest board. An exception of `poll` ends the
// evaluation.
BatchEvaluation evaluate_boards(const network::Network& network, std::span<const Board> boards, int cols, int threads,
                                const Poll& poll);

}  // namespace fourfall
