// Freezes and thaws by cgroups or signals, and compares processor times.
#include "programs/freezer.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace fourfall::sandbox {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kMaxFreezeTime = std::chrono::seconds(30);
constexpr useconds_t kMinPauseUs = 10;
constexpr useconds_t kMaxPauseUs = 1000;
constexpr int kBlockedRounds = 8;
// After shorter running times no sample is taken, which makes quick moves quicker. A later measurement then includes
// their delays too.
constexpr std::int64_t kMaxUnsampledUs = 5000;

std::uint64_t subtract(std::uint64_t value, std::uint64_t other) { return value > other ? value - other : 0; }

// Calls a function with growing pauses until it returns true. False: not within kMaxFreezeTime.
template <typename Condition>
bool wait_until(Condition condition) {
    prctl(PR_SET_TIMERSLACK, 1);  // short pauses
    const auto deadline = Clock::now() + kMaxFreezeTime;
    for (useconds_t pause_us = kMinPauseUs; !condition(); pause_us = std::min(2 * pause_us, kMaxPauseUs)) {
        if (Clock::now() > deadline) return false;
        usleep(pause_us);
    }
    return true;
}

}  // namespace

std::int64_t read_clock_us() {
    return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now().time_since_epoch()).count();
}

bool Freezer::freeze() {
    unsampled_us_ += read_clock_us() - thawed_at_us_;
    if (!freeze_all()) return false;
    if (unsampled_us_ > kMaxUnsampledUs) set_baseline(take_sample());
    return true;
}

void Freezer::set_baseline(Sample sample) {
    baseline_ = std::move(sample);
    unsampled_us_ = 0;
}

bool Freezer::freeze_and_measure(Usage& usage, std::int64_t& frozen_at_us) {
    const std::uint64_t delay_before = compare(take_sample()).delay;
    frozen_at_us = read_clock_us();
    if (!freeze_all()) return false;
    const std::int64_t freezing_us = read_clock_us() - frozen_at_us;
    Sample sample = take_sample();
    usage = compare(sample);
    // A thread that waits for a processor is delayed until it gets one. The second sample includes this, but also the
    // wait of the thread to be frozen, at most as long as freezing took.
    const std::uint64_t waited = subtract(usage.delay, delay_before);
    usage.delay = delay_before + subtract(waited, 1000 * static_cast<std::uint64_t>(freezing_us));
    set_baseline(std::move(sample));
    return true;
}

bool Freezer::freeze_all() {
    if (groups_.freezer_version() == 0) return stop_all();
    groups_.request_freeze();
    // The kernel announces a change at most every 10 ms, so the state is read again and again.
    return wait_until([&] { return groups_.is_frozen(); });
}

bool Freezer::stop_all() {
    bool has_leader = true;
    int round = 0;
    std::vector<pid_t> known;
    const bool stopped = wait_until([&] {
        if (has_pid_namespace_) has_leader = command_leader(kStopAll);
        // A process that is seen running is stopped and looked at again: it may have forked before it stopped.
        bool all_stopped = true;
        const bool counts_blocked = ++round > kBlockedRounds;  // by then every process has got the signal
        std::vector<pid_t> processes = list_processes();
        for (const pid_t process : processes) {
            if (is_stopped(process, counts_blocked)) continue;
            all_stopped = false;
            if (!has_pid_namespace_) kill(process, SIGSTOP);
        }
        // Without a PID namespace, a process may fork and exit while the list is made: two lists must agree.
        const bool is_complete = has_pid_namespace_ || processes == known;
        known = std::move(processes);
        return (all_stopped && is_complete) || !has_leader;
    });
    return stopped && has_leader;
}

void Freezer::thaw() {
    if (groups_.freezer_version() > 0) {
        groups_.thaw();
    } else if (has_pid_namespace_) {
        command_leader(kContinueAll);
    } else {
        for (const pid_t process : list_processes()) kill(process, SIGCONT);
    }
    thawed_at_us_ = read_clock_us();
}

bool Freezer::command_leader(char command) {
    char answer = 0;
    return send(channel_, &command, 1, MSG_NOSIGNAL) == 1 && recv(channel_, &answer, 1, 0) == 1;
}

std::vector<pid_t> Freezer::list_processes() const {
    if (groups_.freezer_version() > 0) return groups_.list_processes();
    // Processes whose parents have ended become children of the leader or, without a PID namespace, of the host.
    std::vector<pid_t> processes = list_descendants(getpid());
    std::erase(processes, leader_);
    return processes;
}

Freezer::Sample Freezer::take_sample() const {
    const std::vector<pid_t> processes = list_processes();
    Sample sample{0, read_thread_times(processes)};
    if (const std::int64_t of_group = groups_.cpu_time_ns(); of_group >= 0) {
        sample.cpu = static_cast<std::uint64_t>(of_group);
        return sample;
    }
    // The sum over threads is exact but lacks those that have ended.
    std::uint64_t of_threads = 0;
    for (const auto& [thread, times] : sample.threads) of_threads += times.running;
    std::uint64_t of_processes = read_cpu_time_ns(leader_, false);
    for (const pid_t process : processes) of_processes += read_cpu_time_ns(process);
    sample.cpu = std::max({of_threads, of_processes, baseline_.cpu});
    return sample;
}

Usage Freezer::compare(const Sample& sample) const {
    Usage usage{subtract(sample.cpu, baseline_.cpu), 0};
    for (const auto& [thread, times] : sample.threads) {
        const auto known = baseline_.threads.find(thread);
        const ThreadTimes before = known == baseline_.threads.end() ? ThreadTimes{} : known->second;
        const std::uint64_t runnable =
            subtract(times.running, before.running) + subtract(times.waiting, before.waiting);
        // While this thread waited, other threads of the agent may have run instead of it, at most for the rest of the
        // processor time. That is not a delay by the machine.
        usage.delay = std::max(usage.delay, subtract(runnable, usage.cpu));
    }
    return usage;
}

bool serve_freezer_command(int channel) {
    char command = 0;
    if (recv(channel, &command, 1, 0) != 1) return false;
    // Only as the first process of a PID namespace: elsewhere this would reach all processes of the machine.
    if (getpid() == 1) kill(-1, command == kStopAll ? SIGSTOP : SIGCONT);
    return send(channel, &command, 1, MSG_NOSIGNAL) == 1;
}

}  // namespace fourfall::sandbox
