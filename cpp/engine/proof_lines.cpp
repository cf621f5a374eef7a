// Extends lines of proven moves with the exact solver, which starts from the known distance.
#include "engine/proof_lines.hpp"

#include "platform/clock.hpp"

namespace fourfall {

Score score_before(const Score& score, int plies) {
    const Score seen = plies % 2 == 0 ? score : -score;
    return seen.is_exact() ? Score::exact(seen.proof(), seen.distance() + plies) : seen;
}

bool ProofLines::is_complete(const Board& board, const ScoredLine& line) {
    if (static_cast<int>(line.moves.size()) != line.score.distance()) return false;
    Board end = board;
    for (const int column : line.moves) {
        if (!end.is_legal(column)) return false;
        end.push(column);
    }
    const auto outcome = end.outcome();
    if (!outcome) return false;
    const auto winner = outcome->winner;
    return line.score.proof() == Proof::kDraw
               ? !winner
               : winner && (*winner == board.turn()) == (line.score.proof() == Proof::kWin);
}

solver::Solution ProofLines::solve(const Board& board, const Score& claim, std::uint64_t max_positions,
                                   Control& control) {
    if (!solver_) solver_ = solver::make_solver(geometry_, kMemoryBytes);
    return solver_->solve_proven(board, claim, {std::nullopt, max_positions}, SteadyClock::now(), control);
}

ScoredLine ProofLines::complete(const Board& board, const ScoredLine& line, std::uint64_t max_positions,
                                Control& control) {
    if (line.score.proof() == Proof::kNone || line.score.proof() == Proof::kDraw || is_complete(board, line))
        return line;
    Board after = board;
    ScoredLine extended{line.score, {}};
    const auto play = [&](int column) {
        after.push(column);
        extended.moves.push_back(column);
    };
    // The score of `after` for its side to move, if the distance of the line is right.
    const auto claim = [&] {
        const int plies = static_cast<int>(extended.moves.size());
        const Proof proof = plies % 2 == 0 ? line.score.proof() : negate(line.score.proof());
        return Score::exact(proof, line.score.distance() - plies);
    };
    for (const int column : line.moves)
        if (after.is_legal(column) && claim().distance() > 1) play(column);
    if (!after.is_over() && extended.moves.size() > 1) {
        const solver::Solution end = solve(after, claim(), max_positions, control);
        for (const int column : end.pv) play(column);
        if (is_complete(board, extended)) return extended;
    }
    after = board;
    extended.moves.clear();
    play(line.moves.front());
    if (after.is_over()) return line;
    const solver::Solution whole = solve(after, claim(), max_positions, control);
    for (const int column : whole.pv) play(column);
    extended.score = score_before(whole.bounds.lower, 1);
    return is_complete(board, extended) ? extended : line;
}

}  // namespace fourfall
