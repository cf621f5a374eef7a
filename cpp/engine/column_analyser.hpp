// Analyses every column of a position: a search of the position, and searches below the columns that it neglects.
#pragma once

#include <cstdint>
#include <functional>
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
    using OnSnapshot = std::function<void(const Analysis&)>;

    ColumnAnalyser(const EngineConfig& config, const Geometry& geometry, std::uint64_t seed,
                   std::uint64_t memory_bytes);

    // Analyses the position with `main` and the searches below the columns until the limit, which counts all
    // simulations. Every column gets at least one simulation, even if the limit is less. The parameters are those of
    // Searcher::run.
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
    struct Request {
        Searcher& main;
        const Board& board;
        Limit limit;
        Clock::Time requested;
        Control& control;
        const OnSnapshot& on_snapshot;
    };

    static Schedule make_schedule(const EngineConfig& config);
    void set_board(const Board& board);
    bool is_interrupted(const Request& request) { return request.control.stop.load() || clock_.has_expired(); }
    std::uint64_t remaining_simulations(const Request& request) const;
    void run_main(const Request& request);
    void search_columns(const Request& request, std::uint64_t visits, const Limit& limit);
    void search_below(Column& column, const Request& request, const Limit& limit);
    std::uint64_t visits_in_main(int column) const;

    Analysis merge(const Analysis& analysis, const Request& request, std::uint64_t max_positions);
    static ScoredLine choose_source(const ColumnAnalysis& from_main, const Column& column, const Request& request);
    void complete_line(Column& column, ScoredLine& line, const Request& request, std::uint64_t max_positions);

    Schedule schedule_;
    Limit default_limit_;
    std::unique_ptr<Searcher> searcher_;  // below the columns
    ProofLines proof_lines_;
    Clock clock_;

    std::optional<Board> board_;   // the position of columns_
    std::vector<Column> columns_;  // every legal column
    std::uint64_t reused_visits_ = 0;
    Analysis main_;  // latest result of the main search
    std::uint64_t main_simulations_ = 0, main_evaluations_ = 0, column_simulations_ = 0, column_evaluations_ = 0;
    std::uint64_t column_memory_bytes_ = 0;
    int depth_ = 0;
};

}  // namespace fourfall
