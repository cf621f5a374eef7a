// Restricts the calling process before it runs third-party code: resource limits, user, files and system calls.
#pragma once

#include <string>

#include "programs/host_options.hpp"
#include "programs/landlock.hpp"
#include "programs/namespaces.hpp"

namespace fourfall::sandbox {

// What the host and the leader have already set up for the third-party process.
struct ProcessSetup {
    std::string scratch_folder;
    bool has_namespaces = false;
    MountState mounts;
    bool is_frozen_by_signals = false;  // there is no cgroup that could freeze it
};

// Restricts the calling process irrevocably and changes to its working folder. Returns the rules for files that it
// applied; without the sandbox they are empty. Throws SetupError.
FileRules enter_sandbox(const HostOptions& options, const ProcessSetup& setup);

// Root becomes the user nobody. It drops all capabilities if nobody can read the `needed` paths and the entries of
// these folders; otherwise it keeps the capability to read all files that Landlock allows, so that agents and
// interpreters in private folders start. Other users drop the capabilities that they got in a new namespace. Returns
// whether the capability is kept. Throws SetupError.
bool drop_privileges(const std::vector<std::string>& needed);

// Whether the leader measures memory periodically: for programs, if /proc shows only the processes of the sandbox.
bool measures_memory(const HostOptions& options, const ProcessSetup& setup);

// The number of processes and threads of a user that /proc shows.
std::uint64_t count_tasks(uid_t user);

}  // namespace fourfall::sandbox
