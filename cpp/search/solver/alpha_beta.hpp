// Owns the search for exact values: which moves are worth a look, in which order, and what is known without looking.
//
// Values count stones, from the side to move with n stones on the board: v > 0 wins with v - 1 stones of its own left
// over, v < 0 loses with -v - 1 of the opponent's left, 0 draws. (Pons' convention: every window is one of integers,
// and what ends sooner is worth more.)
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "game/position.hpp"
#include "search/limits.hpp"
#include "search/solver/pairing.hpp"
#include "search/solver/table.hpp"

namespace fourfall::solver {

template <class L>
class AlphaBeta {
public:
    using Bits = typename L::Bits;

    AlphaBeta(const Geometry& geometry, std::uint64_t memory_bytes)
        : masks_(geometry), pairing_(masks_), cells_(geometry.cells()), table_(memory_bytes) {
        // From the centre outwards.
        for (int i = 0; i < masks_.cols; ++i) order_[i] = masks_.cols / 2 + (1 - 2 * (i % 2)) * (i + 1) / 2;
    }

    // Sets the limits of the searches that follow; their positions are counted together.
    void begin(std::optional<std::uint64_t> max_positions, Clock& clock, Control& control) {
        max_positions_ = max_positions, clock_ = &clock, control_ = &control;
        positions_ = 0;
        stopped_ = false;
    }

    const Masks<L>& masks() const { return masks_; }
    std::uint64_t positions() const { return positions_; }
    std::uint64_t memory_bytes() const { return table_.memory_bytes(); }
    bool stopped() const { return stopped_; }

    // The value of winning with the next stone, and of losing with the one after it.
    int win_next(int n) const { return (cells_ + 1 - n) / 2; }
    int lose_next(int n) const { return -((cells_ - n) / 2); }

    // The value if it lies inside (alpha, beta), otherwise a bound: at most alpha or at least beta. The side to move
    // must not be able to win at once. Once stopped() the answer means nothing.
    int search(const Position<L>& position, int n, int alpha, int beta);
    // The column that the table holds for the best, or -1.
    int known_move(const Position<L>& position, int n) const;

private:
    static constexpr std::uint64_t kPollEvery = 4096;  // positions
    // So close to the end looking replies up costs more than it saves.
    static constexpr int kLookUpReplies = 8;

    struct Move {
        Bits drop;
        int column;
        int merit;
        Bits reply;  // the table's key of the position after the move, once call_replies() was asked
    };
    using Moves = std::array<Move, kMaxSide>;

    // A position or its mirror image, whichever comes first: they share a place in the table.
    struct Canonical {
        Bits key;
        bool mirrored;
    };

    bool must_stop();
    Canonical canonical(const Position<L>& position, int n) const;
    // A column seen in the mirror if the position was; -1 stays -1.
    int column_of(int column, bool mirrored) const {
        return mirrored && column >= 0 ? masks_.cols - 1 - column : column;
    }
    int order(const Position<L>& position, const Bits& moves, int table_move, Moves& out) const;
    bool followed_up(const Position<L>& position, const Moves& moves, int count, int beta, int& value) const;
    void call_replies(const Position<L>& position, int n, Moves& moves, int count) const;
    bool reply_refuted(const Moves& moves, int count, int beta, int& value) const;

    Masks<L> masks_;
    Pairing<L> pairing_;
    int cells_;
    Table<L> table_;
    std::array<int, kMaxSide> order_{};
    std::optional<std::uint64_t> max_positions_;
    Clock* clock_ = nullptr;
    Control* control_ = nullptr;
    std::uint64_t positions_ = 0;
    bool stopped_ = false;
};

template <class L>
bool AlphaBeta<L>::must_stop() {
    if (max_positions_ && positions_ > *max_positions_) return true;
    if (positions_ % kPollEvery != 0) return false;
    control_->poll();
    return control_->stop.load(std::memory_order_relaxed) || clock_->expired();
}

// Late in the game looking for the mirror image costs more than it finds.
template <class L>
auto AlphaBeta<L>::canonical(const Position<L>& position, int n) const -> Canonical {
    const Bits key = position.key(masks_);
    if (!masks_.symmetric || n > cells_ / 2) return {key, false};
    const Bits image = position.mirror(masks_).key(masks_);
    return image < key ? Canonical{image, true} : Canonical{key, false};
}

template <class L>
int AlphaBeta<L>::known_move(const Position<L>& position, int n) const {
    const auto [key, mirrored] = canonical(position, n);
    Bounds known{0, 0, -1};
    table_.find(key, known);
    return column_of(known.move, mirrored);
}

// The table's move first, then by how many winning cells a move makes, then from the centre outwards. A cell above one
// where the opponent wins does not count: the column hardly gets that far.
template <class L>
int AlphaBeta<L>::order(const Position<L>& position, const Bits& moves, int table_move, Moves& out) const {
    const Bits wanted = position.free(masks_) & ~pairing_.above(position.their_threats(masks_));
    int count = 0;
    for (int i = 0; i < masks_.cols; ++i) {
        const Bits drop = moves & masks_.column[order_[i]];
        if (drop.none()) continue;
        const int merit = order_[i] == table_move ? kMaxCells : (L::completing(position.mine | drop) & wanted).count();
        int at = count++;
        for (; at > 0 && out[at - 1].merit < merit; --at) out[at] = out[at - 1];
        out[at] = {drop, order_[i], merit, {}};
    }
    return count;
}

// Whether a move lets the side that makes it follow up from then on and settles the position without a search.
template <class L>
bool AlphaBeta<L>::followed_up(const Position<L>& position, const Moves& moves, int count, int beta, int& value) const {
    for (int i = 0; i < count; ++i) {
        value = -pairing_.most(position.play(moves[i].drop));
        if (value >= beta) return true;
    }
    return false;
}

// Fetches the table's entries of the replies from memory, which takes about as long as followed_up().
template <class L>
void AlphaBeta<L>::call_replies(const Position<L>& position, int n, Moves& moves, int count) const {
    for (int i = 0; i < count; ++i) {
        moves[i].reply = canonical(position.play(moves[i].drop), n + 1).key;
        table_.prefetch(moves[i].reply);
    }
}

// Whether the table knows a reply bad enough for the opponent to settle the position without a search.
template <class L>
bool AlphaBeta<L>::reply_refuted(const Moves& moves, int count, int beta, int& value) const {
    for (int i = 0; i < count; ++i) {
        Bounds reply;
        if (!table_.find(moves[i].reply, reply)) continue;
        value = -reply.upper;
        if (value >= beta) return true;
    }
    return false;
}

template <class L>
int AlphaBeta<L>::search(const Position<L>& position, int n, int alpha, int beta) {
    assert(alpha < beta && position.wins(masks_).none());
    ++positions_;
    if (stopped_ || (stopped_ = must_stop())) return 0;

    const Bits moves = position.safe(masks_);
    if (moves.none()) return n == cells_ ? 0 : lose_next(n);
    if (n >= cells_ - 2) return 0;

    // Neither side wins with its next stone, so the value is less than that of winning or losing so soon.
    int lower = lose_next(n + 2), upper = win_next(n + 2);
    const Promise lines = pairing_.open_lines(position);
    if (lines.lower == 0) lower = std::max(lower, 0);
    if (lines.upper == 0) upper = std::min(upper, 0);
    const auto [key, mirrored] = canonical(position, n);
    Bounds known{0, 0, -1};
    if (table_.find(key, known)) {
        lower = std::max<int>(lower, known.lower);
        upper = std::min<int>(upper, known.upper);
    }
    if (lower >= beta || lower == upper) return lower;
    if (upper <= alpha) return upper;
    alpha = std::max(alpha, lower);
    beta = std::min(beta, upper);

    Moves list;
    const int count = order(position, moves, column_of(known.move, mirrored), list);
    int value = 0;
    const bool look_up = n < cells_ - kLookUpReplies;
    if (look_up) call_replies(position, n, list, count);
    if (followed_up(position, list, count, beta, value)) return value;
    if (look_up && reply_refuted(list, count, beta, value)) return value;

    const std::uint64_t positions_before = positions_;
    int best = -kMaxCells, best_move = -1, floor = alpha;
    for (int i = 0; i < count && best < beta; ++i) {
        const Position<L> next = position.play(list[i].drop);
        // The first move gets the whole window; the others only have to be shown not to be better.
        const int ceiling = i == 0 ? beta : floor + 1;
        value = -search(next, n + 1, -ceiling, -floor);
        if (value > floor && value < beta && ceiling < beta) value = -search(next, n + 1, -beta, -floor);
        if (stopped_) return 0;
        if (value > best) best = value, best_move = list[i].column;
        floor = std::max(floor, best);
    }
    // best is a lower bound if it exceeds alpha and an upper bound if it is less than beta.
    const auto narrow = [](int x) { return static_cast<std::int8_t>(x); };
    table_.store(key,
                 {narrow(best > alpha ? best : lower), narrow(best < beta ? best : upper),
                  narrow(column_of(best_move, mirrored))},
                 positions_ - positions_before);
    return best;
}

// Calls f with the layout that the solver uses for a board: the fastest one in which its table tells all positions
// apart; the small table does so up to eight columns.
template <class F>
decltype(auto) with_solver_layout(const Geometry& geometry, F&& f) {
    const int rows = geometry.rows(), cols = geometry.cols();
    if (Layout1x7::fits(rows, cols) && cols * Layout1x7::kStride > Table<Layout1x7>::kSmallKeyBits)
        return f(Layout2x10{});
    return with_layout(rows, cols, f);
}

}  // namespace fourfall::solver
