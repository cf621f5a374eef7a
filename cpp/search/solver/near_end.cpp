// Tests whether the game is won with the next stone, lost in two plies, won in three, lost in four or won in five.
#include "search/solver/near_end.hpp"

#include <chrono>
#include <optional>

#include "game/position.hpp"

namespace fourfall::solver {
namespace {

template <class L>
class NearEnd {
public:
    using Bits = typename L::Bits;
    struct Result {
        Score score;
        Bits move;  // the first move that preserves the score
    };

    explicit NearEnd(const Geometry& geometry) : masks_(geometry) {}

    std::uint64_t positions() const { return positions_; }

    // Returns nothing if the game may take longer. `free` is the number of free cells. If the result is known, it is
    // known for the position after the move, too.
    std::optional<Result> solve(const Position<L>& position, int free) {
        const Bits wins = position.winning_drops(masks_);
        if (wins.any()) return Result{Score::exact(Proof::kWin, 1), wins.lowest()};
        const Bits moves = find_safe_moves(position);
        if (moves.none()) return Result{Score::exact(Proof::kLoss, 2), choose_block(position)};
        if (free <= 2) return Result{Score::exact(Proof::kDraw, free), moves.lowest()};

        Bits forcing{};  // moves that leave the opponent one safe reply
        for (Bits left = moves; left.any(); left &= ~left.lowest()) {
            const Bits move = left.lowest(), replies = find_safe_moves(position.play(move));
            if (replies.none()) return Result{Score::exact(Proof::kWin, 3), move};
            if (!replies.has_several()) forcing |= move;
        }
        if (free == 3) return Result{Score::exact(Proof::kDraw, free), moves.lowest()};
        const Bits defence = find_defence(position, moves);
        if (defence.none()) return Result{Score::exact(Proof::kLoss, 4), moves.lowest()};
        if (free == 4) return Result{Score::exact(Proof::kDraw, free), defence};
        const Bits win = find_win_in_5(position, free == 5 ? moves : forcing);
        if (win.any()) return Result{Score::exact(Proof::kWin, 5), win};
        if (free == 5) return Result{Score::exact(Proof::kDraw, free), defence};
        return std::nullopt;
    }

private:
    // Counts a position in which the side to move has no immediate win. Not inlined: small code matters more than the
    // calls, because most calls of the solver find it outside of the processor's cache.
    [[gnu::noinline]] Bits find_safe_moves(const Position<L>& position) {
        ++positions_;
        return position.safe_drops(masks_);
    }

    // If every move loses at once, a block is no longer than the others but is the more natural move.
    Bits choose_block(const Position<L>& position) const {
        const Bits drops = position.drops(masks_), blocks = drops & L::completing_cells(position.theirs);
        return (blocks.any() ? blocks : drops).lowest();
    }

    bool wins_in_3(const Position<L>& position) {
        for (Bits left = find_safe_moves(position); left.any(); left &= ~left.lowest())
            if (find_safe_moves(position.play(left.lowest())).none()) return true;
        return false;
    }
    // Returns the first of the safe moves after which the opponent does not win in three plies, or no cell.
    [[gnu::noinline]] Bits find_defence(const Position<L>& position, Bits moves) {
        while (moves.any() && wins_in_3(position.play(moves.lowest()))) moves &= ~moves.lowest();
        return moves.lowest();
    }
    // Returns the first of the safe moves after which the opponent loses in four plies, or no cell.
    Bits find_win_in_5(const Position<L>& position, const Bits& moves) {
        for (Bits left = moves; left.any(); left &= ~left.lowest()) {
            const Position<L> next = position.play(left.lowest());
            if (find_defence(next, find_safe_moves(next)).none()) return left.lowest();
        }
        return {};
    }

    Masks<L> masks_;
    std::uint64_t positions_ = 0;
};

template <class L>
bool solve_in_layout(const Board& board, Solution& solution) {
    NearEnd<L> search(board.geometry());
    auto position = convert_layout<L, WideLayout>(board.position());
    int free = board.geometry().cells() - board.ply();
    auto result = search.solve(position, free);
    if (!result) return false;
    solution.bounds = {result->score, result->score};
    const auto plies = static_cast<std::size_t>(result->score.distance());
    solution.pv.reserve(plies);
    while (result) {
        solution.pv.push_back(L::col_of(result->move.lowest_index()));
        if (solution.pv.size() == plies) break;
        position = position.play(result->move);
        result = search.solve(position, --free);
    }
    solution.positions = search.positions();
    return true;
}

// More than solve_near_end() ever searches.
constexpr std::uint64_t kMaxPositions = 4 * kMaxSide * kMaxSide;

}  // namespace

bool solve_near_end(const Board& board, bool columns, const Budget& budget, Clock::Time requested, Solution& solution) {
    if (columns || (budget.positions && *budget.positions < kMaxPositions)) return false;
    const Geometry& geometry = board.geometry();
    const bool is_solved =
        with_layout(geometry.rows(), geometry.cols(), [&]<class L>(L) { return solve_in_layout<L>(board, solution); });
    if (is_solved) solution.seconds = std::chrono::duration<double>(SteadyClock::now() - requested).count();
    return is_solved;
}

}  // namespace fourfall::solver
