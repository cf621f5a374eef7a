#include "search/solver/solver.hpp"

#include <algorithm>

#include "search/solver/alpha_beta.hpp"

namespace fourfall::solver {
namespace {

template <class L>
class LayoutSolver final : public Solver {
public:
    LayoutSolver(const Geometry& geometry, std::uint64_t memory_bytes)
        : cells_(geometry.cells()), search_(geometry, memory_bytes) {}

    Solution solve(const Board& board, bool columns, const Budget& budget, Clock::Time asked,
                   Control& control) override {
        clock_.start(asked, budget.time_s);
        search_.begin(budget.positions, clock_, control);
        solution_ = Solution{};
        const Position<L> root = relaid<L, WideLayout>(board.position());
        const int n = board.ply();
        if (columns) solve_columns(root, n);
        const Window window = solve_root(root, n);
        if (window.lower == window.upper && !search_.stopped()) solution_.pv = line(root, n, window.lower);
        clock_.finish();
        return progress();
    }

    const Solution& progress() override {
        solution_.positions = search_.positions();
        solution_.seconds = clock_.seconds();
        return solution_;
    }

private:
    using Bits = typename L::Bits;
    struct Window {
        int lower, upper;
    };

    Score score_of(int value, int n) const {
        if (value > 0) return Score::exact(Proof::kWin, 2 * (search_.win_next(n) - value) + 1);
        if (value < 0) return Score::exact(Proof::kLoss, 2 * (value - search_.lose_next(n)) + 2);
        return Score::exact(Proof::kDraw, cells_ - n);
    }

    Position<L> after(const Position<L>& position, int column) const {
        const auto& masks = search_.masks();
        return position.play(position.drops(masks) & masks.column[column]);
    }

    // Narrows the window until it is one value or time is up: who wins first, then how soon, in steps that double away
    // from a draw until they are halves of what is left. `report` hears of every narrower window.
    template <class Report>
    Window settle(const Position<L>& position, int n, Report&& report) {
        const auto& masks = search_.masks();
        assert(!position.is_lost());
        if (n == cells_) return settled(0, report);
        if (position.wins(masks).any()) return settled(search_.win_next(n), report);
        if (position.safe(masks).none()) return settled(search_.lose_next(n), report);
        Window window{search_.lose_next(n + 2), search_.win_next(n + 2)};
        while (window.lower < window.upper) {
            report(window);
            const int middle = split(window);
            const int value = search_.search(position, n, middle, middle + 1);
            if (search_.stopped()) break;
            (value <= middle ? window.upper : window.lower) = value;
        }
        report(window);
        return window;
    }
    // Whether the value is more than this is to be asked next.
    static int split(const Window& window) {
        if (window.lower > 0) return std::min(2 * window.lower - 1, (window.lower + window.upper) / 2);
        if (window.upper < 0) return -1 - split({-window.upper, -window.lower});
        return window.upper > 0 ? 0 : -1;
    }
    template <class Report>
    static Window settled(int value, Report& report) {
        report(Window{value, value});
        return {value, value};
    }

    Window solve_root(const Position<L>& root, int n) {
        return settle(root, n, [&](const Window& window) {
            solution_.range = {score_of(window.lower, n), score_of(window.upper, n)};
        });
    }

    void solve_columns(const Position<L>& root, int n) {
        const auto& masks = search_.masks();
        for (Bits drops = root.drops(masks); drops.any(); drops &= ~drops.lowest())
            solution_.columns.push_back({L::col_of(drops.lowest_index()), Solution{}.range});
        for (ColumnSolution& column : solution_.columns) {
            const Position<L> next = after(root, column.column);
            if (next.is_lost()) {
                column.range = {score_of(search_.win_next(n), n), score_of(search_.win_next(n), n)};
                continue;
            }
            settle(next, n + 1, [&](const Window& window) {
                column.range = {score_of(-window.upper, n), score_of(-window.lower, n)};
            });
        }
    }

    // Perfect play from a position of known value: at every ply the first move that keeps it. Empty if time runs out.
    std::vector<int> line(Position<L> position, int n, int value) {
        std::vector<int> moves;
        const auto& masks = search_.masks();
        for (; n < cells_ && !position.is_lost(); ++n, value = -value) {
            Bits candidates = position.wins(masks);
            if (candidates.none()) candidates = position.safe(masks);
            // Where every move loses, one of the blocks prolongs nothing but looks best.
            if (candidates.none()) candidates = position.drops(masks) & L::completing(position.theirs);
            if (candidates.none()) candidates = position.drops(masks);
            const int known = search_.known_move(position, n);
            Bits drop = known >= 0 ? candidates & masks.column[known] : Bits{};
            if (drop.none() || !keeps(position.play(drop), n + 1, -value)) {
                candidates &= ~drop;
                while (candidates.several() && !keeps(position.play(candidates.lowest()), n + 1, -value))
                    candidates &= ~candidates.lowest();
                drop = candidates.lowest();
            }
            if (search_.stopped()) return {};
            moves.push_back(L::col_of(drop.lowest_index()));
            position = position.play(drop);
        }
        return moves;
    }
    // Whether a position, worth at least `value` to its side to move, is worth no more.
    bool keeps(const Position<L>& position, int n, int value) {
        if (position.is_lost() || n == cells_ || position.wins(search_.masks()).any()) return true;
        return search_.search(position, n, value, value + 1) <= value;
    }

    int cells_;
    AlphaBeta<L> search_;
    Clock clock_;
    Solution solution_;
};

}  // namespace

std::unique_ptr<Solver> make_solver(const Geometry& geometry, std::uint64_t memory_bytes) {
    const auto make = [&]<class L>(L) -> std::unique_ptr<Solver> {
        return std::make_unique<LayoutSolver<L>>(geometry, memory_bytes);
    };
    return with_solver_layout(geometry, make);
}

}  // namespace fourfall::solver
