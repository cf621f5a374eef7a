// BoardBatch: many games that are stepped at once, with their state in arrays for learning.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "game/aligned.hpp"
#include "game/board.hpp"
#include "game/thread_pool.hpp"
#include "platform/mutex.hpp"

namespace fourfall {

enum class PlaneType : std::uint8_t { kFloat32, kUint8 };

struct BatchOptions {
    bool auto_reset = true;  // a game that ends is replaced by a new one in the same step
    PlaneType plane_type = PlaneType::kFloat32;
    int threads = 1;  // 1..kMaxBatchThreads
    int buffers = 1;  // sets of arrays, used in turn, at least 1
    std::uint64_t seed = 0;
};

inline constexpr int kMaxBatchThreads = 64;
inline constexpr int kBatchPlanes = 4;  // own stones, opposing stones, landing cells, blocked cells

// The state of all boards after a step. All arrays are written completely by every step.
struct BatchArrays {
    template <class Value>
    using Array = std::vector<Value, CacheAlignedAllocator<Value>>;

    Bytes planes;                    // [board][plane][row][col], floats or bytes
    Array<std::uint8_t> masks;       // [board][col]: 1 for legal columns; all 0 if the game is over
    Array<float> rewards;            // of the player who moved: 1 for a win, otherwise 0
    Array<std::uint8_t> terminated;  // 1 if the game ended in this step, or is over
    Array<std::int8_t> winners;      // of the game that ended: 0, 1; -1 for a draw and for games that go on
    Array<std::int8_t> turns;        // player to move: 0 or 1
    Array<std::int32_t> plies;       // number of stones
};

class BoardBatch {
public:
    // Empty boards of one geometry.
    static std::unique_ptr<BoardBatch> make(const Geometry& geometry, int count, const BatchOptions& options);
    // Empty boards of the official distribution (Board::random), a new one for each game.
    static std::unique_ptr<BoardBatch> make_random(int count, const BatchOptions& options);
    // Copies of boards, to which each reset returns. Throws InvalidBoard if one is over.
    static std::unique_ptr<BoardBatch> from_boards(std::span<const Board> boards, const BatchOptions& options);

    virtual ~BoardBatch() = default;
    BoardBatch(const BoardBatch&) = delete;
    BoardBatch& operator=(const BoardBatch&) = delete;

    int count() const { return count_; }
    // Size of the planes. Boards of several geometries are in the top-left corner of 12x12 planes.
    int rows() const { return rows_; }
    int cols() const { return cols_; }
    // The geometry of all boards; nothing if they differ.
    const std::optional<Geometry>& geometry() const { return geometry_; }
    const BatchOptions& options() const { return options_; }

    // The sets of arrays, and the one that is current.
    std::vector<BatchArrays>& arrays() { return arrays_; }
    std::size_t current() const { return current_.load(std::memory_order_relaxed); }

    // Plays one column on each board and writes the next set of arrays. Columns of games that are over are ignored.
    // Throws IllegalMove, which names the board, and changes nothing if a column is not legal.
    void step(std::span<const std::int64_t> columns);
    // Throws IllegalMove for a column, given as text, that is too large or too small for step().
    [[noreturn]] void throw_off_board(int index, const std::string& column) const;
    // Starts new games on all boards, or on those with a mask of 1, and writes the current set of arrays.
    void reset(std::span<const std::uint8_t> mask = {});
    // Draws a legal column for each board, all equally likely; 0 for games that are over.
    void draw_columns(std::span<std::int32_t> columns);
    // Returns a copy of a board with its history.
    Board board(int index);
    // Replaces a board. Throws InvalidBoard if its geometry is not that of the batch or its game is over.
    void set_board(int index, const Board& board);

protected:
    BoardBatch(std::optional<Geometry> geometry, int count, const BatchOptions& options);

    // Boards begin..end-1, in one thread of several.
    virtual void play_range(int begin, int end) = 0;
    virtual void write_range(int begin, int end) = 0;
    virtual void draw_range(int begin, int end, std::int32_t* columns) = 0;
    virtual int cols_of(int index) const = 0;
    virtual void start_game(int index) = 0;
    virtual void load_board(int index, const Board& board) = 0;
    virtual Board copy_board(int index) const = 0;

    // Writes the current set of arrays.
    void write_all();
    // Throws InvalidBoard if a board does not fit into this batch or is over.
    void require_board(int index, const Board& board) const;

    int count_, rows_, cols_;
    std::optional<Geometry> geometry_;
    BatchOptions options_;
    std::vector<BatchArrays> arrays_;
    std::atomic<std::size_t> current_{0};
    std::vector<std::uint16_t> legal_;   // legal columns of each board as bits; 0 if its game is over
    std::vector<std::uint8_t> columns_;  // of the current step

private:
    UniqueLock lock();
    void read_columns(std::span<const std::int64_t> columns);
    [[noreturn]] void throw_illegal_move(int index, std::int64_t column) const;
    // Divides the boards among as many threads as get at least `min_boards` each.
    template <class Range>
    void run_parallel(int min_boards, Range range);

    Mutex mutex_;  // held while the boards or the arrays are in use
    ThreadPool pool_;
};

}  // namespace fourfall
