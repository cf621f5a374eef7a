// Owns when a search stops: the limit it was given, the clock that keeps it, and a word from another thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "game/poll.hpp"

namespace fourfall {

// Whatever is set stops the search, whichever comes first.
struct Limit {
    std::optional<double> time_s;
    std::optional<std::uint64_t> nodes;  // simulations, but for the solver
    bool decided = false;                // also when the time that is left could not change the answer
    friend bool operator==(const Limit&, const Limit&) = default;

    // This limit, or where it sets neither time nor nodes those of the other, or a second.
    Limit or_else(const Limit& other) const {
        if (time_s || nodes) return *this;
        if (other.time_s || other.nodes) return {other.time_s, other.nodes, decided};
        return {1.0, std::nullopt, decided};
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
    void finish() { longest_pause_s_ *= kForget; }

private:
    static constexpr double kPause = 0.5e-3;   // anything shorter is ordinary work
    static constexpr double kAnswer = 0.2e-3;  // what it takes to collect the answer
    static constexpr double kForget = 0.9;

    static double since(Time from, Time to) { return std::chrono::duration<double>(to - from).count(); }

    Time begin_, last_;
    std::optional<double> limit_s_;
    double longest_pause_s_ = 0;
};

}  // namespace fourfall
