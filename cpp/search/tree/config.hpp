// Configuration of the tree search: every option in which the presets differ.
#pragma once

#include <cstdint>
#include <optional>

namespace fourfall::tree {

// Upper confidence bound of a child: w is its reward sum, n its visits, N its parent's visits, c the exploration
// constant.
enum class Formula : std::uint8_t {
    kUcb1,      // w/n + c sqrt(ln N / n)
    kUcb1Two,   // w/n + c sqrt(2 ln N / n)
    kSmoothed,  // w/(n + 0.001) + c sqrt(2 ln(N + 1.001) / (n + 0.001)): defined for unvisited children too
};

enum class Expansion : std::uint8_t {
    kOne,  // visit one new child per visit, chosen at random; select by the formula when every child has a visit
    kAll,  // select by the formula among all children from the first visit on
};

// Probability of each column where a column is chosen at random.
enum class ColumnWeights : std::uint8_t {
    kUniform,
    kCentre,  // an edge column has half the weight of the centre column
};

// When a position is tested for the end of the game, and how the result is used.
enum class TerminalTest : std::uint8_t {
    kNew,       // at the first visit
    kRevisit,   // at the second visit: the first simulation plays on after the end
    kInverted,  // at the second visit, and used the wrong way round (a bug that seed 004 v3 fixes): a position that has
                // not ended is never expanded, and one that has ended is expanded as if the game continued
};

// Rollout policy.
enum class Rollout : std::uint8_t {
    kUniform,
    kCentre,     // random, weighted towards the centre
    kEndTest,    // uniform; tests whether the chosen move wins before playing it
    kWinBlock,   // win at once, else block at once, else uniform
    kLookahead,  // win at once; two opposing wins lose; block one; a move under an opposing win loses; else uniform
};

// Board representation.
enum class Representation : std::uint8_t {
    kArray,   // rollouts on an array of cells that scans along the lines, as in the first version of most seeds
    kWide,    // bitboards, one layout for all sizes
    kFitted,  // bitboards, the fastest layout that holds the board
    kNarrow,  // bitboards where two words hold the board, the array elsewhere
};

enum class Reward : std::uint8_t {
    kUnit,    // win 1, draw 1/2, loss 0; the opponent's reward is 1 - r
    kSigned,  // win 1, draw 0, loss -1; the opponent's reward is -r
};

// Precision of reward sums.
enum class Sums : std::uint8_t {
    kExact,   // double precision
    kSingle,  // rounded to single precision after every addition (a bug that seed 004 v3 fixes)
};

// Which proven results the backup propagates.
enum class Proofs : std::uint8_t {
    kNone,
    kResults,  // wins, draws and losses
    kLatest,   // with distances, but a loss takes the distance of the move proven last (a bug that seed 004 v12 fixes)
    kDistances,  // with distances: shortest win, longest loss
};

// Final move choice: the move with the highest number of visits, mean reward, sum of rewards, or upper confidence
// bound. The last two are mistakes that the experiments examine.
enum class Choice : std::uint8_t { kVisits, kValue, kRewardSum, kUpperBound };

enum class Storage : std::uint8_t {
    kPool,  // one preallocated array
    kHeap,  // one heap allocation per node
};

// Reclamation of nodes that the game can no longer reach.
enum class Reclaim : std::uint8_t {
    kRestart,      // none; when memory is full, all nodes are dropped
    kReferences,   // reference counting
    kScan,         // a scan for nodes that are not reachable from the root
    kGenerations,  // memory is filled cyclically; when it is full, the oldest generation is dropped
};

struct TreeConfig {
    Formula formula = Formula::kUcb1;
    double exploration = 1.0;
    bool revisit_fresh = false;  // a new child gets its second visit before the next child gets its first

    Expansion expansion = Expansion::kOne;
    ColumnWeights expansion_weights = ColumnWeights::kUniform;
    TerminalTest terminal_test = TerminalTest::kNew;
    bool end_on_win = false;      // a position with an immediate win counts as won and is not expanded
    bool forced_replies = false;  // where the opponent threatens to win, only the block is expanded

    Rollout rollout = Rollout::kUniform;
    Representation representation = Representation::kFitted;

    Reward reward = Reward::kSigned;
    Sums sums = Sums::kExact;
    Proofs proofs = Proofs::kNone;

    bool root_win = false;              // before the search: play an immediate win
    bool root_block = false;            // before the search: block an immediate win of the opponent
    bool root_double_threat = false;    // before the search: make two winning cells unless that lets the opponent win
    bool avoid_gifts = false;           // after the search: exclude moves that let the opponent win at once
    bool avoid_double_threats = false;  // after the search: exclude, if possible, moves that allow a double threat
    Choice choice = Choice::kVisits;

    bool graph = false;  // transpositions share a node
    bool reuse = false;  // the next search keeps the nodes below the moves played
    Storage storage = Storage::kPool;
    Reclaim reclaim = Reclaim::kRestart;
    std::optional<std::uint64_t> capacity;  // maximum number of edges, if less than the memory holds

    std::optional<double> move_time_s;  // default limits, used when the caller sets none
    std::optional<std::uint64_t> simulations;
};

}  // namespace fourfall::tree
