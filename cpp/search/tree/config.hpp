// Owns every choice that makes one tree search different from another; a preset is a value of Config.
#pragma once

#include <cstdint>
#include <optional>

namespace fourfall::tree {

// w the reward sum of a child, n its visits, N its parent's visits, c the exploration constant.
enum class Formula : std::uint8_t {
    kUcb1,      // w/n + c sqrt(ln N / n)
    kUcb1Two,   // w/n + c sqrt(2 ln N / n)
    kSmoothed,  // w/(n + 0.001) + c sqrt(2 ln(N + 1.001) / (n + 0.001)): defined for unvisited children too
};

enum class Expansion : std::uint8_t {
    kOne,  // open one child a visit, drawn at random, and select only when all are open
    kAll,  // create all children at once and select among them from the first visit on
};

// How likely each column is where chance decides.
enum class Weights : std::uint8_t {
    kUniform,
    kCentre,  // the edge half as often as the centre
};

// When a position is tested for the end of the game.
enum class TerminalTest : std::uint8_t {
    kNew,      // when it enters the tree
    kRevisit,  // one visit late: the first simulation plays on over the end (the mistake that seed 004 v3 corrects)
};

enum class Rollout : std::uint8_t {
    kUniform,
    kCentre,     // uniform, weighted towards the centre
    kEndTest,    // uniform; a drawn move is tested for ending the game before it is played
    kWinBlock,   // win at once, else block at once, else uniform
    kLookahead,  // win at once; two opposing wins lose; block one; a move under an opposing win loses; else uniform
};

enum class Representation : std::uint8_t {
    kArray,   // rollouts on an array of cells with a walk along the lines, the way most seeds began
    kWide,    // bits, one layout for all sizes
    kFitted,  // bits, the fastest layout that holds the board
    kNarrow,  // bits where two words hold the board, the array elsewhere
};

enum class Reward : std::uint8_t {
    kUnit,    // win 1, draw 1/2, loss 0; the other side sees 1 - r
    kSigned,  // win 1, draw 0, loss -1; the other side sees -r
};

enum class Sums : std::uint8_t {
    kExact,
    kSingle,  // rounded to single precision after every addition (the mistake that seed 004 v3 corrects)
};

enum class Proofs : std::uint8_t {
    kNone,
    kResults,    // won, drawn and lost positions are passed up the tree
    kLatest,     // with distances, but a loss as long as the move proven last (the mistake seed 004 v12 corrects)
    kDistances,  // with distances: win soonest, lose latest
};

enum class Choice : std::uint8_t { kVisits, kValue };

enum class Storage : std::uint8_t {
    kPool,  // one preallocated array
    kHeap,  // every node allocated by itself
};

// What happens to positions in memory that the game has left behind.
enum class Reclaim : std::uint8_t {
    kRestart,      // nothing; when memory is full everything is dropped
    kReferences,   // a position goes when nothing refers to it any more
    kScan,         // a position goes when it cannot be reached from the board any more
    kGenerations,  // memory is used like a tape; when it is full its oldest part goes
};

struct Config {
    Formula formula = Formula::kUcb1;
    double exploration = 1.0;
    bool revisit_fresh = false;  // visit a new child once more before the next one is opened

    Expansion expansion = Expansion::kOne;
    Weights expansion_weights = Weights::kUniform;
    TerminalTest terminal_test = TerminalTest::kNew;
    bool end_on_win = false;      // a position with a win at hand counts as won and is not expanded
    bool forced_replies = false;  // where the opponent threatens to win only the block is expanded

    Rollout rollout = Rollout::kUniform;
    Representation representation = Representation::kFitted;

    Reward reward = Reward::kSigned;
    Sums sums = Sums::kExact;
    Proofs proofs = Proofs::kNone;

    bool root_win = false;              // before the search: win at once
    bool root_block = false;            // before the search: block at once
    bool root_double_threat = false;    // before the search: make two winning cells unless that lets the opponent win
    bool avoid_gifts = false;           // after the search: no move that lets the opponent win at once
    bool avoid_double_threats = false;  // after the search: if possible no move that lets him make two winning cells
    Choice choice = Choice::kVisits;

    bool graph = false;  // transpositions share a node
    bool reuse = false;  // what lies below the played moves is kept for the next search
    Storage storage = Storage::kPool;
    Reclaim reclaim = Reclaim::kRestart;
    std::optional<std::uint64_t> capacity;  // children in memory at most, where that is less than the budget holds

    std::optional<double> move_time_s;  // the preset's own limits, where the caller gives none
    std::optional<std::uint64_t> simulations;
};

}  // namespace fourfall::tree
