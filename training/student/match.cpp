// Plays pairs of games between two evaluators in the graph search, on random official boards.
//
//     match FIRST SECOND PAIRS SEED
//
// An evaluator is NETWORK,LIMIT or STUDENT,NETWORK,LIMIT. The network is INSTRUCTION_SET:FILE, for example avx2:FILE;
// the student is SIZE:FILE, and SIZE+value:FILE or SIZE+policy:FILE takes the other part from the network. The limit is
// "0.2s" or "400" simulations. Each pair has one board and five random moves.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "game/random.hpp"
#include "search/graph/search.hpp"

namespace fourfall::student {
namespace {

struct Player {
    std::string name;
    graph::GraphConfig config;
    Limit limit;
    std::uint64_t simulations = 0, evaluations = 0, moves = 0;
    double seconds = 0;

    explicit Player(const std::string& text) : name(text) {
        const std::size_t first = text.find(','), last = text.rfind(',');
        const std::string network = text.substr(first == last ? 0 : first + 1, last - (first == last ? 0 : first + 1));
        const std::string limit_text = text.substr(last + 1);
        const std::size_t colon = network.find(':');
        if (first == std::string::npos || colon == std::string::npos)
            throw std::invalid_argument("not an evaluator: " + text);
        config.exploration = 1.4;  // as in the preset `fourfall`
        config.first_play_urgency = 0.25;
        config.evaluator = graph::EvaluatorKind::kNetwork;
        config.weights = first == last ? "" : text.substr(0, first);
        config.network = std::make_shared<network::Network>(network::load_weights(network.substr(colon + 1)),
                                                            network.substr(0, colon));
        if (limit_text.ends_with("s"))
            limit.time_s = std::stod(limit_text);
        else
            limit.simulations = std::stoull(limit_text);
    }
};

// The result for the first player of the arguments: 1, 0.5 or 0.
double play_game(Player& first, Player& second, Board board, std::uint64_t seed) {
    constexpr std::uint64_t kMemory = std::uint64_t{256} << 20;
    Control control;
    Player* players[] = {&first, &second};
    std::unique_ptr<Searcher> searchers[] = {graph::make_searcher(first.config, board.geometry(), seed, kMemory),
                                             graph::make_searcher(second.config, board.geometry(), seed + 1, kMemory)};
    const int opening = board.ply();
    while (!board.is_over()) {
        const auto side = static_cast<std::size_t>((board.ply() - opening) % 2);
        const Analysis analysis =
            searchers[side]->run(board, players[side]->limit, SteadyClock::now(), control, [](const Analysis&) {});
        players[side]->simulations += analysis.simulations;
        players[side]->evaluations += analysis.evaluations;
        players[side]->seconds += analysis.seconds;
        ++players[side]->moves;
        board.push(analysis.move);
    }
    const std::optional<int> winner = board.outcome()->winner;
    return winner ? (*winner == opening % 2 ? 1 : 0) : 0.5;
}

Board draw_opening(Random& random) {
    for (;;) {
        Board board(Geometry::random(random));
        while (!board.is_over() && board.ply() < 5) {
            const int col = static_cast<int>(random.below(static_cast<std::uint32_t>(board.geometry().cols())));
            if (board.is_legal(col)) board.push(col);
        }
        if (!board.is_over() && board.position().winning_drops(board.masks()).none()) return board;
    }
}

void play_match(Player& first, Player& second, int pairs, std::uint64_t seed) {
    Random random(seed);
    double sum = 0, squares = 0;
    int results[3] = {};
    for (int pair = 1; pair <= pairs; ++pair) {
        const Board board = draw_opening(random);
        const double one = play_game(first, second, board, random.next());
        const double other = 1 - play_game(second, first, board, random.next());
        for (const double result : {one, other}) ++results[static_cast<int>(2 * result)];
        const double score = (one + other) / 2;
        sum += score, squares += score * score;
        const double mean = sum / pair;
        const double error = std::sqrt(std::max(0.0, squares / pair - mean * mean) / std::max(1, pair - 1));
        std::printf("%d pairs: %d wins, %d draws, %d losses, score %.3f +- %.3f (95 %%)\n", pair, results[2],
                    results[1], results[0], mean, 1.96 * error);
        std::fflush(stdout);
    }
    for (const Player* player : {&first, &second})
        std::printf("%s: %.0f simulations a move, %.0f evaluations per second\n", player->name.c_str(),
                    static_cast<double>(player->simulations) / static_cast<double>(player->moves),
                    static_cast<double>(player->evaluations) / player->seconds);
}

}  // namespace
}  // namespace fourfall::student

int main(int count, char** arguments) {
    if (count != 5) {
        std::fprintf(stderr, "usage: match FIRST SECOND PAIRS SEED\n");
        return 2;
    }
    fourfall::student::Player first(arguments[1]), second(arguments[2]);
    fourfall::student::play_match(first, second, std::atoi(arguments[3]), std::strtoull(arguments[4], nullptr, 10));
    return 0;
}
