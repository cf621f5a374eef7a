#include "programs/player.hpp"

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

// Whose stones are whose follows from their number: whoever is asked has as many as the opponent or one less.
std::vector<Owner> owners_of(const Question& question, const Geometry& geometry) {
    constexpr int kTheirs = 1, kMine = 2;
    const std::span cells(question.board, cells_of(question));
    int lead = 0;
    for (const int cell : cells) lead += cell == kTheirs ? 1 : cell == kMine ? -1 : 0;
    const int me = lead == 0 ? 0 : 1;
    std::vector<Owner> owners;
    for (const int cell : cells)
        owners.push_back(cell == kMine ? Owner(me) : cell == kTheirs ? Owner(1 - me) : std::nullopt);
    if (const auto hole = geometry.hole())
        owners[static_cast<std::size_t>(hole->row * geometry.cols() + hole->col)] = std::nullopt;
    return owners;
}

bool shows(const Board& board, std::span<const Owner> owners) {
    const int cols = board.geometry().cols();
    for (std::size_t i = 0; i < owners.size(); ++i)
        if (board.stone_at({static_cast<int>(i) / cols, static_cast<int>(i) % cols}) != owners[i]) return false;
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
    const std::vector<Owner> owners = owners_of(question, geometry);
    if (searcher_ && board_ && board_->geometry() == geometry) {
        // One library may play for both sides: then nothing has happened since our last answer.
        if (shows(*board_, owners)) return;
        if (board_->is_legal(question.last.col)) board_->push(question.last.col);
        if (shows(*board_, owners)) return;
    }
    board_ = retrace(geometry, owners);
    searcher_.reset();
    searcher_ = make_searcher(config(), geometry, settings::kSeed, settings::kMemoryMb << 20);
}

}  // namespace fourfall
