// Linux namespaces of the sandbox: users, processes, network, IPC and mounts.
#pragma once

#include <sys/types.h>

#include <string>

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
};

// Called by the child: makes all mounts read-only, mounts small private file systems on `scratch_folder` and on
// /dev/shm, and a new /proc; for root, without the kernel's tables that only root may read. Returns what succeeded.
MountState restrict_mounts(const std::string& scratch_folder);

}  // namespace fourfall::sandbox
