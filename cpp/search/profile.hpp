// Owns where the time of a search goes: the share of each phase, measured on a sample of the simulations.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

namespace fourfall {

enum class Phase : std::uint8_t { kSelection, kExpansion, kRollout, kBackup };
inline constexpr int kPhases = 4;

// Reading a clock costs as much as a short phase, so only every 64th simulation is timed.
class Profile {
public:
    void begin(std::uint64_t simulation) {
        timing_ = simulation % 64 == 0;
        if (timing_) last_ = std::chrono::steady_clock::now();
    }
    // Books the time since the last call on a phase.
    void end(Phase phase) {
        if (!timing_) return;
        const auto now = std::chrono::steady_clock::now();
        seconds_[static_cast<std::size_t>(phase)] += std::chrono::duration<double>(now - last_).count();
        last_ = now;
    }
    // The phase's share of the time of all phases; 0 before the first simulation.
    double share(Phase phase) const {
        double total = 0;
        for (double s : seconds_) total += s;
        return total > 0 ? seconds_[static_cast<std::size_t>(phase)] / total : 0;
    }

private:
    std::array<double, kPhases> seconds_{};
    std::chrono::steady_clock::time_point last_;
    bool timing_ = false;
};

}  // namespace fourfall
