// Prior of a move from features of the lines of four through its cell and the cell above.
#include <array>
#include <cmath>
#include <vector>

#include "game/position.hpp"

namespace fourfall::graph {

template <class L>
class LinePrior {
public:
    using Bits = typename L::Bits;

    explicit LinePrior(const Masks<L>& masks) : masks_(masks), lines_(64 * L::kWords) {
        for (int col = 0; col < masks.cols; ++col)
            for (int height = 0; height < masks.rows; ++height) {
                auto& lines = lines_[static_cast<std::size_t>(L::cell(height, col).lowest_index())];
                for (const auto& [up, right] : {std::array{1, 0}, {0, 1}, {1, 1}, {-1, 1}})
                    for (int first = -3; first <= 0; ++first)
                        if (const Bits line = line_of(height + first * up, col + first * right, up, right); line.any())
                            lines.push_back(line & ~L::cell(height, col));
            }
    }

    // Logit of the prior of a drop for the side to move; only differences between drops have a meaning.
    FOURFALL_FLATTENED float logit(const Position<L>& position, const Bits& drop, const Bits& drops) const {
        const Bits free = position.free_cells(masks_) & ~drop;
        const Bits landing = L::landing_cells(position.occupied(masks_) | drop, masks_.bottom) & masks_.board;
        const Bits above = landing & ~drops;
        const LineCounts here = count_lines(position.mine, position.theirs, drop, {landing, free});
        float sum = kOwnEmpty * here.own[0] + kOwnOne * here.own[1] + kMakes[0] * here.own_three[0] +
                    kMakes[1] * here.own_three[1] + kMakes[2] * here.own_three[2] + kTheirOne * here.other[1] +
                    kStops[0] * here.other_three[0] + kStops[1] * here.other_three[1] +
                    kStops[2] * here.other_three[2] + kDead * here.dead + kLines * here.lines;
        if (above.any()) {
            // The lines that the opponent gets by playing on top of this stone.
            const LineCounts top = count_lines(position.theirs, position.mine | drop, above, {landing, free & ~above});
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
    // Fitted as a softmax regression to the visits of searches (docs/graph_search.md), then doubled. Entries for threes
    // are indexed by ThreeKind; kGives and kLoses have one entry for playable threes and one for all others.
    static constexpr float kOwnEmpty = 0.066F, kOwnOne = 0.002F, kTheirOne = 0.206F, kDead = -0.204F, kLines = 0.024F;
    static constexpr std::array kMakes{1.228F, 0.598F, 0.196F}, kStops{0.808F, 0.316F, 0.710F};
    static constexpr std::array kGives{-1.902F, -0.322F}, kLoses{-0.828F, -0.312F};
    static constexpr float kOffCentre = -0.620F, kHeight = 0.078F, kHighOffCentre = 1.916F;

    // Classifies a three by its missing fourth cell: a stone can land there next; parity gives it to the side that
    // plays the stone; parity gives it to the other side.
    enum ThreeKind : std::size_t { kPlayable, kOwnParity, kOtherParity };

    // The board after a stone on the cell in question.
    struct BoardAfter {
        const Bits& landing;
        const Bits& free;
    };
    // Numbers of lines of four through a cell, by the contents of their other three cells. "Own" is the side that would
    // play the cell.
    struct LineCounts {
        std::array<float, 2> own{};          // no or one own stone, nothing else
        std::array<float, 2> other{};        // [1]: one stone of the other side, nothing else
        std::array<float, 3> own_three{};    // two own stones: the stone makes a three; by ThreeKind
        std::array<float, 3> other_three{};  // two stones of the other side: the stone blocks a three; by ThreeKind
        float dead = 0;                      // three stones of both sides
        float lines = 0;                     // all
    };

    // The four cells from a start in a direction; none if one is off the board or the hole.
    Bits line_of(int height, int col, int up, int right) const {
        Bits line{};
        for (int i = 0; i < 4; ++i, height += up, col += right) {
            if (height < 0 || height >= masks_.rows || col < 0 || col >= masks_.cols) return {};
            line |= L::cell(height, col);
        }
        return (line & masks_.hole).any() ? Bits{} : line;
    }

    FOURFALL_FLATTENED LineCounts count_lines(const Bits& own, const Bits& other, const Bits& cell,
                                              const BoardAfter& after) const {
        LineCounts out;
        for (const Bits& line : lines_[static_cast<std::size_t>(cell.lowest_index())]) {
            const int mine = (own & line).count(), theirs = (other & line).count();
            out.lines += 1;
            if (mine + theirs == 3 && mine > 0 && theirs > 0) out.dead += 1;
            if (theirs == 0 && mine < 2) out.own[static_cast<std::size_t>(mine)] += 1;
            if (theirs == 0 && mine == 2) out.own_three[classify_three(line & after.free, after)] += 1;
            if (mine == 0 && theirs == 1) out.other[1] += 1;
            if (mine == 0 && theirs == 2) out.other_three[classify_three(line & after.free, after)] += 1;
        }
        return out;
    }

    // Parity: who gets the cell if every other column is filled first. Both sides avoid the column until no other move
    // remains; then they alternate up to the cell.
    ThreeKind classify_three(const Bits& cell, const BoardAfter& after) const {
        if ((cell & after.landing).any()) return kPlayable;
        const int index = cell.lowest_index();
        const Bits column = masks_.column[static_cast<std::size_t>(L::col_of(index))] & after.free;
        int below = 0;
        for (Bits rest = column; rest.lowest_index() < index; rest &= ~rest.lowest()) ++below;
        const int stones_before = after.free.count() - column.count() + below;
        return stones_before % 2 == 1 ? kOwnParity : kOtherParity;
    }

    Masks<L> masks_;
    std::vector<std::vector<Bits>> lines_;  // by cell index: the lines through a cell, without the cell
};

}  // namespace fourfall::graph
