// Owns the last steps of a process before it becomes foreign: limits, another user, files and calls taken away.
#pragma once

#include <string>

#include "programs/namespaces.hpp"
#include "programs/rules.hpp"

namespace fourfall::jail {

// What has been done for the process before.
struct World {
    std::string scratch;
    bool own_namespaces = false;
    Mounts mounts;
};

// Confines the calling process for good and moves it to its working folder. Throws SetupError.
void confine(const Rules& rules, const World& world);

// Root becomes nobody, who may still read what Landlock leaves, so that interpreters in private folders start; anybody
// else gives up what a new namespace gave. Throws SetupError.
void drop_privileges();

// Whether the memory in use is to be looked at from time to time: a program's, where /proc shows the jail alone.
bool watches_memory(const Rules& rules, const World& world);

// Processes and threads of a user, as far as /proc shows them.
std::uint64_t count_tasks(uid_t user);

}  // namespace fourfall::jail
