// Owns the first impression of a move: the lines through its cell and through the one above, weighed.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "game/position.hpp"

namespace fourfall::graph {

template <class L>
class Prior {
public:
    using Bits = typename L::Bits;

    explicit Prior(const Masks<L>& masks) : masks_(masks), lines_(64 * L::kWords) {
        for (int col = 0; col < masks.cols; ++col)
            for (int height = 0; height < masks.rows; ++height) {
                auto& lines = lines_[static_cast<std::size_t>(L::cell(height, col).lowest_index())];
                for (const auto& [up, right] : {std::array{1, 0}, {0, 1}, {1, 1}, {-1, 1}})
                    for (int first = -3; first <= 0; ++first)
                        if (const Bits line = line_of(height + first * up, col + first * right, up, right); line.any())
                            lines.push_back(line & ~L::cell(height, col));
            }
    }

    // How good a drop looks to the side to move, as the logarithm of a share: only differences mean anything.
    float impression(const Position<L>& position, const Bits& drop, const Bits& drops) const {
        const Bits free = position.free(masks_) & ~drop;
        const Bits next = L::landing(position.occupied(masks_) | drop, masks_.bottom) & masks_.board;
        const Bits above = next & ~drops;
        const Count here = count(position.mine, position.theirs, drop, {next, free});
        float sum = kOwnEmpty * here.own[0] + kOwnOne * here.own[1] + kMakes[0] * here.own_three[0] +
                    kMakes[1] * here.own_three[1] + kMakes[2] * here.own_three[2] + kTheirOne * here.other[1] +
                    kStops[0] * here.other_three[0] + kStops[1] * here.other_three[1] +
                    kStops[2] * here.other_three[2] + kDead * here.dead + kLines * here.lines;
        if (above.any()) {
            // What the opponent could do on top of this stone.
            const Count top = count(position.theirs, position.mine | drop, above, {next, free & ~above});
            sum += kGives[0] * top.own_three[0] + kGives[1] * (top.own_three[1] + top.own_three[2]) +
                   kLoses[0] * top.other_three[0] + kLoses[1] * (top.other_three[1] + top.other_three[2]);
        }
        const int index = drop.lowest_index();
        const float height = static_cast<float>(L::height_of(index)) / static_cast<float>(masks_.rows);
        const float off_centre =
            std::abs(static_cast<float>(2 * L::col_of(index) - masks_.cols + 1)) / static_cast<float>(masks_.cols);
        return sum + kOffCentre * off_centre + kHeight * height + kHighOffCentre * off_centre * height;
    }

private:
    // Fitted as a softmax regression to the visits of searches (docs/search.md), then doubled. Threes by where their
    // fourth cell lies: a stone can land there next; counting gives it to the side that plays the stone; to the other.
    static constexpr float kOwnEmpty = 0.066F, kOwnOne = 0.002F, kTheirOne = 0.206F, kDead = -0.204F, kLines = 0.024F;
    static constexpr std::array kMakes{1.228F, 0.598F, 0.196F}, kStops{0.808F, 0.316F, 0.710F};
    static constexpr std::array kGives{-1.902F, -0.322F}, kLoses{-0.828F, -0.312F};
    static constexpr float kOffCentre = -0.620F, kHeight = 0.078F, kHighOffCentre = 1.916F;

    // The moment after a stone has been put on the cell in question.
    struct After {
        const Bits& next;  // where stones could land
        const Bits& free;
    };
    // The lines of four through a cell, the cell itself left out; "own" is the side that would play there.
    struct Count {
        std::array<float, 2> own{};          // hold that many own stones and nothing else
        std::array<float, 2> other{};        // hold that many (at least 1) of the other side and nothing else
        std::array<float, 3> own_three{};    // hold two own stones: the stone would make a three
        std::array<float, 3> other_three{};  // hold two of the other side: the stone would stop a three
        float dead = 0;                      // are full and mixed
        float lines = 0;
    };

    Bits line_of(int height, int col, int up, int right) const {
        Bits line{};
        for (int i = 0; i < 4; ++i, height += up, col += right) {
            if (height < 0 || height >= masks_.rows || col < 0 || col >= masks_.cols) return {};
            line |= L::cell(height, col);
        }
        return (line & masks_.hole).any() ? Bits{} : line;
    }

    Count count(const Bits& own, const Bits& other, const Bits& cell, const After& after) const {
        Count out;
        for (const Bits& line : lines_[static_cast<std::size_t>(cell.lowest_index())]) {
            const int mine = (own & line).count(), theirs = (other & line).count();
            out.lines += 1;
            if (mine + theirs == 3 && mine > 0 && theirs > 0) out.dead += 1;
            if (theirs == 0 && mine < 2) out.own[static_cast<std::size_t>(mine)] += 1;
            if (theirs == 0 && mine == 2) out.own_three[where(line & after.free, after)] += 1;
            if (mine == 0 && theirs == 1) out.other[1] += 1;
            if (mine == 0 && theirs == 2) out.other_three[where(line & after.free, after)] += 1;
        }
        return out;
    }

    // Who gets a free cell if every other column is filled first? Both sides shun the column until nothing else is
    // left; then the stones alternate up to the cell.
    std::size_t where(const Bits& cell, const After& after) const {
        if ((cell & after.next).any()) return 0;
        const int index = cell.lowest_index();
        const Bits column = masks_.column[static_cast<std::size_t>(L::col_of(index))] & after.free;
        int below = 0;
        for (Bits rest = column; rest.lowest_index() < index; rest &= ~rest.lowest()) ++below;
        const int stones_before = after.free.count() - column.count() + below;
        return stones_before % 2 == 1 ? 1 : 2;
    }

    Masks<L> masks_;
    std::vector<std::vector<Bits>> lines_;  // by cell index
};

}  // namespace fourfall::graph
