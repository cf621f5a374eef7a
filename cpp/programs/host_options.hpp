// HostOptions: what fourfall-host runs and under which restrictions; SetupError: the sandbox could not be set up.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "programs/cgroup.hpp"

namespace fourfall::sandbox {

// The command-line options of fourfall-host.
struct HostOptions {
    bool sandbox = true;                    // false: only resource limits, and the end of all processes
    bool namespaces = true;                 // false: do not use namespaces, as on machines without them
    bool prints_permissions = false;        // print what the code may do instead of running it
    CgroupVersions cgroups;                 // control groups that may be used
    int core = -1;                          // pins all processes to this processor core; -1: no pinning
    bool is_library = false;                // a strategy library, which may start threads but no processes
    std::uint64_t memory_mb = 0;            // of each process, and of all together if that can be measured; 0: no limit
    std::uint64_t cpu_time_s = 0;           // of each process; 0: no limit
    std::uint64_t max_tasks = 64;           // processes and threads together
    std::string temporary_folder = "/tmp";  // the scratch folder is created in it
    std::string working_folder;             // empty: the scratch folder
    std::vector<std::string> readable;      // files and folders that the process may read
    std::vector<std::string> listable;      // folders that the process may list, without reading their files
    std::vector<std::string> command;       // the program and its arguments, or the library's path
    int control_fd = -1;                    // commands of the caller, one byte each; the end ends all processes
    int status_fd = -1;                     // receives lines about the process, and answers to commands
    pid_t parent_pid = 0;                   // the end of this process ends all processes; 0: not watched
};

// The sandbox could not be set up; no third-party code has run.
struct SetupError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Throws a SetupError with the text of errno.
[[noreturn]] inline void fail(const std::string& what) { throw SetupError(what + ": " + std::strerror(errno)); }

inline void require(bool succeeded, const char* what) {
    if (!succeeded) fail(what);
}

}  // namespace fourfall::sandbox
