// Owns the file system as a jailed process sees it: Landlock, the kernel's access control for the unprivileged.
#pragma once

#include <string>
#include <vector>

namespace fourfall::jail {

// Version of Landlock that the kernel offers; 0: none.
int landlock_version();

// From version 6 on, jailed processes cannot send signals to others even without a PID namespace.
inline constexpr int kLandlockSignals = 6;

// From now on this process and its children read and execute below `readable` only and write below `writable` only;
// names that do not exist are passed over. Throws SetupError.
void restrict_files(const std::vector<std::string>& readable, const std::vector<std::string>& writable);

}  // namespace fourfall::jail
