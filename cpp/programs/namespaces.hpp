// Owns the separate world of a jailed process: namespaces for users, processes, network, messages and mounts.
#pragma once

#include <sys/types.h>

#include <string>

namespace fourfall::jail {

// The user to become when the caller is root: nobody.
inline constexpr uid_t kNobody = 65534;

// Forks into new namespaces: returns the child to the parent, 0 to the child, -1 where the machine does not offer them.
pid_t fork_into_namespaces();

// The parent's part: the child's users are our own, under the same numbers. False where that is not allowed.
bool map_users(pid_t child);

// The child's part: everything becomes read-only, `scratch` and shared memory small and private, /proc its own.
struct Mounts {
    bool sealed = false;         // read-only but for the private folders
    bool own_processes = false;  // /proc shows this namespace only
};
Mounts seal_mounts(const std::string& scratch);

}  // namespace fourfall::jail
