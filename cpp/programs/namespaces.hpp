// Linux namespaces of the sandbox: users, processes, network, IPC and mounts.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace fourfall::sandbox {

// The user and group "nobody", which root changes to.
inline constexpr uid_t kNobody = 65534;

// Forks into new namespaces. Returns the child's process id to the parent, 0 to the child, and -1 if this machine does
// not allow namespaces.
pid_t fork_into_namespaces();

// Called by the parent: maps the users and groups of the child to the same numbers outside. Returns false if that is
// not allowed.
bool map_users(pid_t child);

struct MountState {
    bool is_read_only = false;      // everything except the private folders
    bool has_private_proc = false;  // /proc shows the processes of this namespace only
    bool hides_files = false;       // files that are not visible do not exist
};

// Called by the child: makes all mounts read-only, hides all files of users except the `visible` ones, mounts small
// private file systems on `scratch_folder` and on /dev/shm, and a new /proc; for root, without the kernel's tables that
// only root may read. The folders `created` exist afterwards, if only as empty ones. Returns what succeeded. Throws
// SetupError if hiding files fails half-way.
MountState restrict_mounts(const std::string& scratch_folder, const std::vector<std::string>& visible,
                           const std::vector<std::string>& created);

}  // namespace fourfall::sandbox
