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
      searcher_(make_searcher(with_one_thread(config), geometry, seed, compute_memory_bytes(config, memory_bytes))),
      proof_lines_(geometry),
      board_(geometry) {}

std::uint64_t ColumnAnalyser::compute_memory_bytes(const EngineConfig& config, std::uint64_t memory_bytes) {
    return std::max(memory_bytes / 8, get_min_memory_bytes(config));
}

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
    if (!columns_.empty() && board_ == board) {
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

std::uint64_t ColumnAnalyser::remaining_simulations() const {
    const auto& limit = request_->limit.simulations;
    if (!limit) return std::numeric_limits<std::uint64_t>::max();
    return *limit - std::min(*limit, main_simulations_ + column_simulations_);
}

Analysis ColumnAnalyser::run(Searcher& main, const Board& board, const Limit& limit, Clock::Time requested,
                             Control& control, const OnSnapshot& on_snapshot) {
    start(main, board, limit, requested, control);
    advance(std::nullopt, on_snapshot);
    return report();
}

void ColumnAnalyser::start(Searcher& main, const Board& board, const Limit& limit, Clock::Time requested,
                           Control& control) {
    request_ = std::make_unique<Request>(Request{main, limit.or_else(default_limit_), requested, control});
    request_->limit.stop_early = false;
    clock_.start(requested, request_->limit.time_s);
    set_board(board);
    result_.reset();
    slice_ = schedule_.first_slice;
    is_main_running_ = false;
    std::uint64_t visits = schedule_.first_visits;
    if (const auto& simulations = request_->limit.simulations)
        visits = std::clamp<std::uint64_t>(*simulations / (4 * columns_.size()), 1, visits);
    auto time_s = request_->limit.time_s;
    if (time_s) *time_s /= 4;
    start_columns(Stage::kFirstColumns, visits, time_s);
}

bool ColumnAnalyser::advance(PauseTime pause_at, const OnSnapshot& on_snapshot) {
    clock_.resume(pause_at);
    while (stage_ != Stage::kEnded)
        if (!advance_stage(pause_at, on_snapshot)) return false;
    return true;
}

// Finishes the present stage and sets the next one; returns false at a pause.
bool ColumnAnalyser::advance_stage(PauseTime pause_at, const OnSnapshot& on_snapshot) {
    switch (stage_) {
        case Stage::kFirstColumns:
            if (!search_columns(pause_at, on_snapshot)) return false;
            stage_ = Stage::kMain;
            return true;
        case Stage::kMain:
            if (!search_main(pause_at, on_snapshot)) return false;
            end_main_slice();
            return true;
        case Stage::kColumns:
            if (!search_columns(pause_at, on_snapshot)) return false;
            slice_ *= 2;
            stage_ = Stage::kMain;
            return true;
        case Stage::kFinalColumns:
            if (!search_columns(pause_at, on_snapshot)) return false;
            start_lines();
            return true;
        case Stage::kLines:
            if (!complete_lines()) return false;
            result_ = merge(main_, line_positions_);
            clock_.finish();
            stage_ = Stage::kEnded;
            return true;
        case Stage::kEnded:
            break;
    }
    return true;
}

Analysis ColumnAnalyser::report() {
    if (result_) return *result_;
    const bool has_main = !main_.columns.empty();
    Analysis analysis = is_main_running_ ? merge_running(request_->main.report(), kLastLinePositions)
                                         : merge(has_main ? main_ : list_columns(), kLastLinePositions);
    analysis.stopped_by.clear();
    return analysis;
}

// An empty result of the main search, which has not begun: the columns without visits.
Analysis ColumnAnalyser::list_columns() const {
    Analysis analysis;
    for (const Column& column : columns_)
        analysis.columns.push_back({column.column(), 0, Score::estimate(0), {column.column()}});
    const auto get_score = [](const Column& column) { return column.found.score; };
    analysis.move = std::ranges::max_element(columns_, {}, get_score)->column();
    return analysis;
}

void ColumnAnalyser::start_columns(Stage stage, std::uint64_t visits, std::optional<double> time_s) {
    stage_ = stage;
    round_ = {visits, time_s};
    below_.reset();
}

void ColumnAnalyser::start_lines() {
    stage_ = Stage::kLines;
    next_line_ = 0;
    line_positions_ = is_interrupted() ? kLastLinePositions : kLinePositions;
}

// Runs one slice of the main search.
bool ColumnAnalyser::search_main(PauseTime pause_at, const OnSnapshot& on_snapshot) {
    if (!is_main_running_) {
        Limit limit = request_->limit;
        const std::uint64_t remaining = std::max<std::uint64_t>(remaining_simulations(), 1);
        if (slice_ > 0 || limit.simulations) limit.simulations = slice_ > 0 ? std::min(slice_, remaining) : remaining;
        request_->main.start(board_, limit, request_->requested, request_->control);
        is_main_running_ = true;
    }
    const auto publish = [&](const Analysis& snapshot) { on_snapshot(merge_running(snapshot, kLinePositions)); };
    return request_->main.advance(pause_at, publish);
}

// The slices of the main search double in length. After each slice, neglected columns get their share.
void ColumnAnalyser::end_main_slice() {
    const bool is_first = main_.columns.empty();
    main_ = request_->main.report();
    is_main_running_ = false;
    main_simulations_ += main_.simulations;
    main_evaluations_ += main_.evaluations;
    depth_ = std::max(depth_, main_.depth);
    if (is_first) reused_visits_ += main_.reused_visits;
    const auto& time_s = request_->limit.time_s;
    const bool is_interrupted = main_.stopped_by == "time" || main_.stopped_by == "stop";
    const bool is_complete = main_.stopped_by == "simulations" && (slice_ == 0 || remaining_simulations() == 0);
    if (is_interrupted || is_complete)
        start_lines();
    else if (main_.stopped_by != "simulations")
        start_columns(Stage::kFinalColumns, schedule_.final_visits, time_s);
    else
        start_columns(Stage::kColumns, schedule_.first_visits + main_simulations_ / (kColumnShare * columns_.size()),
                      time_s);
}

std::uint64_t ColumnAnalyser::visits_in_main(int column) const {
    const auto found = std::ranges::find(main_.columns, column, &ColumnAnalysis::column);
    return found == main_.columns.end() ? 0 : found->visits;
}

// Gives every column that is not proven the visits of the round, as far as the limit allows, but at least one.
bool ColumnAnalyser::search_columns(PauseTime pause_at, const OnSnapshot& on_snapshot) {
    for (; round_.next < columns_.size(); ++round_.next) {
        Column& column = columns_[round_.next];
        if (!below_) {
            if (!needs_search(column)) continue;
            below_ = make_search_below(column);
        }
        if (!search_below(column, pause_at, on_snapshot)) return false;
        end_search_below(column);
        below_.reset();
    }
    return true;
}

bool ColumnAnalyser::needs_search(const Column& column) {
    const auto from_main = std::ranges::find(main_.columns, column.column(), &ColumnAnalysis::column);
    const bool is_proven_by_main = from_main != main_.columns.end() && from_main->score.is_exact();
    const std::uint64_t done = column.simulations + visits_in_main(column.column());
    if (column.found.score.is_exact() || is_proven_by_main || done >= round_.visits) return false;
    return done == 0 || (remaining_simulations() > 0 && !is_interrupted());
}

auto ColumnAnalyser::make_search_below(const Column& column) const -> std::unique_ptr<SearchBelow> {
    const std::uint64_t done = column.simulations + visits_in_main(column.column());
    // A tree search starts again: it repeats the simulations that are done.
    const std::uint64_t wanted = schedule_.first_slice > 0 ? round_.visits - done : round_.visits;
    const std::uint64_t simulations = std::clamp<std::uint64_t>(remaining_simulations(), 1, wanted);
    auto below =
        std::make_unique<SearchBelow>(SearchBelow{board_, {column.column()}, {round_.time_s, simulations, true}});
    below->board.push(column.column());
    return below;
}

// Searches the position after a column. Where a rule of the engine plays a move without a search, goes on below it.
bool ColumnAnalyser::search_below(Column& column, PauseTime pause_at, const OnSnapshot& on_snapshot) {
    const auto publish = [&](const Analysis&) {
        // Before the first result of the main search, the request stays pending.
        if (main_.columns.empty())
            request_->control.snapshot_wanted.store(true, std::memory_order_relaxed);
        else
            on_snapshot(merge(main_, kLinePositions));
    };
    while (!below_->board.is_over()) {
        auto& [next, line, limit, is_forced, score, is_started] = *below_;
        if (!is_started) searcher_->start(next, limit, request_->requested, request_->control);
        is_started = true;
        if (!searcher_->advance(pause_at, publish)) return false;
        is_started = false;
        const Analysis analysis = searcher_->report();
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
        is_forced[static_cast<std::size_t>(next.turn())] &= analysis.stopped_by == "block";
        next.push(analysis.move);
        line.push_back(analysis.move);
    }
    return true;
}

void ColumnAnalyser::end_search_below(Column& column) {
    const Board& end = below_->board;
    const auto outcome = end.outcome();
    Score reply = below_->score.value_or(Score::exact(outcome && outcome->winner ? Proof::kLoss : Proof::kDraw, 0));
    const int loser = reply.proof() == Proof::kLoss ? end.turn() : 1 - end.turn();
    const auto& is_forced = below_->is_forced;
    const bool is_sound =
        reply.proof() == Proof::kDraw ? is_forced[0] && is_forced[1] : is_forced[static_cast<std::size_t>(loser)];
    if (reply.is_exact() && !is_sound) reply = Score::estimate(reply.value());
    column.found = {fix_parity(score_before(reply, end.ply() - board_.ply())), std::move(below_->line)};
}

// Completes the lines of proven columns, for the result.
bool ColumnAnalyser::complete_lines() {
    for (; next_line_ < main_.columns.size(); ++next_line_) {
        const ColumnAnalysis& report = main_.columns[next_line_];
        clock_.has_expired();
        if (clock_.should_pause()) return false;
        choose_line(report, *std::ranges::find(columns_, report.column, &Column::column), line_positions_);
    }
    return true;
}

// Combines a result of the main search with those below the columns.
Analysis ColumnAnalyser::merge(const Analysis& analysis, std::uint64_t max_positions) {
    Analysis merged = analysis;
    for (ColumnAnalysis& report : merged.columns) {
        Column& column = *std::ranges::find(columns_, report.column, &Column::column);
        ScoredLine line = choose_line(report, column, max_positions);
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

// The same for the running slice of the main search.
Analysis ColumnAnalyser::merge_running(const Analysis& snapshot, std::uint64_t max_positions) {
    Analysis merged = merge(snapshot, max_positions);
    merged.simulations += snapshot.simulations;
    merged.evaluations += snapshot.evaluations;
    return merged;
}

ScoredLine ColumnAnalyser::choose_line(const ColumnAnalysis& from_main, Column& column, std::uint64_t max_positions) {
    ScoredLine line = choose_source(from_main, column);
    complete_line(column, line, max_positions);
    return line;
}

// Chooses between the results of both searches: proven results first, then the one with more simulations.
ScoredLine ColumnAnalyser::choose_source(const ColumnAnalysis& from_main, const Column& column) const {
    const Score main_score = from_main.score.is_exact() ? fix_parity(from_main.score) : from_main.score;
    const Score& own_score = column.found.score;
    const bool prefers_main =
        main_score.is_exact() && own_score.is_exact()
            ? main_score.distance() < own_score.distance()
            : main_score.is_exact() || (!own_score.is_exact() && from_main.visits > column.simulations);
    return prefers_main ? ScoredLine{main_score, request_->main.column_pv(from_main.column)} : column.found;
}

// Continues the line of a proven column to the end of the game; keeps the result for the same claim.
void ColumnAnalyser::complete_line(Column& column, ScoredLine& line, std::uint64_t max_positions) {
    if (!line.score.is_exact()) return;
    if (column.claim != line.score ||
        (column.line_positions < max_positions && !ProofLines::is_complete(board_, column.line))) {
        column.claim = line.score;
        column.line = proof_lines_.complete(board_, line, max_positions, request_->control);
        column.line_positions = max_positions;
    }
    line = column.line;
}

}  // namespace fourfall
