// Writes positions of random games with the evaluations of a teacher network.
//
//     generator WEIGHTS OUT POSITIONS SEED [INSTRUCTION_SET]
//
// Each game has a random official board, up to 8 random moves at its beginning, and a temperature. Later moves are
// sampled from the teacher's policy; some are random safe moves. As in the search, positions that are decided within
// three plies by tactics, or have a single safe move, are not evaluated.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "game/lines.hpp"
#include "game/random.hpp"
#include "search/graph/tactics.hpp"
#include "search/network/network.hpp"
#include "training/student/sample.hpp"

namespace fourfall::student {
namespace {

using Bits = L::Bits;

double draw_unit(Random& random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

Bits draw_cell(Random& random, Bits cells) {
    for (std::uint32_t skipped = random.below(static_cast<std::uint32_t>(cells.count())); skipped > 0; --skipped)
        cells &= ~cells.lowest();
    return cells.lowest();
}

class Generator {
public:
    Generator(const std::string& weights, const std::string& instruction_set, std::FILE* out, std::uint64_t limit,
              std::uint64_t seed)
        : network_(network::load_weights(weights), instruction_set), out_(out), limit_(limit), random_(seed) {}

    void run() {
        for (std::uint64_t games = 1; written_ < limit_; ++games) {
            play_game(Geometry::random(random_));
            if (games % 2000 == 0) std::printf("%llu games, %llu positions\n", count(games), count(written_));
        }
    }

private:
    static unsigned long long count(std::uint64_t number) { return number; }

    void play_game(const Geometry& geometry) {
        const Masks<L> masks(geometry);
        const network::StemConstants constants(network_.weights(), geometry);
        network::Workspace work(constants.layout());
        constexpr std::array<double, 4> kTemperatures{0.7, 1, 1.5, 2.5};
        const double temperature = kTemperatures[random_.below(kTemperatures.size())];
        const double random_share = 0.2 * draw_unit(random_);
        Position<L> position;
        for (std::uint32_t left = random_.below(9); left > 0; --left) {
            const Bits safe = position.safe_drops(masks);
            if (position.winning_drops(masks).any() || safe.none()) return;
            position = position.play(draw_cell(random_, safe));
        }
        while (written_ < limit_) {
            const auto tactics = graph::find_tactics(graph::ThreatPosition<L, ScalarLines<L>>(position), masks);
            if (tactics.outcome != graph::TacticalOutcome::kUndecided) return;
            Bits move = tactics.moves;
            if (move.has_several()) {
                const Sample sample = evaluate(position, geometry, masks, constants, work);
                if (std::fwrite(&sample, sizeof(sample), 1, out_) != 1) throw std::runtime_error("cannot write");
                ++written_;
                move = draw_unit(random_) < random_share ? draw_cell(random_, tactics.moves)
                                                         : draw_move(sample, tactics.moves, temperature);
            }
            position = position.play(move);
        }
    }

    Sample evaluate(const Position<L>& position, const Geometry& geometry, const Masks<L>& masks,
                    const network::StemConstants& constants, network::Workspace& work) const {
        const auto output = network_.evaluate(constants, network::InputPlanes(position, masks), work);
        Sample sample{position,
                      output.value,
                      static_cast<std::uint8_t>(geometry.rows()),
                      static_cast<std::uint8_t>(geometry.cols()),
                      static_cast<std::uint8_t>(masks.hole.lowest_index()),
                      0,
                      {}};
        sample.logits.fill(static_cast<std::int16_t>(Sample::kLowestLogit * Sample::kLogitScale));
        float greatest = -1e9F;
        const auto for_each_move = [&](auto&& use) {
            for (Bits left = position.safe_drops(masks); left.any(); left &= ~left.lowest()) {
                const int col = L::col_of(left.lowest_index());
                use(col, output.logits[static_cast<std::size_t>(col)]);
            }
        };
        for_each_move([&](int, float logit) { greatest = std::max(greatest, logit); });
        for_each_move([&](int col, float logit) { sample.set_logit(col, logit - greatest); });
        return sample;
    }

    // Samples a move with probability exp(logit / temperature): the greatest logit + temperature * Gumbel noise.
    Bits draw_move(const Sample& sample, Bits moves, double temperature) {
        double best = -1e9;
        Bits chosen{};
        for (; moves.any(); moves &= ~moves.lowest()) {
            const int col = L::col_of(moves.lowest_index());
            const double noise = -std::log(-std::log(draw_unit(random_) + 1e-12) + 1e-12);
            if (const double score = sample.logit(col) + temperature * noise; score > best)
                best = score, chosen = moves.lowest();
        }
        return chosen;
    }

    network::Network network_;
    std::FILE* out_;
    std::uint64_t limit_, written_ = 0;
    Random random_;
};

}  // namespace
}  // namespace fourfall::student

int main(int count, char** arguments) {
    if (count != 5 && count != 6) {
        std::fprintf(stderr, "usage: generator WEIGHTS OUT POSITIONS SEED [INSTRUCTION_SET]\n");
        return 2;
    }
    std::FILE* out = std::fopen(arguments[2], "wb");
    if (out == nullptr) {
        std::fprintf(stderr, "cannot write %s\n", arguments[2]);
        return 1;
    }
    fourfall::student::Generator(arguments[1], count == 6 ? arguments[5] : "", out,
                                 std::strtoull(arguments[3], nullptr, 10), std::strtoull(arguments[4], nullptr, 10))
        .run();
    return std::fclose(out) == 0 ? 0 : 1;
}
