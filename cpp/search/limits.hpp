// When a search stops: its limit, the clock that enforces it, and requests from other threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "game/poll.hpp"

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

// What another thread may do to a running search, and what the search does now and then for its caller.
struct Control {
    std::atomic<bool> stop{false};
    std::atomic<bool> snapshot_wanted{false};
    Poll poll = [] {};
};

// Says when the time is up, early enough for the answer to be in time. On a loaded machine the thread is put aside
// for whole milliseconds, and the deadline may fall into such a pause; so the longest pause seen during the search
// (decaying slowly, and carried over to the next one) is kept in reserve.
class Clock {
public:
    using Time = std::chrono::steady_clock::time_point;

    // The limit counts from when the question was asked.
    void start(Time asked, std::optional<double> limit_s) {
        begin_ = asked;
        last_ = std::chrono::steady_clock::now();
        limit_s_ = limit_s;
    }
    double seconds() const { return since(begin_, std::chrono::steady_clock::now()); }

    // Call it every few dozen microseconds.
    bool expired() {
        const Time now = std::chrono::steady_clock::now();
        const double pause = since(last_, now);
        last_ = now;
        if (pause > kPause) longest_pause_s_ = std::max(longest_pause_s_, pause);
        if (!limit_s_) return false;
        // Never give up more than half of the time to caution.
        const double reserve = std::min(longest_pause_s_, *limit_s_ / 2);
        return since(begin_, now) + kAnswer >= *limit_s_ - reserve;
    }
    void finish() { longest_pause_s_ *= kClear; }

private:
    static constexpr double kPause = 0.5e-3;   // anything shorter is ordinary work
    static constexpr double kAnswer = 0.2e-3;  // what it takes to collect the answer
    static constexpr double kClear = 0.9;

    static double since(Time from, Time to) { return std::chrono::duration<double>(to - from).count(); }

    Time begin_, last_;
    std::optional<double> limit_s_;
    double longest_pause_s_ = 0;
};

}  // namespace fourfall
