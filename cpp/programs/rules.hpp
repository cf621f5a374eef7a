// Owns what a foreign process may do, as told on the host's command line, and how a failed set-up is reported.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace fourfall::jail {

struct Rules {
    bool jailed = true;           // false: limits and the end of the whole group only
    bool namespaces = true;       // false: do without them, as on machines that do not offer them
    bool library = false;         // a strategy library, which may start threads but no processes
    std::uint64_t memory_mb = 0;  // of each process, and of all where that can be watched
    std::uint64_t cpu_s = 0;      // processor time of each process
    std::uint64_t tasks = 64;     // processes and threads, all together
    std::string temporary = "/tmp";
    std::string working_folder;  // empty: the scratch folder
    std::vector<std::string> readable;
    std::vector<std::string> command;  // the program and its arguments, or the library alone
    int life = -1;                     // the end of this pipe, or a byte in it, ends everything
    int status = -1;                   // where lines about the start and the end go
    pid_t parent = 0;                  // its end ends everything, too
};

// The jail could not be built; nothing foreign has run.
struct SetupError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

[[noreturn]] inline void fail(const std::string& what) { throw SetupError(what + ": " + std::strerror(errno)); }

inline void require(bool succeeded, const char* what) {
    if (!succeeded) fail(what);
}

}  // namespace fourfall::jail
