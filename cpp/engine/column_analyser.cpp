// The analysis of every column: slices of the main search alternate with searches below neglected columns.
#include "engine/column_analyser.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace fourfall {
namespace {

// Solver positions for the line of one proven column: during the analysis, and after its end.
constexpr std::uint64_t kLinePositions = 100'000, kLastLinePositions = 4'000;

constexpr std::uint64_t kColumnShare = 16;  // one simulation in so many is for neglected columns

bool is_rule(const std::string& stopped_by) { return stopped_by == "block" || stopped_by == "double threat"; }

// An even distance of a win, or an odd one of a loss, is a bound that the side with the other parity cannot reach.
Score fix_parity(const Score& score) {
    const bool is_odd = score.distance() % 2 != 0;
    const bool is_reachable = score.proof() == Proof::kWin ? is_odd : score.proof() != Proof::kLoss || !is_odd;
    return is_reachable ? score : Score::exact(score.proof(), score.distance() - 1);
}

// The result of a move that decides the game with this stone or with the next one.
std::optional<ScoredLine> find_tactical_result(const Board& board, int column) {
    Board next = board;
    next.push(column);
    if (const auto outcome = next.outcome())
        return ScoredLine{Score::exact(outcome->winner ? Proof::kWin : Proof::kDraw, 1), {column}};
    const auto wins = next.position().winning_drops(next.masks());
    if (wins.none()) return std::nullopt;
    return ScoredLine{Score::exact(Proof::kLoss, 2), {column, WideLayout::col_of(wins.lowest_index())}};
}

// The move of the main search, unless searches below the columns have proven that another one is better.
const ColumnAnalysis& choose_move(const Analysis& analysis) {
    const auto& best = *std::ranges::max_element(analysis.columns, {}, &ColumnAnalysis::score);
    const auto& chosen = *std::ranges::find(analysis.columns, analysis.move, &ColumnAnalysis::column);
    const bool is_won = best.score.proof() == Proof::kWin;
    const bool is_lost = chosen.score.proof() == Proof::kLoss && best.score.proof() != Proof::kLoss;
    return (is_won || is_lost) && best.score > chosen.score ? best : chosen;
}

EngineConfig with_one_thread(EngineConfig config) {
    if (auto* graph = std::get_if<graph::GraphConfig>(&config)) graph->threads = 1;
    return config;
}

}  // namespace

ColumnAnalyser::ColumnAnalyser(const EngineConfig& config, const Geometry& geometry, std::uint64_t seed,
                               std::uint64_t memory_bytes)
    : schedule_(make_schedule(config)),
      default_limit_(
          std::visit([](const auto& own) { return Limit{own.move_time_s, own.simulations, false}; }, config)),
      searcher_(make_searcher(with_one_thread(config), geometry, seed,
                              std::max(memory_bytes / 8, get_min_memory_bytes(config)))),
      proof_lines_(geometry) {}

auto ColumnAnalyser::make_schedule(const EngineConfig& config) -> Schedule {
    const auto* graph = std::get_if<graph::GraphConfig>(&config);
    if (graph == nullptr) return {64, 0, 512};
    const bool is_slow = graph->evaluator == graph::EvaluatorKind::kNetwork;
    return is_slow ? Schedule{8, 64, 64} : Schedule{64, 1024, 512};
}

// Keeps the results below the columns if the position is that of the last analysis.
void ColumnAnalyser::set_board(const Board& board) {
    reused_visits_ = 0;
    main_ = Analysis{};
    main_simulations_ = main_evaluations_ = column_simulations_ = column_evaluations_ = 0;
    depth_ = 0;
    if (board_ && *board_ == board) {
        for (const Column& column : columns_) reused_visits_ += column.simulations;
        return;
    }
    board_ = board;
    columns_.clear();
    for (int column = 0; column < board.geometry().cols(); ++column)
        if (board.is_legal(column)) {
            columns_.emplace_back();
            columns_.back().found =
                find_tactical_result(board, column).value_or(ScoredLine{Score::estimate(0), {column}});
        }
}

std::uint64_t ColumnAnalyser::remaining_simulations(const Request& request) const {
    if (!request.limit.simulations) return std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t done = main_simulations_ + column_simulations_;
    return *request.limit.simulations - std::min(*request.limit.simulations, done);
}

Analysis ColumnAnalyser::run(Searcher& main, const Board& board, const Limit& limit, Clock::Time requested,
                             Control& control, const OnSnapshot& on_snapshot) {
    Request request{main, board, limit.or_else(default_limit_), requested, control, on_snapshot};
    request.limit.stop_early = false;
    clock_.start(requested, request.limit.time_s);
    set_board(board);

    std::uint64_t first_visits = schedule_.first_visits;
    if (request.limit.simulations)
        first_visits = std::clamp<std::uint64_t>(*request.limit.simulations / (4 * columns_.size()), 1, first_visits);
    Limit first_limit = request.limit;
    if (first_limit.time_s) *first_limit.time_s /= 4;
    search_columns(request, first_visits, first_limit);

    run_main(request);
    const bool is_complete =
        main_.stopped_by != "time" && main_.stopped_by != "simulations" && main_.stopped_by != "stop";
    if (is_complete) search_columns(request, schedule_.final_visits, request.limit);
    const Analysis analysis = merge(main_, request, is_interrupted(request) ? kLastLinePositions : kLinePositions);
    clock_.finish();
    return analysis;
}

// Runs the main search in slices that double in length. After each slice, neglected columns get their share.
void ColumnAnalyser::run_main(const Request& request) {
    std::uint64_t slice = schedule_.first_slice;
    for (bool is_first = true;; is_first = false) {
        Limit limit = request.limit;
        const std::uint64_t remaining = std::max<std::uint64_t>(remaining_simulations(request), 1);
        if (slice > 0 || limit.simulations) limit.simulations = slice > 0 ? std::min(slice, remaining) : remaining;
        const auto publish = [&](const Analysis& snapshot) {
            Analysis merged = merge(snapshot, request, kLinePositions);
            merged.simulations += snapshot.simulations;
            merged.evaluations += snapshot.evaluations;
            request.on_snapshot(merged);
        };
        main_ = request.main.run(request.board, limit, request.requested, request.control, publish);
        main_simulations_ += main_.simulations;
        main_evaluations_ += main_.evaluations;
        depth_ = std::max(depth_, main_.depth);
        if (is_first) reused_visits_ += main_.reused_visits;
        if (main_.stopped_by != "simulations" || slice == 0 || remaining_simulations(request) == 0) return;
        const std::uint64_t visits = schedule_.first_visits + main_simulations_ / (kColumnShare * columns_.size());
        search_columns(request, visits, request.limit);
        slice *= 2;
    }
}

std::uint64_t ColumnAnalyser::visits_in_main(int column) const {
    const auto found = std::ranges::find(main_.columns, column, &ColumnAnalysis::column);
    return found == main_.columns.end() ? 0 : found->visits;
}

// Gives every column that is not proven at least `visits` simulations, as far as the limit allows, but at least one.
void ColumnAnalyser::search_columns(const Request& request, std::uint64_t visits, const Limit& limit) {
    for (Column& column : columns_) {
        const auto from_main = std::ranges::find(main_.columns, column.column(), &ColumnAnalysis::column);
        const bool is_proven_by_main = from_main != main_.columns.end() && from_main->score.is_exact();
        const std::uint64_t done = column.simulations + visits_in_main(column.column());
        if (column.found.score.is_exact() || is_proven_by_main || done >= visits) continue;
        const std::uint64_t remaining = remaining_simulations(request);
        if (done > 0 && (remaining == 0 || is_interrupted(request))) continue;
        // A tree search starts again: it repeats the simulations that are done.
        const std::uint64_t wanted = schedule_.first_slice > 0 ? visits - done : visits;
        search_below(column, request, {limit.time_s, std::clamp<std::uint64_t>(remaining, 1, wanted), true});
    }
}

// Searches the position after a column. Where a rule of the engine plays a move without a search, goes on below it.
void ColumnAnalyser::search_below(Column& column, const Request& request, const Limit& limit) {
    Board next = request.board;
    next.push(column.column());
    std::vector<int> line{column.column()};
    // Whether the moves of each side have been forced so far: an alternative would have lost at once.
    bool is_forced[2] = {true, true};
    std::optional<Score> score;  // for the side to move in `next`
    while (!next.is_over()) {
        const auto publish = [&](const Analysis&) {
            // Before the first result of the main search, the request stays pending.
            if (main_.columns.empty())
                request.control.snapshot_wanted.store(true, std::memory_order_relaxed);
            else
                request.on_snapshot(merge(main_, request, kLinePositions));
        };
        const Analysis analysis = searcher_->run(next, limit, request.requested, request.control, publish);
        const std::uint64_t simulations = std::max<std::uint64_t>(analysis.simulations, 1);
        column.simulations += simulations;
        column_simulations_ += simulations;
        column_evaluations_ += analysis.evaluations;
        column_memory_bytes_ = analysis.memory_bytes;
        if (analysis.simulations > 0 || !is_rule(analysis.stopped_by)) {
            // The mean of all replies is steadier than the value of the best one after few simulations.
            score = analysis.score.is_exact() ? analysis.score : searcher_->tree(0).score;
            const std::vector<int> pv = searcher_->column_pv(analysis.move);
            line.insert(line.end(), pv.begin(), pv.end());
            break;
        }
        is_forced[next.turn()] &= analysis.stopped_by == "block";
        next.push(analysis.move);
        line.push_back(analysis.move);
    }
    const auto outcome = next.outcome();
    Score reply = score.value_or(Score::exact(outcome && outcome->winner ? Proof::kLoss : Proof::kDraw, 0));
    const int loser = reply.proof() == Proof::kLoss ? next.turn() : 1 - next.turn();
    const bool is_sound = reply.proof() == Proof::kDraw ? is_forced[0] && is_forced[1] : is_forced[loser];
    if (reply.is_exact() && !is_sound) reply = Score::estimate(reply.value());
    column.found = {fix_parity(score_before(reply, next.ply() - request.board.ply())), std::move(line)};
}

// Combines a result of the main search with those below the columns.
Analysis ColumnAnalyser::merge(const Analysis& analysis, const Request& request, std::uint64_t max_positions) {
    Analysis merged = analysis;
    for (ColumnAnalysis& report : merged.columns) {
        Column& column = *std::ranges::find(columns_, report.column, &Column::column);
        ScoredLine line = choose_source(report, column, request);
        complete_line(column, line, request, max_positions);
        report = {report.column, report.visits + column.simulations, line.score, std::move(line.moves)};
    }
    const ColumnAnalysis& move = choose_move(merged);
    merged.move = move.column;
    merged.score = move.score;
    merged.pv = move.pv;
    merged.simulations = main_simulations_ + column_simulations_;
    merged.evaluations = main_evaluations_ + column_evaluations_;
    merged.depth = std::max(depth_, analysis.depth);
    merged.reused_visits = reused_visits_;
    merged.memory_bytes += column_memory_bytes_ + proof_lines_.memory_bytes();
    merged.seconds = clock_.seconds();
    return merged;
}

// Chooses between the results of both searches: proven results first, then the one with more simulations.
ScoredLine ColumnAnalyser::choose_source(const ColumnAnalysis& from_main, const Column& column,
                                         const Request& request) {
    const Score main_score = from_main.score.is_exact() ? fix_parity(from_main.score) : from_main.score;
    const Score& own_score = column.found.score;
    const bool prefers_main =
        main_score.is_exact() && own_score.is_exact()
            ? main_score.distance() < own_score.distance()
            : main_score.is_exact() || (!own_score.is_exact() && from_main.visits > column.simulations);
    return prefers_main ? ScoredLine{main_score, request.main.column_pv(from_main.column)} : column.found;
}

// Continues the line of a proven column to the end of the game; keeps the result for the same claim.
void ColumnAnalyser::complete_line(Column& column, ScoredLine& line, const Request& request,
                                   std::uint64_t max_positions) {
    if (!line.score.is_exact()) return;
    if (column.claim != line.score ||
        (column.line_positions < max_positions && !ProofLines::is_complete(request.board, column.line))) {
        column.claim = line.score;
        column.line = proof_lines_.complete(request.board, line, max_positions, request.control);
        column.line_positions = max_positions;
    }
    line = column.line;
}

}  // namespace fourfall
