// Converts the arrays of the strategy interface to a board and searches the move.
#include "programs/player.hpp"

#include <array>
#include <cstdlib>
#include <exception>
#include <span>

#include "game/errors.hpp"
#include "programs/settings.hpp"

namespace fourfall {
namespace {

// Created once, during the first move: the network is decoded and prepared for the processor.
const auto& get_shared_config() {
    static const auto config = settings::config();
    return config;
}

Geometry make_geometry(const ArrayPosition& arrays) {
    const Cell hole = arrays.hole;
    const bool has_hole = hole.row >= 0 && hole.row < arrays.rows && hole.col >= 0 && hole.col < arrays.cols;
    return Geometry(arrays.rows, arrays.cols, has_hole ? std::optional(hole) : std::nullopt);
}

// The stones of the first and of the second player.
using Stones = std::array<std::vector<Cell>, 2>;

// The side to move has as many stones as the opponent (it is the first player) or one less (the second).
Stones collect_stones(const ArrayPosition& arrays, const Geometry& geometry) {
    constexpr int kTheirs = 1, kMine = 2;
    const std::span cells(arrays.board, static_cast<std::size_t>(arrays.rows * arrays.cols));
    int lead = 0;
    for (const int cell : cells) lead += cell == kTheirs ? 1 : cell == kMine ? -1 : 0;
    const std::size_t me = lead == 0 ? 0 : 1;
    Stones stones;
    for (int i = 0; i < static_cast<int>(cells.size()); ++i) {
        const Cell cell{i / geometry.cols(), i % geometry.cols()};
        const int owner = cells[static_cast<std::size_t>(i)];
        if (geometry.hole() == cell || (owner != kMine && owner != kTheirs)) continue;
        stones[owner == kMine ? me : 1 - me].push_back(cell);
    }
    return stones;
}

bool has_stones(const Board& board, const Stones& stones) {
    if (board.ply() != static_cast<int>(stones[0].size() + stones[1].size())) return false;
    for (int player = 0; player < 2; ++player)
        for (const Cell cell : stones[static_cast<std::size_t>(player)])
            if (board.stone_at(cell) != player) return false;
    return true;
}

// The column nearest to the centre that is not full according to `top`.
Cell choose_by_heights(const ArrayPosition& arrays) {
    Cell best = kNoMove;
    for (int col = 0; col < arrays.cols; ++col) {
        const auto from_centre = [&](int column) { return std::abs(2 * column + 1 - arrays.cols); };
        const int row = arrays.top[col] - 1;
        if (row < 0 || row >= arrays.rows || Cell{row, col} == arrays.hole) continue;
        if (best == kNoMove || from_centre(col) < from_centre(best.col)) best = {row, col};
    }
    return best;
}

}  // namespace

Cell ArrayPlayer::choose_move(const ArrayPosition& arrays, Clock::Time start) noexcept {
    try {
        return search(arrays, start);
    } catch (const std::exception&) {
        board_.reset();
        searcher_.reset();
        return choose_by_heights(arrays);
    }
}

Cell ArrayPlayer::search(const ArrayPosition& arrays, Clock::Time start) {
    update_board(arrays);
    if (board_->is_over()) throw IllegalMove("the game is over");
    board_->push(searcher_->run(*board_, {}, start, control_, [](const Analysis&) {}).move);
    return board_->last_cell();
}

void ArrayPlayer::update_board(const ArrayPosition& arrays) {
    const Geometry geometry = make_geometry(arrays);
    const Stones stones = collect_stones(arrays, geometry);
    if (searcher_ && board_ && board_->geometry() == geometry) {
        // A judge may use one library for both sides: then the board has not changed since the last answer.
        if (has_stones(*board_, stones)) return;
        if (board_->is_legal(arrays.last.col)) board_->push(arrays.last.col);
        if (has_stones(*board_, stones)) return;
    }
    board_ = Board::from_stones(geometry, stones[0], stones[1]);
    searcher_.reset();
    searcher_ = make_searcher(get_shared_config(), geometry, settings::kSeed, settings::kMemoryMb << 20);
}

}  // namespace fourfall
