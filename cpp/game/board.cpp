// Board: moves, undo, outcome and threats of a game.
#include "game/board.hpp"

#include <algorithm>
#include <string>

#include "game/errors.hpp"
#include "game/key.hpp"
#include "game/random.hpp"

namespace fourfall {

Board Board::random(std::uint64_t seed) {
    Random random(seed);
    return Board(Geometry::random(random));
}

bool Board::is_legal(int col) const {
    return col >= 0 && col < geometry_.cols() && !is_over() && (masks_.column[col] & position_.drops(masks_)).any();
}

std::optional<int> Board::landing_row(int col) const {
    const Cells drop = masks_.column[static_cast<std::size_t>(col)] & position_.drops(masks_);
    return drop.any() ? std::optional(cell_of(drop.lowest_index()).row) : std::nullopt;
}

void Board::push(int col) {
    if (col < 0 || col >= geometry_.cols())
        throw IllegalMove("column " + std::to_string(col) + " is off the board: columns are 0.." +
                          std::to_string(geometry_.cols() - 1));
    if (is_over()) throw IllegalMove("the game is over: it ended at ply " + std::to_string(ply_));
    const Cells drop = masks_.column[col] & position_.drops(masks_);
    if (drop.none()) throw IllegalMove("column " + std::to_string(col) + " is full");
    position_ = position_.play(drop);
    is_won_ = position_.is_lost();
    moves_[ply_] = static_cast<std::uint8_t>(col);
    cells_[ply_] = static_cast<std::uint8_t>(drop.lowest_index());
    ++ply_;
}

int Board::pop() {
    --ply_;
    position_ = {position_.theirs ^ Cells::at(cells_[ply_]), position_.mine};
    is_won_ = false;
    return moves_[ply_];
}

std::optional<Outcome> Board::outcome() const {
    if (!is_over()) return std::nullopt;
    if (!is_won_) return Outcome{};
    // Every winning line contains the last stone: collect the runs of at least four through it.
    const Cells stones = position_.theirs;
    Cells winning{};
    for (const int step : WideLayout::kLines) {
        const int centre = cells_[ply_ - 1];
        Cells run = Cells::at(centre);
        for (const int direction : {-step, step})
            for (int at = centre + direction; at >= 0 && at < 64 * WideLayout::kWords; at += direction) {
                if ((stones & Cells::at(at)).none()) break;
                run |= Cells::at(at);
            }
        if (run.count() >= 4) winning |= run;
    }
    return Outcome{1 - turn(), list_cells(winning)};
}

std::optional<int> Board::stone_at(Cell cell) const {
    const Cells at = WideLayout::cell(geometry_.rows() - 1 - cell.row, cell.col);
    if ((position_.mine & at).any()) return turn();
    if ((position_.theirs & at).any()) return 1 - turn();
    return std::nullopt;
}

std::vector<Cell> Board::threats(int player) const {
    return list_cells(WideLayout::completing_cells(stones_of(player)) & position_.free_cells(masks_));
}

Board Board::mirror() const {
    Board out(geometry_.mirror());
    for (const int col : moves()) out.push(geometry_.cols() - 1 - col);
    return out;
}

std::uint64_t Board::key() const { return hash(position_.key(masks_)); }

std::vector<Cell> Board::list_cells(Cells cells) const {
    std::vector<Cell> out;
    for (; cells.any(); cells &= ~cells.lowest()) out.push_back(cell_of(cells.lowest_index()));
    std::ranges::sort(out);
    return out;
}

}  // namespace fourfall
