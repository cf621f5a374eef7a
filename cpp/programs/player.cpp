#include "programs/player.hpp"

#include <array>
#include <cstdlib>
#include <exception>
#include <span>

#include "game/errors.hpp"
#include "programs/settings.hpp"

namespace fourfall {
namespace {

// Made once, in the time for the first move: a network is read and made ready for the processor.
const auto& config() {
    static const auto chosen = settings::config();
    return chosen;
}

std::size_t cells_of(const Question& question) { return static_cast<std::size_t>(question.rows * question.cols); }

Geometry geometry_of(const Question& question) {
    const Cell hole = question.hole;
    const bool has_hole = hole.row >= 0 && hole.row < question.rows && hole.col >= 0 && hole.col < question.cols;
    return Geometry(question.rows, question.cols, has_hole ? std::optional(hole) : std::nullopt);
}

// The stones of the first and of the second player.
using Stones = std::array<std::vector<Cell>, 2>;

// The side to move has as many stones as the opponent (it is the first player) or one less (the second).
Stones stones_of(const Question& question, const Geometry& geometry) {
    constexpr int kTheirs = 1, kMine = 2;
    const std::span cells(question.board, cells_of(question));
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

// The open column nearest to the centre, by the heights alone.
Cell any_move(const Question& question) {
    Cell best = kNoMove;
    for (int col = 0; col < question.cols; ++col) {
        const auto from_centre = [&](int column) { return std::abs(2 * column + 1 - question.cols); };
        const int row = question.top[col] - 1;
        if (row < 0 || row >= question.rows || Cell{row, col} == question.hole) continue;
        if (best == kNoMove || from_centre(col) < from_centre(best.col)) best = {row, col};
    }
    return best;
}

}  // namespace

Cell Player::answer(const Question& question, Clock::Time asked) noexcept {
    try {
        return think(question, asked);
    } catch (const std::exception&) {
        board_.reset();
        searcher_.reset();
        return any_move(question);
    }
}

Cell Player::think(const Question& question, Clock::Time asked) {
    follow(question);
    if (board_->is_over()) throw IllegalMove("the game is over");
    board_->push(searcher_->run(*board_, {}, asked, control_, [](const Analysis&) {}).move);
    return board_->last_cell();
}

void Player::follow(const Question& question) {
    const Geometry geometry = geometry_of(question);
    const Stones stones = stones_of(question, geometry);
    if (searcher_ && board_ && board_->geometry() == geometry) {
        // One library may play for both sides: then nothing has happened since our last answer.
        if (has_stones(*board_, stones)) return;
        if (board_->is_legal(question.last.col)) board_->push(question.last.col);
        if (has_stones(*board_, stones)) return;
    }
    board_ = Board::from_stones(geometry, stones[0], stones[1]);
    searcher_.reset();
    searcher_ = make_searcher(config(), geometry, settings::kSeed, settings::kMemoryMb << 20);
}

}  // namespace fourfall
