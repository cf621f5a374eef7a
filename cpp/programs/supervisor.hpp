// Starts the third-party process, watches it, reports how it ended, and ends it with all its children.
#pragma once

#include "programs/host_options.hpp"

namespace fourfall::sandbox {

// Runs until the third-party process has ended or the caller stops it or exits; returns the exit code of the host.
//
// Three processes take part: the host, outside the sandbox, which watches the caller; the leader, the first process of
// the namespaces, which reports how the third-party process ended; and the third-party process. These lines go to the
// status pipe: "started SCRATCH_FOLDER" as soon as only third-party code remains to run, or "! sandbox REASON" or
// "! load REASON"; then "exit CODE KIB MS" or "signal NUMBER KIB MS", with the peak memory and the processor time of
// the process, or "memory 9 KIB 0" if the processes together exceeded the memory limit and are killed.
//
// The caller sends commands, one byte each, and waits for the answer on the status pipe. Times are in microseconds;
// points in time are those of CLOCK_MONOTONIC.
//   f  freezes all third-party processes: "frozen"
//   m  freezes and measures: "measured TIME CPU DELAY", what was used since the last thaw
//   t  thaws: "thawed TIME"
// "unfrozen" is the answer if the processes could not be frozen; they are killed then. Any other byte ends everything.
int supervise(const HostOptions& options);

}  // namespace fourfall::sandbox
