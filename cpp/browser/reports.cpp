// JSON of positions, analyses and solutions.
#include "browser/reports.hpp"

#include "browser/json_writer.hpp"
#include "game/notation.hpp"

namespace fourfall {
namespace {

std::optional<std::string_view> get_proof_name(const Score& score) {
    switch (score.proof()) {
        case Proof::kWin:
            return "win";
        case Proof::kDraw:
            return "draw";
        case Proof::kLoss:
            return "loss";
        case Proof::kNone:
            break;
    }
    return std::nullopt;
}

// Members of an object that has a score. Without `has_score`, the score is a guess.
void write_score_members(JsonWriter& json, const Score& score, bool has_score = true) {
    constexpr int kDecimals = 4;
    json.key("win_chance");
    has_score ? json.write(score.win_chance(), kDecimals) : json.write(std::nullopt);
    json.write_member("proof", get_proof_name(score));
    json.write_member("distance", score.is_exact() ? std::optional(score.distance()) : std::nullopt);
}

void write_score(JsonWriter& json, std::string_view name, const Score& score) {
    json.key(name).write_object([&] { write_score_members(json, score); });
}

void write_bounds(JsonWriter& json, const solver::ScoreBounds& bounds) {
    if (bounds.is_exact())
        write_score(json, "score", bounds.lower);
    else
        json.write_member("score", std::nullopt);
    write_score(json, "lower", bounds.lower);
    write_score(json, "upper", bounds.upper);
}

void write_outcome(JsonWriter& json, const std::optional<Outcome>& outcome) {
    json.key("outcome");
    if (!outcome) return json.write(std::nullopt);
    json.write_object([&] {
        json.write_member("winner", outcome->winner);
        json.write_member("ending", std::string_view(outcome->winner ? "win" : "tie"));
        json.write_member("cells", outcome->cells);
        json.write_member("detail", std::string_view());
    });
}

std::vector<int> list_legal_columns(const Board& board) {
    std::vector<int> columns;
    for (int column = 0; column < board.geometry().cols(); ++column)
        if (board.is_legal(column)) columns.push_back(column);
    return columns;
}

}  // namespace

std::string describe_position(const Board& board) {
    JsonWriter json;
    json.write_object([&] {
        json.write_member("position", std::string_view(notation(board)));
        json.write_member("rows", board.geometry().rows());
        json.write_member("cols", board.geometry().cols());
        json.write_member("hole", board.geometry().hole());
        json.write_member("ply", board.ply());
        json.write_member("turn", board.turn());
        json.write_member("moves", std::vector<int>(board.moves().begin(), board.moves().end()));
        json.write_member("legal", list_legal_columns(board));
        json.write_member("last", board.ply() > 0 ? std::optional(board.last_cell()) : std::nullopt);
        write_outcome(json, board.outcome());
        json.write_member("threats", std::vector{board.threats(0), board.threats(1)});
    });
    return json.take();
}

std::string describe_analysis(const Analysis& analysis) {
    const double speed = analysis.seconds > 0 ? static_cast<double>(analysis.simulations) / analysis.seconds : 0;
    JsonWriter json;
    json.write_object([&] {
        json.write_member("move", analysis.move);
        write_score(json, "score", analysis.score);
        json.key("columns").write_array(analysis.columns, [&](const ColumnAnalysis& column) {
            json.write_object([&] {
                json.write_member("column", column.column);
                json.write_member("visits", column.visits);
                write_score_members(json, column.score, column.has_score());
                json.write_member("pv", column.pv);
            });
        });
        json.write_member("pv", analysis.pv);
        json.write_member("simulations", analysis.simulations);
        json.write_member("evaluations", analysis.evaluations);
        json.write_member("nodes", analysis.nodes);
        json.key("simulations_per_second").write(speed, 0);
        json.write_member("depth", analysis.depth);
        json.key("seconds").write(analysis.seconds, 3);
        json.write_member("stopped_by", std::string_view(analysis.stopped_by));
    });
    return json.take();
}

std::string describe_solution(const solver::Solution& solution) {
    JsonWriter json;
    json.write_object([&] {
        write_bounds(json, solution.bounds);
        json.write_member("pv", solution.pv);
        json.key("columns").write_array(solution.columns, [&](const solver::ColumnSolution& column) {
            json.write_object([&] {
                json.write_member("column", column.column);
                write_bounds(json, column.bounds);
            });
        });
        json.write_member("positions", solution.positions);
        json.key("seconds").write(solution.seconds, 3);
    });
    return json.take();
}

std::string describe_evaluation(const Board& board, const network::NetworkOutput& output) {
    std::vector<std::optional<float>> logits;
    for (int column = 0; column < board.geometry().cols(); ++column)
        logits.push_back(board.is_legal(column) ? std::optional(output.logits[static_cast<std::size_t>(column)])
                                                : std::nullopt);
    JsonWriter json;
    json.write_object([&] {
        json.write_member("value", output.value);
        json.write_member("logits", logits);
    });
    return json.take();
}

}  // namespace fourfall
