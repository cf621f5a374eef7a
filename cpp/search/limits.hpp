// When a search stops: its limit, the clock that enforces it, and requests from other threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>

#include "game/poll.hpp"
#include "platform/clock.hpp"

namespace fourfall {

// The search stops at whichever limit it reaches first.
struct Limit {
    std::optional<double> time_s;
    std::optional<std::uint64_t> simulations;
    bool stop_early = false;  // also stop when the remaining time cannot change the move
    friend bool operator==(const Limit&, const Limit&) = default;

    // Returns this limit if it sets a time or simulations, otherwise those of `other`, otherwise one second.
    Limit or_else(const Limit& other) const {
        if (time_s || simulations) return *this;
        if (other.time_s || other.simulations) return {other.time_s, other.simulations, stop_early};
        return {1.0, std::nullopt, stop_early};
    }
};

// Requests from other threads to a running search, and the callback that the search calls periodically.
struct Control {
    std::atomic<bool> stop{false};
    std::atomic<bool> snapshot_wanted{false};
    Poll poll = [] {};
};

// Ends a search early enough that the result is ready within the limit. On a loaded machine the operating system
// suspends a thread for whole milliseconds, and the deadline may fall into such a pause. The clock therefore keeps the
// longest pause that it has seen in reserve; the reserve decays slowly and carries over to the next search.
class Clock {
public:
    using Time = SteadyClock::time_point;

    // `requested` is the time of the caller's request, from which the limit counts.
    void start(Time requested, std::optional<double> time_s) {
        begin_ = requested;
        last_ = SteadyClock::now();
        time_s_ = time_s;
    }
    double seconds() const { return since(begin_, SteadyClock::now()); }

    // To be called every few dozen microseconds.
    bool has_expired() {
        const Time now = SteadyClock::now();
        const double pause = since(last_, now);
        last_ = now;
        if (pause > kMinPause) longest_pause_s_ = std::max(longest_pause_s_, pause);
        if (!time_s_) return false;
        // The reserve is at most half of the limit.
        const double reserve = std::min(longest_pause_s_, *time_s_ / 2);
        return since(begin_, now) + kReportTime >= *time_s_ - reserve;
    }
    void finish() { longest_pause_s_ *= kDecay; }

    // Sets the time at which the search returns to its caller for a while. The time since the last such return is not a
    // delay of the machine.
    void resume(std::optional<Time> pause_at) {
        if (should_pause()) last_ = SteadyClock::now();
        pause_at_ = pause_at;
    }
    // Whether that time had come at the last call of has_expired().
    bool should_pause() const { return pause_at_ && last_ >= *pause_at_; }

private:
    // Seconds.
    static constexpr double kMinPause = 0.5e-3;    // shorter intervals are ordinary work
    static constexpr double kReportTime = 0.2e-3;  // for making the report
    static constexpr double kDecay = 0.9;          // of the reserve, per search

    static double since(Time from, Time to) { return std::chrono::duration<double>(to - from).count(); }

    Time begin_, last_;
    std::optional<double> time_s_;
    std::optional<Time> pause_at_;
    double longest_pause_s_ = 0;
};

}  // namespace fourfall
