// System calls of the sandbox: a seccomp filter that refuses calls that no player needs.
#pragma once

namespace fourfall::sandbox {

struct AllowedCalls {
    bool fork = true;              // create processes; threads are always allowed
    bool exec = true;              // run other programs
    bool socket_pairs = true;      // create connected pairs of local stream sockets
    bool file_metadata = true;     // change modes, owners, times and attributes of visible files
    bool continue_signals = true;  // let processes continue that SIGSTOP has stopped
};

// The calling process must be the one that is restricted: without `fork` the filter contains its process id.
// Refused calls fail with EPERM; a call of another architecture kills the process. Throws SetupError.
void restrict_calls(const AllowedCalls& allowed);

}  // namespace fourfall::sandbox
