// Folders of control groups: finds the hierarchies of this machine, creates and removes the groups of agents.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fourfall::sandbox {

// The folder of the calling process's own group, and those of the groups above it, nearest first. `controller` names a
// hierarchy of version 1; empty: version 2. Empty if the hierarchy is not mounted.
std::vector<std::string> find_group_folders(std::string_view controller);

// Creates a group whose name says which process owns it: the calling one. Empty if that is not allowed. Groups in the
// same folder whose owners have ended are removed first.
std::string create_group(const std::string& parent);

// Kills the processes of a group, waits for their end and removes the group. Gives up after about a second.
void remove_group(const std::string& folder);

std::string read_group_file(const std::string& path);
bool write_group_file(const std::string& path, std::string_view text);

}  // namespace fourfall::sandbox
