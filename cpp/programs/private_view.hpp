// The private view of a sandboxed process: files that it may not read do not exist for it.
#pragma once

#include <string>
#include <vector>

namespace fourfall::sandbox {

// Called in a new mount namespace: covers all folders of the root except the system's with empty file systems, in which
// only the `visible` files and folders and the empty folders `created` exist, at their usual paths. Visible paths that
// do not exist are ignored. Returns false, without any change, if this machine does not allow it. Throws SetupError if
// a later step fails.
bool hide_other_files(const std::vector<std::string>& visible, const std::vector<std::string>& created);

}  // namespace fourfall::sandbox
