// Board: a game with its geometry, move history and outcome.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "game/geometry.hpp"
#include "game/position.hpp"

namespace fourfall {

// The result of a finished game. Player 0 moves first; no winner means a draw.
struct Outcome {
    std::optional<int> winner;
    std::vector<Cell> cells;  // all stones of all winning lines, ordered by row and column; empty for a draw
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

class Board {
public:
    explicit Board(const Geometry& geometry) : geometry_(geometry), masks_(geometry) {}
    // An empty board of the official distribution (Geometry::random).
    static Board random(std::uint64_t seed);
    // A board with these stones of the first and the second player, and `last`, if given, as the last move. Which of
    // the possible orders of moves it has is not specified. The last stone may end the game. Throws InvalidBoard, which
    // says why, if no legal game leads to these stones or none was found in a bounded search.
    static Board from_stones(const Geometry& geometry, std::span<const Cell> first, std::span<const Cell> second,
                             std::optional<Cell> last = std::nullopt);

    const Geometry& geometry() const { return geometry_; }
    const Masks<WideLayout>& masks() const { return masks_; }
    const Position<WideLayout>& position() const { return position_; }

    int ply() const { return ply_; }
    int turn() const { return ply_ % 2; }
    std::span<const std::uint8_t> moves() const { return {moves_.data(), static_cast<std::size_t>(ply_)}; }

    bool is_legal(int col) const;
    // The row on which the next stone in this column (0..cols-1) lands; nothing if the column is full.
    std::optional<int> landing_row(int col) const;
    // Drops a stone of the side to move. Throws IllegalMove and changes nothing if !is_legal(col).
    void push(int col);
    // Takes back the last move and returns its column. Requires ply() > 0.
    int pop();

    bool is_over() const { return is_won_ || ply_ == geometry_.cells(); }
    std::optional<Outcome> outcome() const;

    // The player whose stone is on the cell; none on a free cell and on the hole.
    std::optional<int> stone_at(Cell cell) const;
    // Free cells that would complete four in a row for the player.
    std::vector<Cell> threats(int player) const;
    // The cell of the last stone. Requires ply() > 0.
    Cell last_cell() const { return cell_of(cells_[ply_ - 1]); }

    // The game reflected left to right, including the hole.
    Board mirror() const;
    // A hash of the stones and the side to move; equal on every machine.
    std::uint64_t key() const;

    // Equal geometry and equal stones; the order of the moves is ignored.
    friend bool operator==(const Board& a, const Board& b) {
        return a.geometry_ == b.geometry_ && a.position_ == b.position_;
    }

private:
    using Cells = WideLayout::Bits;

    Cell cell_of(int index) const {
        return {geometry_.rows() - 1 - WideLayout::height_of(index), WideLayout::col_of(index)};
    }
    Cells stones_of(int player) const { return player == turn() ? position_.mine : position_.theirs; }
    std::vector<Cell> list_cells(Cells cells) const;

    Geometry geometry_;
    Masks<WideLayout> masks_;
    Position<WideLayout> position_{};
    std::array<std::uint8_t, kMaxCells> moves_{};
    std::array<std::uint8_t, kMaxCells> cells_{};  // the cell of each stone, as an index of WideLayout
    int ply_ = 0;
    bool is_won_ = false;  // by the player who moved last
};

}  // namespace fourfall
