// Builds the Landlock rules of a sandboxed process with direct system calls.
#include "programs/landlock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "programs/host_options.hpp"

namespace fourfall::sandbox {
namespace {

// Defined here because system headers are often older than the kernel.
constexpr std::uint64_t kExecute = 1 << 0;
constexpr std::uint64_t kWriteFile = 1 << 1;
constexpr std::uint64_t kReadFile = 1 << 2;
constexpr std::uint64_t kReadFolder = 1 << 3;
constexpr std::uint64_t kTruncate = 1 << 14;
constexpr std::uint64_t kDeviceIoctl = 1 << 15;
constexpr std::uint64_t kOnFiles = kExecute | kWriteFile | kReadFile | kTruncate | kDeviceIoctl;
constexpr std::uint64_t kBindAndConnectTcp = 3;
constexpr std::uint64_t kAbstractSocketsAndSignals = 3;

constexpr int kCreateRuleset = 444;
constexpr int kAddRule = 445;
constexpr int kRestrictSelf = 446;
constexpr int kPathBeneath = 1;
constexpr int kVersionWanted = 1;

struct Ruleset {
    std::uint64_t files;
    std::uint64_t network;
    std::uint64_t scope;
};

struct [[gnu::packed]] PathBeneath {
    std::uint64_t allowed;
    std::int32_t folder;
};

// Version 1 has 13 file access rights; 2 adds moving between folders, 3 truncation, 5 ioctl on devices.
std::uint64_t all_rights(int version) {
    const int rights = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
    return (std::uint64_t{1} << rights) - 1;
}

void allow(int ruleset, const std::string& path, std::uint64_t rights) {
    const int file = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (file < 0) return;
    struct stat about{};
    require(fstat(file, &about) == 0, path.c_str());
    PathBeneath rule{S_ISDIR(about.st_mode) ? rights : rights & kOnFiles, file};
    const bool added = syscall(kAddRule, ruleset, kPathBeneath, &rule, 0) == 0;
    close(file);
    if (!added) fail("Landlock rule for " + path);
}

}  // namespace

int get_landlock_version() {
    const long version = syscall(kCreateRuleset, nullptr, 0, kVersionWanted);
    return version > 0 ? static_cast<int>(version) : 0;
}

void restrict_files(const FileRules& rules) {
    const int version = get_landlock_version();
    require(version > 0, "Landlock");
    const std::uint64_t all = all_rights(version);
    Ruleset wanted{all, version >= 4 ? kBindAndConnectTcp : 0,
                   version >= kLandlockSignals ? kAbstractSocketsAndSignals : 0};
    const std::size_t size = version >= kLandlockSignals ? 24 : version >= 4 ? 16 : 8;
    const int ruleset = static_cast<int>(syscall(kCreateRuleset, &wanted, size, 0));
    require(ruleset >= 0, "Landlock ruleset");
    for (const std::string& path : rules.readable) allow(ruleset, path, kExecute | kReadFile | kReadFolder);
    for (const std::string& path : rules.listable) allow(ruleset, path, kReadFolder);
    for (const std::string& path : rules.writable) allow(ruleset, path, all);
    require(syscall(kRestrictSelf, ruleset, 0) == 0, "Landlock");
    close(ruleset);
}

}  // namespace fourfall::sandbox
