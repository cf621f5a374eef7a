// The descendants of a process, and the states and processor times of their threads, read from /proc.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <vector>

namespace fourfall::sandbox {

// All descendants of a process. The list is complete if none of them is running.
std::vector<pid_t> list_descendants(pid_t ancestor);

// Whether every thread of a process has stopped or ended. A thread in an uninterruptible wait in the kernel, for
// example for a vforked child that has stopped, counts if `counts_blocked`: a pending SIGSTOP stops it before it
// returns.
bool is_stopped(pid_t process, bool counts_blocked);

// The times of one thread in ns: running, and waiting for a processor although it could run.
struct ThreadTimes {
    std::uint64_t running = 0;
    std::uint64_t waiting = 0;
};

// The times of all threads of some processes; the keys are thread ids.
std::map<pid_t, ThreadTimes> read_thread_times(const std::vector<pid_t>& processes);

// The processor time of a process in ns, and of its children that have ended and been waited for. Without
// `own`, that of the children only. Accurate to about 10 ms.
std::uint64_t read_cpu_time_ns(pid_t process, bool own = true);

}  // namespace fourfall::sandbox
