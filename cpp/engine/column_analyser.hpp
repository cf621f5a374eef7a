// Analyses every column of a position: a search of the position, and searches below the columns that it neglects.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/config.hpp"
#include "engine/proof_lines.hpp"
#include "search/analysis.hpp"
#include "search/limits.hpp"
#include "search/searcher.hpp"

namespace fourfall {

// A search for the best move neglects the others: it prunes moves that lose at once, hardly visits bad ones, and ends
// when the best move is proven or a rule chooses it. This class gives every column a score. Wins, losses and draws in
// one or two plies need no search. The other columns get a minimum of simulations in searches of the positions after
// them. These use a search of their own, so the search of the position itself is the one that plays.
class ColumnAnalyser {
public:
    using OnSnapshot = Searcher::OnSnapshot;
    using PauseTime = std::optional<Clock::Time>;

    ColumnAnalyser(const EngineConfig& config, const Geometry& geometry, std::uint64_t seed,
                   std::uint64_t memory_bytes);

    // Memory of the searches below the columns if the main search has `memory_bytes`.
    static std::uint64_t compute_memory_bytes(const EngineConfig& config, std::uint64_t memory_bytes);

    // Starts an analysis of the position with `main` and the searches below the columns until the limit, which counts
    // all simulations. Every column gets at least one simulation, even if the limit is less. The parameters are those
    // of Searcher::start; `main` must exist as long as `control`.
    void start(Searcher& main, const Board& board, const Limit& limit, Clock::Time requested, Control& control);
    // Analyses until the end or a pause, as Searcher::advance.
    bool advance(PauseTime pause_at, const OnSnapshot& on_snapshot);
    // Result so far; `stopped_by` is empty until the end.
    Analysis report();

    // Analyses without a pause and returns the result.
    Analysis run(Searcher& main, const Board& board, const Limit& limit, Clock::Time requested, Control& control,
                 const OnSnapshot& on_snapshot);

private:
    struct Column {
        ScoredLine found;                  // by tactics, or by searches below the column
        std::uint64_t simulations = 0;     // in searches below the column
        std::optional<Score> claim;        // proof whose line was completed last
        ScoredLine line;                   // the completed line
        std::uint64_t line_positions = 0;  // solver positions that it was allowed
        int column() const { return found.moves.front(); }
    };
    // Numbers of simulations, which depend on the speed of the evaluation.
    struct Schedule {
        std::uint64_t first_visits;  // of every column, before the main search
        std::uint64_t first_slice;   // of the main search; 0 if the main search cannot be continued
        std::uint64_t final_visits;  // of every column, after a proof has ended the main search
    };
    // Work that is done in turn. After the main search has ended with a proof, the columns get their final visits; then
    // the lines of proven columns are completed.
    enum class Stage : std::uint8_t { kFirstColumns, kMain, kColumns, kFinalColumns, kLines, kEnded };
    struct Request {
        Searcher& main;
        Limit limit;
        Clock::Time requested;
        Control& control;
    };
    // Searches of the columns from `next` on, each until it has a number of visits.
    struct ColumnRound {
        std::uint64_t visits;
        std::optional<double> time_s;
        std::size_t next = 0;
    };
    // Search of the position after a column, or after the moves that rules of the engine play below it.
    struct SearchBelow {
        Board board;
        std::vector<int> line;
        Limit limit;
        // Whether the moves of each side have been forced so far: an alternative would have lost at once.
        std::array<bool, 2> is_forced{true, true};
        std::optional<Score> score{};  // for the side to move in `board`
        bool is_started = false;
    };

    static Schedule make_schedule(const EngineConfig& config);
    void set_board(const Board& board);
    bool is_interrupted() { return request_->control.stop.load() || clock_.has_expired(); }
    std::uint64_t remaining_simulations() const;
    bool advance_stage(PauseTime pause_at, const OnSnapshot& on_snapshot);
    void start_columns(Stage stage, std::uint64_t visits, std::optional<double> time_s);
    void start_lines();
    bool search_main(PauseTime pause_at, const OnSnapshot& on_snapshot);
    void end_main_slice();
    bool search_columns(PauseTime pause_at, const OnSnapshot& on_snapshot);
    bool needs_search(const Column& column);
    std::unique_ptr<SearchBelow> make_search_below(const Column& column) const;
    bool search_below(Column& column, PauseTime pause_at, const OnSnapshot& on_snapshot);
    void end_search_below(Column& column);
    bool complete_lines();
    std::uint64_t visits_in_main(int column) const;

    Analysis merge(const Analysis& analysis, std::uint64_t max_positions);
    Analysis list_columns() const;
    Analysis merge_running(const Analysis& snapshot, std::uint64_t max_positions);
    ScoredLine choose_line(const ColumnAnalysis& from_main, Column& column, std::uint64_t max_positions);
    ScoredLine choose_source(const ColumnAnalysis& from_main, const Column& column) const;
    void complete_line(Column& column, ScoredLine& line, std::uint64_t max_positions);

    Schedule schedule_;
    Limit default_limit_;
    std::unique_ptr<Searcher> searcher_;  // below the columns
    ProofLines proof_lines_;
    Clock clock_;

    std::unique_ptr<Request> request_;
    Stage stage_ = Stage::kEnded;
    ColumnRound round_{};
    std::unique_ptr<SearchBelow> below_;
    std::uint64_t slice_ = 0;           // simulations of the present or next slice of the main search
    bool is_main_running_ = false;      // whether that slice was started
    std::size_t next_line_ = 0;         // index in main_.columns
    std::uint64_t line_positions_ = 0;  // solver positions for the line of one column
    std::optional<Analysis> result_;    // after the end

    Board board_;                  // the position of columns_
    std::vector<Column> columns_;  // every legal column; none before the first analysis
    std::uint64_t reused_visits_ = 0;
    Analysis main_;  // latest result of the main search
    std::uint64_t main_simulations_ = 0, main_evaluations_ = 0, column_simulations_ = 0, column_evaluations_ = 0;
    std::uint64_t column_memory_bytes_ = 0;
    int depth_ = 0;
};

}  // namespace fourfall
