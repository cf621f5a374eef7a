// BoardBatch: checks the columns of a step, distributes the boards among the threads and chooses the layout.
#include "game/board_batch.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "game/errors.hpp"
#include "game/layout_batch.hpp"

namespace fourfall {
namespace {

// Waking a thread takes about 50 us. With these numbers of boards per thread, the work of a thread takes longer.
constexpr int kMinBoardsToStep = 2048;
constexpr int kMinBoardsToWrite = 4096;
constexpr int kMinBoardsToDraw = 16384;

BatchArrays make_arrays(std::size_t count, std::size_t rows, std::size_t cols, PlaneType type) {
    const std::size_t bytes = type == PlaneType::kFloat32 ? sizeof(float) : 1;
    BatchArrays arrays;
    arrays.planes.resize(count * kBatchPlanes * rows * cols * bytes);
    arrays.masks.resize(count * cols);
    arrays.rewards.resize(count);
    arrays.terminated.resize(count);
    arrays.winners.resize(count, -1);
    arrays.turns.resize(count);
    arrays.plies.resize(count);
    return arrays;
}

std::optional<Geometry> find_common_geometry(std::span<const Board> boards) {
    const Geometry& first = boards.front().geometry();
    const bool is_common = std::ranges::all_of(boards, [&](const Board& board) { return board.geometry() == first; });
    return is_common ? std::optional(first) : std::nullopt;
}

std::string name_board(int index) { return "board " + std::to_string(index) + ": "; }

}  // namespace

std::unique_ptr<BoardBatch> BoardBatch::make(const Geometry& geometry, int count, const BatchOptions& options) {
    return with_layout(geometry.rows(), geometry.cols(), [&]<class L>(L) -> std::unique_ptr<BoardBatch> {
        auto batch = std::make_unique<LayoutBatch<L>>(geometry, count, options, BatchStart::kEmpty);
        batch->write_all();
        return batch;
    });
}

std::unique_ptr<BoardBatch> BoardBatch::make_random(int count, const BatchOptions& options) {
    auto batch = std::make_unique<LayoutBatch<WideLayout>>(std::nullopt, count, options, BatchStart::kRandom);
    batch->write_all();
    return batch;
}

std::unique_ptr<BoardBatch> BoardBatch::from_boards(std::span<const Board> boards, const BatchOptions& options) {
    const std::optional<Geometry> geometry = find_common_geometry(boards);
    const int count = static_cast<int>(boards.size());
    const auto make = [&]<class L>(L) -> std::unique_ptr<BoardBatch> {
        auto batch = std::make_unique<LayoutBatch<L>>(geometry, count, options, BatchStart::kGiven);
        for (int i = 0; i < count; ++i) {
            const Board& board = boards[static_cast<std::size_t>(i)];
            batch->require_board(i, board);
            batch->load_board(i, board);
        }
        batch->keep_starts();
        batch->write_all();
        return batch;
    };
    return geometry ? with_layout(geometry->rows(), geometry->cols(), make) : make(WideLayout{});
}

BoardBatch::BoardBatch(std::optional<Geometry> geometry, int count, const BatchOptions& options)
    : count_(count),
      rows_(geometry ? geometry->rows() : kMaxSide),
      cols_(geometry ? geometry->cols() : kMaxSide),
      geometry_(geometry),
      options_(options),
      legal_(static_cast<std::size_t>(count)),
      columns_(static_cast<std::size_t>(count)),
      pool_(options.threads) {
    for (int i = 0; i < options.buffers; ++i)
        arrays_.push_back(make_arrays(static_cast<std::size_t>(count), static_cast<std::size_t>(rows_),
                                      static_cast<std::size_t>(cols_), options.plane_type));
}

UniqueLock BoardBatch::lock() {
    UniqueLock lock(mutex_, kTryToLock);
    if (!lock) throw std::runtime_error("the batch is in use by another thread");
    return lock;
}

template <class Range>
void BoardBatch::run_parallel(int min_boards, Range range) {
    const int parts = std::clamp(count_ / min_boards, 1, options_.threads);
    pool_.run(parts, [&](int part) {
        const std::int64_t count = count_;
        range(static_cast<int>(count * part / parts), static_cast<int>(count * (part + 1) / parts));
    });
}

void BoardBatch::step(std::span<const std::int64_t> columns) {
    const auto guard = lock();
    read_columns(columns);
    current_.store((current() + 1) % arrays_.size(), std::memory_order_relaxed);
    run_parallel(kMinBoardsToStep, [&](int begin, int end) { play_range(begin, end); });
}

void BoardBatch::read_columns(std::span<const std::int64_t> columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto column = static_cast<std::uint64_t>(columns[i]);
        const bool is_legal = column < kMaxSide && ((legal_[i] >> column) & 1U) != 0;
        if (!is_legal && legal_[i] != 0) throw_illegal_move(static_cast<int>(i), columns[i]);
        columns_[i] = static_cast<std::uint8_t>(column);
    }
}

void BoardBatch::throw_illegal_move(int index, std::int64_t column) const {
    const std::string place = name_board(index) + "column " + std::to_string(column);
    const int cols = cols_of(index);
    if (column >= 0 && column < cols) throw IllegalMove(place + " is full");
    throw_off_board(index, std::to_string(column));
}

void BoardBatch::throw_off_board(int index, const std::string& column) const {
    throw IllegalMove(name_board(index) + "column " + column + " is off the board: columns are 0.." +
                      std::to_string(cols_of(index) - 1));
}

void BoardBatch::reset(std::span<const std::uint8_t> mask) {
    const auto guard = lock();
    BatchArrays& arrays = arrays_[current()];
    for (int i = 0; i < count_; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (!mask.empty() && mask[at] == 0) continue;
        start_game(i);
        arrays.rewards[at] = 0;
        arrays.terminated[at] = 0;
        arrays.winners[at] = -1;
    }
    write_all();
}

void BoardBatch::write_all() {
    run_parallel(kMinBoardsToWrite, [&](int begin, int end) { write_range(begin, end); });
}

void BoardBatch::draw_columns(std::span<std::int32_t> columns) {
    const auto guard = lock();
    run_parallel(kMinBoardsToDraw, [&](int begin, int end) { draw_range(begin, end, columns.data()); });
}

Board BoardBatch::board(int index) {
    const auto guard = lock();
    return copy_board(index);
}

void BoardBatch::set_board(int index, const Board& board) {
    const auto guard = lock();
    require_board(index, board);
    load_board(index, board);
    const auto at = static_cast<std::size_t>(index);
    arrays_[current()].rewards[at] = 0;
    arrays_[current()].terminated[at] = 0;
    arrays_[current()].winners[at] = -1;
    write_range(index, index + 1);
}

void BoardBatch::require_board(int index, const Board& board) const {
    if (geometry_ && board.geometry() != *geometry_)
        throw InvalidBoard(name_board(index) + "its geometry is " + board.geometry().notation() +
                           ", but the boards of this batch have " + geometry_->notation());
    if (board.is_over()) throw InvalidBoard(name_board(index) + "the game is over");
}

}  // namespace fourfall
