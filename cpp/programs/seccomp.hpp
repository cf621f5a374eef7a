// Owns the system calls that a jailed process may make: a seccomp filter that refuses what no player needs.
#pragma once

namespace fourfall::jail {

struct Calls {
    bool fork = true;   // may make other processes; threads are always allowed
    bool exec = true;   // may run other programs
    bool modes = true;  // may change modes, owners, times and attributes of files that it can see
};

// Refused calls answer "operation not permitted"; calls of a foreign architecture kill. Throws SetupError.
void restrict_calls(const Calls& calls);

}  // namespace fourfall::jail
