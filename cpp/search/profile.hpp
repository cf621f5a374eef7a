// Measures how the time of a search is divided among its phases.
#pragma once

#include <array>
#include <cstdint>

#include "platform/clock.hpp"

namespace fourfall {

// kEvaluation is the time of rollouts or of the network; kSolver is used by the graph search only.
enum class Phase : std::uint8_t { kSelection, kExpansion, kEvaluation, kSolver, kBackup };
inline constexpr int kPhases = 5;

// Reading a clock takes as long as a short phase, so only every kSampleInterval-th simulation is timed.
class Profile {
public:
    void begin(std::uint64_t simulation) {
        is_timing_ = simulation % kSampleInterval == 0;
        if (is_timing_) last_ = SteadyClock::now();
    }
    // Adds the time since the previous call to a phase.
    void end(Phase phase) {
        if (!is_timing_) return;
        const SteadyClock::time_point now = SteadyClock::now();
        add(phase, seconds(now - last_));
        last_ = now;
    }
    // Calls `work` and adds its time to a phase, in every simulation. For long calls that are too rare to sample.
    template <class F>
    void measure_rare(Phase phase, F&& work) {
        const SteadyClock::time_point start = SteadyClock::now();
        work();
        const SteadyClock::duration passed = SteadyClock::now() - start;
        add(phase, seconds(passed) / kSampleInterval);
        last_ += passed;  // not part of the phase around it
    }
    // Share of a phase in the time of all phases; 0 before the first simulation.
    double share(Phase phase) const {
        double total = 0;
        for (double s : seconds_) total += s;
        return total > 0 ? seconds_[static_cast<std::size_t>(phase)] / total : 0;
    }

private:
    static constexpr std::uint64_t kSampleInterval = 64;

    static double seconds(SteadyClock::duration duration) { return std::chrono::duration<double>(duration).count(); }
    void add(Phase phase, double passed) { seconds_[static_cast<std::size_t>(phase)] += passed; }

    std::array<double, kPhases> seconds_{};
    SteadyClock::time_point last_;
    bool is_timing_ = false;
};

}  // namespace fourfall
