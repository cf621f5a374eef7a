// Benchmark of board representations; with_layout() in game/bits.hpp offers the layouts that were fastest here.
//
// Candidates: (a) as few words as the size allows, with a run-time stride; (b) the same words with a compile-time
// stride; (c) 16-bit lanes in three words, one layout for every size. All three play the same games from the same seed
// (the program checks it), so their times are comparable.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "game/bits.hpp"
#include "game/dispatch.hpp"
#include "game/geometry.hpp"
#include "game/masks.hpp"
#include "game/random.hpp"

namespace fourfall {
namespace {

constexpr int kRepeats = 25;
constexpr int kUniformRollouts = 8000;
constexpr int kInformedRollouts = 3000;
// Candidates within this factor of the fastest count as equal: repeated runs differ by as much.
constexpr double kTie = 1.03;

// Candidates (b) and (c): masks and operations of a layout, as in game/.
template <class L>
struct ConstantStride : Masks<L> {
    using typename Masks<L>::Bits;
    template <bool kWide>
    using Lines = std::conditional_t<kWide, VectorLines<L>, ScalarLines<L>>;

    explicit ConstantStride(const Geometry& geometry) : Masks<L>(geometry) {}

    Bits landing_cells(const Bits& occupied) const { return L::landing_cells(occupied, this->bottom); }
    template <bool kWide>
    bool has_four(const Bits& stones) const {
        return Lines<kWide>::has_four(stones);
    }
    template <bool kWide>
    Bits completing_cells(const Bits& stones) const {
        return Lines<kWide>::completing_cells(stones);
    }
};

// Candidate (a): the same operations; the stride and the vector of the four line offsets are members.
template <int kWords>
struct RuntimeStride {
    using Bits = fourfall::Bits<kWords>;

    int cols, stride;
    Bits board, bottom, hole;
    std::array<Bits, kMaxSide> column{};

    explicit RuntimeStride(const Geometry& geometry) : cols(geometry.cols()), stride(geometry.rows() + 1) {
        for (int col = 0; col < cols; ++col) {
            for (int height = 0; height < geometry.rows(); ++height) column[col] |= cell(height, col);
            board |= column[col];
            bottom |= cell(0, col);
        }
        if (const auto at = geometry.hole()) hole = cell(geometry.rows() - 1 - at->row, at->col);
    }

    Bits cell(int height, int col) const { return Bits::at(col * stride + height); }

    Bits landing_cells(const Bits& occupied) const {
        Bits sum;
        std::uint64_t carry = 0;
        for (int i = 0; i < kWords; ++i) {
            const std::uint64_t partial = occupied.word[i] + bottom.word[i];
            sum.word[i] = partial + carry;
            carry = static_cast<std::uint64_t>(partial < occupied.word[i] || sum.word[i] < partial);
        }
        return sum & ~occupied;
    }

    template <bool kWide>
    bool has_four(const Bits& stones) const {
        if constexpr (kWide) {
            Spread pairs = spread(stones);
            pairs = {pairs.word[0] & shift_lanes(pairs, 0, offsets), pairs.word[1] & shift_lanes(pairs, 1, offsets),
                     pairs.word[2] & shift_lanes(pairs, 2, offsets)};
            Lanes found{};
            for (int i = 0; i < kWords; ++i) found |= pairs.word[i] & shift_lanes(pairs, i, 2 * offsets);
            return (found[0] | found[1] | found[2] | found[3]) != 0;
        }
        Bits found;
        for (int step : {1, stride - 1, stride, stride + 1}) {
            const Bits pairs = stones & (stones >> step);
            found |= pairs & (pairs >> (2 * step));
        }
        return found.any();
    }

    template <bool kWide>
    Bits completing_cells(const Bits& stones) const {
        Bits found;
        if constexpr (kWide) {
            const Spread all = spread(stones);
            for (int i = 0; i < kWords; ++i) {
                const Lanes left = raise_lanes(all, i, offsets), right = shift_lanes(all, i, offsets);
                const Lanes lanes =
                    (left & raise_lanes(all, i, 2 * offsets) & (raise_lanes(all, i, 3 * offsets) | right)) |
                    (right & shift_lanes(all, i, 2 * offsets) & (shift_lanes(all, i, 3 * offsets) | left));
                found.word[i] = lanes[0] | lanes[1] | lanes[2] | lanes[3];
            }
            return found;
        }
        found = (stones << 1) & (stones << 2) & (stones << 3);
        for (int step : {stride - 1, stride, stride + 1}) {
            const Bits left = stones << step, right = stones >> step;
            const Bits left_pair = left & (stones << (2 * step)), right_pair = right & (stones >> (2 * step));
            found |= left_pair & ((stones << (3 * step)) | right);
            found |= right_pair & ((stones >> (3 * step)) | left);
        }
        return found;
    }

private:
    using Lanes = std::uint64_t __attribute__((vector_size(32)));
    struct Spread {
        Lanes word[3];
    };

    static __attribute__((always_inline)) Spread spread(const Bits& stones) {
        Spread out{};
        for (int i = 0; i < kWords; ++i) out.word[i] = Lanes{} + stones.word[i];
        return out;
    }
    static __attribute__((always_inline)) Lanes shift_lanes(const Spread& all, int i, const Lanes& by) {
        return i + 1 < kWords ? (all.word[i] >> by) | (all.word[i + 1] << (64 - by)) : all.word[i] >> by;
    }
    static __attribute__((always_inline)) Lanes raise_lanes(const Spread& all, int i, const Lanes& by) {
        return i > 0 ? (all.word[i] << by) | (all.word[i - 1] >> (64 - by)) : all.word[i] << by;
    }

    Lanes offsets{1, static_cast<std::uint64_t>(stride - 1), static_cast<std::uint64_t>(stride),
                  static_cast<std::uint64_t>(stride + 1)};
};

// Runs a workload with 256-bit registers if the processor has them, like the loops of the engine.
template <class F>
auto dispatch_workload(F&& workload) {
    return dispatch<WideLayout>(
        [&]<class Lines>(Lines) { return workload(std::is_same<Lines, VectorLines<WideLayout>>{}); });
}

template <class Shape>
typename Shape::Bits draw_landing_cell(const Shape& shape, const typename Shape::Bits& landing, Random& random) {
    typename Shape::Bits cell;
    do cell = landing & shape.column[random.below(shape.cols)];
    while (cell.none());
    return cell;
}

// Plays uniform rollouts, like game/rollouts.cpp, and returns the number of plies.
template <class Shape>
std::uint64_t play_uniform(const Shape& shape, int games) {
    return dispatch_workload([&]<bool kWide>(std::bool_constant<kWide>) {
        using Bits = typename Shape::Bits;
        Random random(1);
        std::uint64_t plies = 0;
        for (int game = 0; game < games; ++game) {
            Bits own, opponent;
            do {
                const Bits landing = shape.landing_cells(own | opponent | shape.hole) & shape.board;
                if (landing.none()) break;
                ++plies;
                own |= draw_landing_cell(shape, landing, random);
                std::swap(own, opponent);
            } while (!shape.template has_four<kWide>(opponent));
        }
        return plies;
    });
}

// Plays rollouts that win if possible, else block if necessary, else move uniformly; returns the number of plies.
template <class Shape>
std::uint64_t play_informed(const Shape& shape, int games) {
    return dispatch_workload([&]<bool kWide>(std::bool_constant<kWide>) {
        using Bits = typename Shape::Bits;
        Random random(1);
        std::uint64_t plies = 0;
        for (int game = 0; game < games; ++game) {
            Bits own, opponent;
            for (;;) {
                const Bits landing = shape.landing_cells(own | opponent | shape.hole) & shape.board;
                if (landing.none()) break;
                ++plies;
                if ((shape.template completing_cells<kWide>(own) & landing).any()) break;
                const Bits forced = shape.template completing_cells<kWide>(opponent) & landing;
                own |= forced.any() ? forced.lowest() : draw_landing_cell(shape, landing, random);
                std::swap(own, opponent);
            }
        }
        return plies;
    });
}

// The best time of one workload in one layout over the repeats so far.
struct Timing {
    double seconds = std::numeric_limits<double>::infinity();
    std::uint64_t plies = 0;

    template <class Shape>
    void repeat(std::uint64_t (*workload)(const Shape&, int), const Shape& shape, int games) {
        using Clock = std::chrono::steady_clock;
        const auto start = Clock::now();
        plies = workload(shape, games);
        seconds = std::min(seconds, std::chrono::duration<double>(Clock::now() - start).count());
    }
};

using Timings = std::array<Timing, 3>;  // of the candidates a, b, c

// Returns the names of the fastest candidates and their nanoseconds per ply.
std::string describe_fastest(const Timings& timings) {
    double best = std::numeric_limits<double>::infinity();
    for (const Timing& timing : timings) best = std::min(best, timing.seconds);
    std::string text;
    for (std::size_t i = 0; i < timings.size(); ++i) {
        if (timings[i].seconds > best * kTie) continue;
        if (!text.empty()) text += '=';
        text += "abc"[i];
    }
    std::array<char, 32> time{};
    std::snprintf(time.data(), time.size(), " %.1f", best / static_cast<double>(timings[0].plies) * 1e9);
    return text + time.data();
}

void require_same_games(const Timings& timings) {
    for (const Timing& timing : timings) {
        if (timing.plies == timings[0].plies) continue;
        std::fprintf(stderr, "the candidates played different games from the same seed: at least one has a bug\n");
        std::exit(1);
    }
}

void print_rates(const Timings& timings, int games) {
    for (const Timing& timing : timings) std::printf(" %.0f |", games / timing.seconds / 1e3);
}

template <int kRows, int kCols>
void print_row() {
    constexpr int kStride = kRows + 1;
    constexpr int kWords = (kStride * kCols + 63) / 64;
    using Words = Layout<kWords, kStride>;
    using Lanes = Layout<3, 16>;

    const Geometry geometry(kRows, kCols, Cell{kRows / 2, kCols / 2});
    const RuntimeStride<kWords> a(geometry);
    const ConstantStride<Words> b(geometry);
    const ConstantStride<Lanes> c(geometry);

    Timings uniform, informed;
    for (int i = 0; i < kRepeats; ++i) {
        uniform[0].repeat(&play_uniform, a, kUniformRollouts);
        uniform[1].repeat(&play_uniform, b, kUniformRollouts);
        uniform[2].repeat(&play_uniform, c, kUniformRollouts);
        informed[0].repeat(&play_informed, a, kInformedRollouts);
        informed[1].repeat(&play_informed, b, kInformedRollouts);
        informed[2].repeat(&play_informed, c, kInformedRollouts);
    }
    require_same_games(uniform);
    require_same_games(informed);

    std::printf("| %dx%d |", kRows, kCols);
    print_rates(uniform, kUniformRollouts);
    print_rates(informed, kInformedRollouts);
    std::printf(" %s | %s |", describe_fastest(uniform).c_str(), describe_fastest(informed).c_str());
    with_layout(kRows, kCols, []<class Chosen>(Chosen) {
        const char* name = std::is_same_v<Chosen, Words> ? "b" : std::is_same_v<Chosen, Lanes> ? "c" : "other";
        std::printf(" %s: Layout<%d, %d> |\n", name, Chosen::kWords, Chosen::kStride);
    });
    std::fflush(stdout);
}

template <int... kIndex>
void print_official(std::integer_sequence<int, kIndex...>) {
    (print_row<9 + kIndex / 4, 9 + kIndex % 4>(), ...);
}

void print_table() {
    std::printf(
        "Thousands of rollouts per second, one thread, best of %d; fastest candidate with nanoseconds per ply,\n",
        kRepeats);
    std::printf("candidates within %.0f%% count as equal.\n", (kTie - 1) * 100);
    std::printf("a: words by size, run-time stride; b: words by size, constant stride; c: 16-bit lanes.\n\n");
    std::printf("| size | uniform a | b | c | informed a | b | c | fastest uniform | fastest informed |");
    std::printf(" with_layout chooses |\n|---|--:|--:|--:|--:|--:|--:|---|---|---|\n");
    print_row<6, 7>();
    print_official(std::make_integer_sequence<int, 16>{});
}

}  // namespace
}  // namespace fourfall

int main() { fourfall::print_table(); }
