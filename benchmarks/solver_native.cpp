// The solver as a program with the protocol of the yardstick: native calls, without Python.
//
// Reads one game on 6x7 per line as digits of columns (1 to 7) and prints for each: value, positions searched,
// nanoseconds of processor time of solve_once(), which is what `solve()` calls.
#include <cstdint>
#include <ctime>
#include <iostream>
#include <string>

#include "engine/exact.hpp"
#include "game/notation.hpp"

namespace {

std::int64_t processor_time_ns() {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// The value of the yardstick: the stones that the winner has left, and one.
int to_value(const fourfall::Score& score, int free) {
    if (score.proof() == fourfall::Proof::kWin) return (free + 1) / 2 - (score.distance() - 1) / 2;
    if (score.proof() == fourfall::Proof::kLoss) return -(free / 2) + (score.distance() - 2) / 2;
    return 0;
}

}  // namespace

int main() {
    constexpr std::uint64_t kMemoryBytes = std::uint64_t{64} << 20;  // the default of solve()
    for (std::string moves; std::getline(std::cin, moves);) {
        const fourfall::Board board = fourfall::parse_board("6x7:" + moves);
        const std::int64_t begin = processor_time_ns();
        const fourfall::solver::Solution solution =
            fourfall::solve_once(board, false, {}, kMemoryBytes, 1, [] { return [] {}; });
        const std::int64_t nanoseconds = processor_time_ns() - begin;
        const int free = board.geometry().cells() - board.ply();
        std::cout << to_value(solution.bounds.lower, free) << ' ' << solution.positions << ' ' << nanoseconds << '\n'
                  << std::flush;
    }
}
