// Owns the life of a foreign process: started in its jail, watched, reported on, and ended with all its children.
#pragma once

#include "programs/rules.hpp"

namespace fourfall::jail {

// Runs until the foreign process has ended or the caller is gone or done; returns the host's exit code.
//
// Three processes: the host, outside the jail, which watches the caller; the first process of the namespaces, which
// reports how the foreign one ended; and the foreign one. The status pipe gets lines: "started SCRATCH" once nothing
// but foreign code remains to run, or "! jail REASON" or "! load REASON"; then "exit CODE KIB MS" or "signal NUMBER KIB
// MS", with the most memory that the process had in use and its processor time, or "memory 9 KIB 0" for processes that
// had too much together and are ended for it.
int supervise(const Rules& rules);

}  // namespace fourfall::jail
