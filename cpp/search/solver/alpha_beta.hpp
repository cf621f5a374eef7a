// Alpha-beta search for exact values, with a transposition table, move ordering and follow-up play.
//
// Value of a position with n stones on the board, for the side to move: v > 0 wins with v - 1 of its own stones left,
// v < 0 loses with -v - 1 of the opponent's stones left, 0 is a draw. (Pons' convention: values are consecutive
// integers, and a shorter win has a greater value.)
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "game/dispatch.hpp"
#include "game/position.hpp"
#include "search/limits.hpp"
#include "search/solver/pairing.hpp"
#include "search/solver/shared_search.hpp"
#include "search/solver/transposition_table.hpp"

namespace fourfall::solver {

template <class L>
class AlphaBeta {
public:
    using Bits = typename L::Bits;

    // The memory of the table must be empty, or from a search of the same geometry.
    AlphaBeta(const Geometry& geometry, std::shared_ptr<TableMemory> memory)
        : masks_(geometry), pairing_(masks_), cells_(geometry.cells()), table_(std::move(memory)) {
        // From the centre outwards.
        for (int i = 0; i < masks_.cols; ++i) column_order_[i] = masks_.cols / 2 + (1 - 2 * (i % 2)) * (i + 1) / 2;
    }

    // Sets the limits of the following searches and resets the count of positions.
    void begin(std::optional<std::uint64_t> max_positions, Clock& clock, Control& control) {
        begin(max_positions);
        clock_ = &clock, control_ = &control;
    }
    // The same for a search that only reaches its limit or is stopped by the one it shares (search_shared).
    void begin(std::optional<std::uint64_t> max_positions) {
        max_positions_ = max_positions, clock_ = nullptr, control_ = nullptr, shared_ = nullptr;
        positions_ = 0;
        is_stopped_ = false;
    }

    const Masks<L>& masks() const { return masks_; }
    std::uint64_t positions() const { return positions_; }
    std::uint64_t memory_bytes() const { return table_.memory_bytes(); }
    bool is_stopped() const { return is_stopped_; }

    // The value of a win with the next stone, and of a loss to the opponent's next stone.
    int win_value(int n) const { return (cells_ + 1 - n) / 2; }
    int loss_value(int n) const { return -((cells_ - n) / 2); }

    // Returns the value if it is inside (alpha, beta), otherwise a bound: an upper bound that is at most alpha, or a
    // lower bound that is at least beta. The side to move must not have an immediate win. The result is invalid if
    // is_stopped().
    int search(const Position<L>& position, int n, int alpha, int beta) {
        return dispatch<L>(Search{*this, position, n, alpha, beta});
    }
    // As search(), but returns nullopt if is_stopped() or if the search reaches `max_positions` positions.
    std::optional<int> search_within(const Position<L>& position, int n, int alpha, int beta,
                                     std::uint64_t max_positions);
    // As search(), in one of several threads. The first one that finishes gives `shared` its value and so stops the
    // others. Without `max_positions` the limit is that of begin().
    void search_shared(SharedSearch& shared, const Position<L>& position, int n, int alpha, int beta,
                       std::optional<std::uint64_t> max_positions);
    // Continues after search_shared() with the value of the first thread; is_stopped() if there is none.
    int accept(std::optional<int> value) {
        is_stopped_ = !value;
        return value.value_or(0);
    }
    // An equal part of the positions that remain until the limit; nullopt if there is no limit.
    std::optional<std::uint64_t> share_of_positions(int parts) const {
        if (!max_positions_) return std::nullopt;
        return (*max_positions_ - std::min(positions_, *max_positions_)) / static_cast<std::uint64_t>(parts);
    }
    void add_positions(std::uint64_t positions) { positions_ += positions; }
    void grow_table_to_maximum() { table_.grow_to_maximum(); }
    // Removes all entries of the table. No other search may use its memory.
    void clear_table() { table_.clear(); }
    // Returns the best column according to the transposition table, or -1.
    int table_move(const Position<L>& position, int n) const;

private:
    static constexpr std::uint64_t kPollEvery = 4096;  // positions
    // With fewer free cells, probing the table for the replies costs more than it saves.
    static constexpr int kMinFreeToProbeReplies = 8;
    // With fewer free cells, threads do not divide the moves. At least kMinFreeToProbeReplies.
    static constexpr int kMinFreeToShare = 14;

    struct Move {
        Bits drop;
        Bits threats;  // own winning cells after the move
        int column;
        int priority;
        int upper;       // bound on the value of the move, set by table_refutes()
        Bits reply_key;  // table key of the position after the move, set by prefetch_replies()
    };
    using Moves = std::array<Move, kMaxSide>;

    // A call of search() as dispatch() takes it.
    struct Search {
        AlphaBeta& self;
        const Position<L>& position;
        int n, alpha, beta;

        template <class Lines>
        FOURFALL_FLATTENED int operator()(Lines) const {
            return self.template search_node<Lines>(position, n, alpha, beta);
        }
    };
    template <class Lines>
    int search_node(const Position<L>& position, int n, int alpha, int beta);

    // The smaller key of a position and its mirror image: both share a table entry.
    struct CanonicalKey {
        Bits key;
        bool is_mirrored;
    };

    bool should_stop();
    // In the last third of the game the mirror image is ignored: it costs more than it saves.
    bool has_mirrored_keys(int n) const { return masks_.is_symmetric && n <= cells_ * 2 / 3; }
    CanonicalKey canonical_key(const Position<L>& position, int n) const;
    // Mirrors a column if `is_mirrored`; -1 stays -1.
    int mirror_column(int column, bool is_mirrored) const {
        return is_mirrored && column >= 0 ? masks_.cols - 1 - column : column;
    }

    // move_ordering.inl
    template <class Lines>
    int order_moves(const Position<L>& position, const Bits& moves, const Bits& their_threats, int table_move,
                    Moves& out) const;
    template <class Lines>
    bool follow_up_refutes(const Position<L>& position, const Moves& moves, int count, int beta, int& value) const;
    void prefetch_replies(const Position<L>& position, int n, Moves& moves, int count) const;
    bool table_refutes(Moves& moves, int count, int beta, int& value) const;

    Masks<L> masks_;
    Pairing<L> pairing_;
    int cells_;
    TranspositionTable<L> table_;
    std::array<int, kMaxSide> column_order_{};
    std::optional<std::uint64_t> max_positions_;
    Clock* clock_ = nullptr;
    Control* control_ = nullptr;
    SharedSearch* shared_ = nullptr;  // if other threads search the same position
    std::uint64_t positions_ = 0;
    bool is_stopped_ = false;
};

template <class L>
bool AlphaBeta<L>::should_stop() {
    if (max_positions_ && positions_ > *max_positions_) return true;
    if (shared_ != nullptr && shared_->is_over()) return true;
    if (positions_ % kPollEvery != 0 || control_ == nullptr) return false;
    control_->poll();
    return control_->stop.load(std::memory_order_relaxed) || clock_->has_expired();
}

template <class L>
FOURFALL_FLATTENED auto AlphaBeta<L>::canonical_key(const Position<L>& position, int n) const -> CanonicalKey {
    const Bits key = position.key(masks_);
    if (!has_mirrored_keys(n)) return {key, false};
    const Bits image = L::mirror(key, masks_.cols);
    return image < key ? CanonicalKey{image, true} : CanonicalKey{key, false};
}

template <class L>
int AlphaBeta<L>::table_move(const Position<L>& position, int n) const {
    const auto [key, is_mirrored] = canonical_key(position, n);
    TableBounds stored{0, 0, -1};
    table_.find(key, stored);
    return mirror_column(stored.move, is_mirrored);
}

template <class L>
std::optional<int> AlphaBeta<L>::search_within(const Position<L>& position, int n, int alpha, int beta,
                                               std::uint64_t max_positions) {
    const std::optional<std::uint64_t> all = max_positions_;
    const std::uint64_t end = positions_ + max_positions;
    const bool is_shorter = !all || end < *all;
    if (is_shorter) max_positions_ = end;
    const int value = search(position, n, alpha, beta);
    max_positions_ = all;
    if (!is_stopped_) return value;
    is_stopped_ = !is_shorter || positions_ <= end;
    return std::nullopt;
}

template <class L>
void AlphaBeta<L>::search_shared(SharedSearch& shared, const Position<L>& position, int n, int alpha, int beta,
                                 std::optional<std::uint64_t> max_positions) {
    const std::optional<std::uint64_t> all = max_positions_;
    if (max_positions) max_positions_ = positions_ + *max_positions;
    shared_ = &shared;
    const int value = search(position, n, alpha, beta);
    shared_ = nullptr;
    max_positions_ = all;
    if (!is_stopped_) shared.finish(value);
}

template <class L>
template <class Lines>
FOURFALL_FLATTENED int AlphaBeta<L>::search_node(const Position<L>& position, int n, int alpha, int beta) {
    assert(alpha < beta && position.winning_drops(masks_).none());
    ++positions_;
    is_stopped_ = is_stopped_ || should_stop();
    if (is_stopped_) return 0;

    const Bits threats = Lines::completing_cells(position.theirs) & position.free_cells(masks_);
    const Bits moves = position.safe_drops(masks_, threats);
    if (moves.none()) return n == cells_ ? 0 : loss_value(n);
    if (n >= cells_ - 2) return 0;

    // Neither side wins with its next stone, so a win or loss takes at least two plies more.
    int lower = loss_value(n + 2), upper = win_value(n + 2);
    const ResultBounds lines = pairing_.template bound_by_open_lines<Lines>(position);
    if (lines.lower == 0) lower = std::max(lower, 0);
    if (lines.upper == 0) upper = std::min(upper, 0);
    const auto [key, is_mirrored] = canonical_key(position, n);
    TableBounds stored{0, 0, -1};
    if (table_.find(key, stored)) {
        lower = std::max<int>(lower, stored.lower);
        upper = std::min<int>(upper, stored.upper);
    }
    if (lower >= beta || lower == upper) return lower;
    if (upper <= alpha) return upper;
    alpha = std::max(alpha, lower);
    beta = std::min(beta, upper);

    Moves list;
    const int count = order_moves<Lines>(position, moves, threats, mirror_column(stored.move, is_mirrored), list);
    int value = 0;
    const bool probe_replies = n < cells_ - kMinFreeToProbeReplies;
    if (probe_replies) prefetch_replies(position, n, list, count);
    if (follow_up_refutes<Lines>(position, list, count, beta, value)) return value;
    if (probe_replies && table_refutes(list, count, beta, value)) return value;

    const std::uint64_t positions_before = positions_;
    const bool is_shared = shared_ != nullptr && n < cells_ - kMinFreeToShare;
    int best = -kMaxCells, best_move = -1, floor = alpha, postponed = 0;
    for (int i = 0; i < count && best < beta; ++i) {
        if (list[i].upper <= floor) {
            if (list[i].upper > best) best = list[i].upper, best_move = list[i].column;
            continue;
        }
        const std::uint64_t reply = is_shared ? hash(list[i].reply_key) : 0;
        if (is_shared && i > 0 && i + postponed < count && shared_->is_busy(reply)) {
            std::rotate(&list[i], &list[i] + 1, &list[0] + count);
            ++postponed;
            --i;
            continue;
        }
        if (is_shared) shared_->enter(reply);
        const Position<L> next = position.play(list[i].drop);
        // Principal variation search: the first move gets the full window, the others a null window.
        const int ceiling = i == 0 ? beta : floor + 1;
        value = -recurse(Lines{}, Search{*this, next, n + 1, -ceiling, -floor});
        if (value > floor && value < beta && ceiling < beta)
            value = -recurse(Lines{}, Search{*this, next, n + 1, -beta, -floor});
        if (is_shared) shared_->leave(reply);
        if (is_stopped_) return 0;
        if (value > best) best = value, best_move = list[i].column;
        floor = std::max(floor, best);
    }
    // best is a lower bound if it is greater than alpha, and an upper bound if it is less than beta.
    const auto narrow = [](int x) { return static_cast<std::int8_t>(x); };
    table_.store(key,
                 {narrow(best > alpha ? best : lower), narrow(best < beta ? best : upper),
                  narrow(mirror_column(best_move, is_mirrored))},
                 positions_ - positions_before);
    return best;
}

// Calls f with the layout that the solver uses for a board: the fastest one whose table entries identify all positions.
// The small table entries do so up to eight columns.
template <class F>
decltype(auto) with_solver_layout(const Geometry& geometry, F&& f) {
    const int rows = geometry.rows(), cols = geometry.cols();
    if (Layout1x7::fits(rows, cols) && cols * Layout1x7::kStride > TranspositionTable<Layout1x7>::kSmallKeyBits)
        return f(Layout2x10{});
    return with_layout(rows, cols, f);
}

}  // namespace fourfall::solver

#include "search/solver/move_ordering.inl"
