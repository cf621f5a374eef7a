// Solves positions and columns with null-window searches, and extracts the principal variation.
#include "search/solver/solver.hpp"

#include <algorithm>
#include <utility>

#include "search/solver/alpha_beta.hpp"
#include "search/solver/search_team.hpp"

namespace fourfall::solver {
namespace {

template <class L>
class LayoutSolver final : public Solver {
public:
    LayoutSolver(const Geometry& geometry, std::shared_ptr<TableMemory> memory, int threads)
        : cells_(geometry.cells()), search_(geometry, memory), team_(geometry, std::move(memory), threads) {}

    Solution solve(const Board& board, bool columns, const Budget& budget, Clock::Time requested,
                   Control& control) override {
        clock_.start(requested, budget.time_s);
        search_.begin(budget.positions, clock_, control);
        solution_ = Solution{};
        const Position<L> root = convert_layout<L, WideLayout>(board.position());
        const int n = board.ply();
        if (columns) solve_columns(root, n);
        const ValueBounds bounds = solve_root(root, n);
        if (bounds.lower == bounds.upper && !search_.is_stopped())
            solution_.pv = principal_variation(root, n, bounds.lower);
        clock_.finish();
        update_counts();
        return std::move(solution_);
    }

    Solution solve_proven(const Board& board, const Score& claim, const Budget& budget, Clock::Time requested,
                          Control& control) override {
        clock_.start(requested, budget.time_s);
        search_.begin(budget.positions, clock_, control);
        solution_ = Solution{{claim, claim}, {}, {}};
        const Position<L> root = convert_layout<L, WideLayout>(board.position());
        const int n = board.ply();
        if (const std::optional<int> value = narrow_distance(root, n, claim)) {
            solution_.pv = principal_variation(root, n, *value);
            if (!search_.is_stopped()) solution_.bounds = {score_of(*value, n), score_of(*value, n)};
        }
        clock_.finish();
        update_counts();
        return std::move(solution_);
    }

    const Solution& progress() override {
        update_counts();
        return solution_;
    }

    void clear() override {
        team_.clear();
        search_.clear_table();
    }

private:
    using Bits = typename L::Bits;
    // Bounds on a value of AlphaBeta.
    struct ValueBounds {
        int lower, upper;
    };

    void update_counts() {
        solution_.positions = search_.positions();
        solution_.seconds = clock_.seconds();
    }

    Score score_of(int value, int n) const {
        if (value > 0) return Score::exact(Proof::kWin, 2 * (search_.win_value(n) - value) + 1);
        if (value < 0) return Score::exact(Proof::kLoss, 2 * (value - search_.loss_value(n)) + 2);
        return Score::exact(Proof::kDraw, cells_ - n);
    }

    Position<L> play_column(const Position<L>& position, int column) const {
        const auto& masks = search_.masks();
        return position.play(position.drops(masks) & masks.column[column]);
    }

    // Searches with the null window (alpha, alpha + 1).
    int search(const Position<L>& position, int n, int alpha) {
        return team_.search(search_, position, n, alpha, alpha + 1);
    }

    // Narrows the bounds until they are equal or a limit is reached. The first null-window searches decide the result,
    // the others the distance. `report` is called with every new pair of bounds.
    template <class Report>
    ValueBounds narrow_bounds(const Position<L>& position, int n, Report&& report) {
        const auto& masks = search_.masks();
        assert(!position.is_lost());
        if (n == cells_) return report_exact(0, report);
        if (position.winning_drops(masks).any()) return report_exact(search_.win_value(n), report);
        if (position.safe_drops(masks).none()) return report_exact(search_.loss_value(n), report);
        ValueBounds bounds{search_.loss_value(n + 2), search_.win_value(n + 2)};
        narrow_from_near_end(position, n, bounds, report);
        while (bounds.lower < bounds.upper && !search_.is_stopped()) {
            report(bounds);
            const int alpha = choose_alpha(bounds);
            const int value = search(position, n, alpha);
            if (search_.is_stopped()) break;
            (value <= alpha ? bounds.upper : bounds.lower) = value;
        }
        report(bounds);
        return bounds;
    }
    // Returns the value of a position that is won or lost according to `claim`. The first null-window search tests the
    // distance of the claim; the following ones bisect shorter distances, or try longer ones in turn. Returns nothing
    // if a limit is reached or the claim is false.
    std::optional<int> narrow_distance(const Position<L>& position, int n, const Score& claim) {
        const auto& masks = search_.masks();
        if (position.winning_drops(masks).any()) return search_.win_value(n);
        if (position.safe_drops(masks).none()) return search_.loss_value(n);
        const bool is_win = claim.proof() == Proof::kWin;
        ValueBounds bounds =
            is_win ? ValueBounds{1, search_.win_value(n + 2)} : ValueBounds{search_.loss_value(n + 2), -1};
        const int claimed = is_win ? search_.win_value(n) - (claim.distance() - 1) / 2
                                   : search_.loss_value(n) + (claim.distance() - 2) / 2;
        int alpha = is_win ? claimed - 1 : claimed;
        while (bounds.lower < bounds.upper) {
            alpha = std::clamp(alpha, bounds.lower, bounds.upper - 1);
            const int value = search(position, n, alpha);
            if (search_.is_stopped()) return std::nullopt;
            (value <= alpha ? bounds.upper : bounds.lower) = value;
            const bool is_confirmed = is_win ? bounds.lower >= claimed : bounds.upper <= claimed;
            alpha = is_confirmed ? (bounds.lower + bounds.upper - 1) / 2 : is_win ? bounds.upper - 1 : bounds.lower;
        }
        return bounds.lower == bounds.upper && is_reached(position, n, bounds.lower) ? std::optional(bounds.lower)
                                                                                     : std::nullopt;
    }
    // Whether a position is won at least with this positive value, or lost at least with this negative one. The bounds
    // of `narrow_distance` are only as true as its claim: with a false claim they can meet at a value never tested.
    bool is_reached(const Position<L>& position, int n, int value) {
        const int found = search(position, n, value > 0 ? value - 1 : value);
        return !search_.is_stopped() && (value > 0 ? found >= value : found <= value);
    }
    // Narrows the bounds from their ends: whether the game is won in 3 plies, lost in 4, won in 5 and so on. Such a
    // search cannot be deep, so that a near end of the game is found long before a search that must see all of it. In
    // other positions it is a small part of the work: it ends after `count_near_positions` positions, or after an
    // eighth of those that remain until the limit.
    template <class Report>
    void narrow_from_near_end(const Position<L>& position, int n, ValueBounds& bounds, Report& report) {
        std::uint64_t most = count_near_positions(cells_ - n);
        if (const auto share = search_.share_of_positions(8)) most = std::min(most, *share);
        const std::uint64_t end = search_.positions() + most;
        while (bounds.lower < bounds.upper && search_.positions() < end) {
            report(bounds);
            const int alpha = bounds.upper >= -bounds.lower ? bounds.upper - 1 : bounds.lower;
            const std::optional<int> value =
                search_.search_within(position, n, alpha, alpha + 1, end - search_.positions());
            if (!value) return;
            (*value <= alpha ? bounds.upper : bounds.lower) = *value;
        }
    }
    // About a tenth of the positions that a hard position with as many free cells takes, up to 2^18. Late positions are
    // solved too fast for it.
    static std::uint64_t count_near_positions(int free) {
        constexpr int kMinFree = 15, kMaxFree = 40;
        return free < kMinFree ? 0 : std::uint64_t{1} << (std::min(free, kMaxFree) * 5 / 11);
    }

    // Returns the alpha of the next null-window search. Alpha doubles away from a draw, up to half of the interval.
    static int choose_alpha(const ValueBounds& bounds) {
        if (bounds.lower > 0) return std::min(2 * bounds.lower - 1, (bounds.lower + bounds.upper) / 2);
        if (bounds.upper < 0) return -1 - choose_alpha({-bounds.upper, -bounds.lower});
        return bounds.upper > 0 ? 0 : -1;
    }
    template <class Report>
    static ValueBounds report_exact(int value, Report& report) {
        report(ValueBounds{value, value});
        return {value, value};
    }

    ValueBounds solve_root(const Position<L>& root, int n) {
        return narrow_bounds(root, n, [&](const ValueBounds& bounds) {
            solution_.bounds = {score_of(bounds.lower, n), score_of(bounds.upper, n)};
        });
    }

    void solve_columns(const Position<L>& root, int n) {
        const auto& masks = search_.masks();
        for (Bits drops = root.drops(masks); drops.any(); drops &= ~drops.lowest())
            solution_.columns.push_back({L::col_of(drops.lowest_index()), Solution{}.bounds});
        for (ColumnSolution& column : solution_.columns) {
            const Position<L> next = play_column(root, column.column);
            if (next.is_lost()) {
                column.bounds = {score_of(search_.win_value(n), n), score_of(search_.win_value(n), n)};
                continue;
            }
            narrow_bounds(next, n + 1, [&](const ValueBounds& bounds) {
                column.bounds = {score_of(-bounds.upper, n), score_of(-bounds.lower, n)};
            });
        }
    }

    // Returns perfect play from a position of known value: at every ply the first move that preserves the value. Empty
    // if a limit is reached.
    std::vector<int> principal_variation(Position<L> position, int n, int value) {
        std::vector<int> moves;
        moves.reserve(static_cast<std::size_t>(score_of(value, n).distance()));
        const auto& masks = search_.masks();
        for (; n < cells_ && !position.is_lost(); ++n, value = -value) {
            Bits candidates = position.winning_drops(masks);
            int table_move = -1;
            if (candidates.none()) {
                candidates = position.safe_drops(masks);
                // The table has no positions with an immediate win or without a safe move.
                if (candidates.any()) table_move = search_.table_move(position, n);
            }
            // If every move loses at once, a block is no longer than the others but is the more natural move.
            if (candidates.none()) candidates = position.drops(masks) & L::completing_cells(position.theirs);
            if (candidates.none()) candidates = position.drops(masks);
            Bits drop = table_move >= 0 ? candidates & masks.column[table_move] : Bits{};
            if (drop.none() || !is_at_most(position.play(drop), n + 1, -value)) {
                candidates &= ~drop;
                while (candidates.has_several() && !is_at_most(position.play(candidates.lowest()), n + 1, -value))
                    candidates &= ~candidates.lowest();
                drop = candidates.lowest();
            }
            if (search_.is_stopped()) return {};
            moves.push_back(L::col_of(drop.lowest_index()));
            position = position.play(drop);
        }
        return moves;
    }
    // Whether the value of a position, which is at least `value`, is not greater.
    bool is_at_most(const Position<L>& position, int n, int value) {
        if (position.is_lost() || n == cells_ || position.winning_drops(search_.masks()).any()) return true;
        return search(position, n, value) <= value;
    }

    int cells_;
    AlphaBeta<L> search_;
    SearchTeam<L> team_;
    Clock clock_;
    Solution solution_;
};

}  // namespace

std::unique_ptr<Solver> make_solver(const Geometry& geometry, std::uint64_t memory_bytes, int threads) {
    return make_solver(geometry, std::make_shared<TableMemory>(memory_bytes), threads);
}

std::unique_ptr<Solver> make_solver(const Geometry& geometry, std::shared_ptr<TableMemory> memory, int threads) {
    const auto make = [&]<class L>(L) -> std::unique_ptr<Solver> {
        return std::make_unique<LayoutSolver<L>>(geometry, std::move(memory), threads);
    };
    return with_solver_layout(geometry, make);
}

}  // namespace fourfall::solver
