// Freezes all processes of an agent while it is not its turn, and measures their processor time.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "programs/cgroup.hpp"
#include "programs/process_tree.hpp"

namespace fourfall::sandbox {

// What the processes of an agent used since they were thawed, in ns.
struct Usage {
    std::uint64_t cpu = 0;    // processor time of all threads together
    std::uint64_t delay = 0;  // time in which a thread could run but no thread of the agent ran
};

// A point in time as CLOCK_MONOTONIC counts, in microseconds.
std::int64_t read_clock_us();

// Freezes by a cgroup; without one, by SIGSTOP. The host uses it. In a PID namespace the leader sends the signals:
// there a signal to all processes is atomic, so that no forked process escapes.
class Freezer {
public:
    // `channel` is the host's end of a socket pair to the leader.
    Freezer(const AgentGroups& groups, pid_t leader, int channel, bool has_pid_namespace)
        : groups_(groups), leader_(leader), channel_(channel), has_pid_namespace_(has_pid_namespace) {}

    // Returns when every process has been seen frozen. False: not within 30 s, or the leader has ended.
    bool freeze();
    // Freezes and measures. `frozen_at_us` is the time after which the processes ran no code of their own.
    bool freeze_and_measure(Usage& usage, std::int64_t& frozen_at_us);
    void thaw();
    std::int64_t thawed_at_us() const { return thawed_at_us_; }

private:
    struct Sample {
        std::uint64_t cpu = 0;
        std::map<pid_t, ThreadTimes> threads;
    };
    bool freeze_all();
    bool stop_all();
    Sample take_sample() const;
    void set_baseline(Sample sample);
    Usage compare(const Sample& sample) const;
    // Sends a command to the leader and waits for its answer.
    bool command_leader(char command);
    std::vector<pid_t> list_processes() const;

    const AgentGroups& groups_;
    pid_t leader_;
    int channel_;
    bool has_pid_namespace_;
    Sample baseline_;  // taken while the processes were frozen
    std::int64_t thawed_at_us_ = read_clock_us();
    std::int64_t unsampled_us_ = 0;  // running time since the baseline
};

// Commands of the host to the leader; the leader answers with the same byte.
inline constexpr char kStopAll = 's';
inline constexpr char kContinueAll = 'c';

// The leader's side: carries out one command that has arrived on the channel. False: the host has exited.
bool serve_freezer_command(int channel);

}  // namespace fourfall::sandbox
