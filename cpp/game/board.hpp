// Owns a game in progress: its shape, its moves so far and how it ended.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "game/geometry.hpp"
#include "game/position.hpp"

namespace fourfall {

// Player 0 moves first. A game without a winner here is a draw.
struct Outcome {
    std::optional<int> winner;
    std::vector<Cell> cells;  // every stone of every winning line, row by row; empty after a draw
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

class Board {
public:
    explicit Board(const Geometry& geometry) : geometry_(geometry), masks_(geometry) {}
    // The official distribution: sides 9..12 and the hole, each uniform.
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
    // Throws IllegalMove and changes nothing unless is_legal(col).
    void push(int col);
    // Takes the last move back and returns its column; there must be one.
    int pop();

    bool is_over() const { return won_ || ply_ == geometry_.cells(); }
    std::optional<Outcome> outcome() const;

    // The player whose stone lies there; none on a free cell and on the hole.
    std::optional<int> stone_at(Cell cell) const;
    // Free cells that would complete four for that player.
    std::vector<Cell> threats(int player) const;
    Cell last_cell() const { return cell_of(cells_[ply_ - 1]); }

    // The same game reflected left and right, hole included.
    Board mirror() const;
    std::uint64_t key() const;

    // Same board, same stones; the order in which they came does not count.
    friend bool operator==(const Board& a, const Board& b) {
        return a.geometry_ == b.geometry_ && a.position_ == b.position_;
    }

private:
    using Cells = WideLayout::Bits;

    Cell cell_of(int index) const {
        return {geometry_.rows() - 1 - WideLayout::height_of(index), WideLayout::col_of(index)};
    }
    Cells stones_of(int player) const { return player == turn() ? position_.mine : position_.theirs; }
    std::vector<Cell> listed(Cells cells) const;

    Geometry geometry_;
    Masks<WideLayout> masks_;
    Position<WideLayout> position_{};
    std::array<std::uint8_t, kMaxCells> moves_{};
    std::array<std::uint8_t, kMaxCells> cells_{};  // where each stone landed, as an index of the wide layout
    int ply_ = 0;
    bool won_ = false;  // by the side that moved last
};

}  // namespace fourfall
