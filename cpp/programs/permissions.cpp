// Reads the environment and the limits of the calling process and prints them with its rules for files.
#include "programs/permissions.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>

namespace fourfall::sandbox {
namespace {

struct Limit {
    const char* name;
    decltype(RLIMIT_CORE) resource;
    rlim_t unit;
};

constexpr Limit kLimits[] = {
    {"address_space_mb", RLIMIT_AS, 1 << 20}, {"memory_mb", RLIMIT_DATA, 1 << 20},     {"cpu_time_s", RLIMIT_CPU, 1},
    {"open_files", RLIMIT_NOFILE, 1},         {"file_size_mb", RLIMIT_FSIZE, 1 << 20},
};

void print_paths(const char* access, const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
        struct stat about{};
        if (stat(path.c_str(), &about) != 0 && errno == ENOENT) continue;
        std::printf("%s\t%s\n", access, path.c_str());
    }
}

}  // namespace

int print_permissions(const FileRules& rules, bool has_namespaces) {
    print_paths("read", rules.readable);
    print_paths("list", rules.listable);
    print_paths("write", rules.writable);
    for (char** variable = environ; *variable != nullptr; ++variable) std::printf("environment\t%s\n", *variable);
    rlimit limit{};
    for (const auto& [name, resource, unit] : kLimits) {
        if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) continue;
        std::printf("limit\t%s\t%ju\n", name, static_cast<std::uintmax_t>(limit.rlim_cur / unit));
    }
    // Without a user namespace the limit counts all tasks of the user on the machine. In one, the leader counts too.
    if (has_namespaces && getrlimit(RLIMIT_NPROC, &limit) == 0) {
        std::printf("limit\ttasks\t%ju\n", static_cast<std::uintmax_t>(limit.rlim_cur - 1));
    }
    std::printf("end\n");
    return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace fourfall::sandbox
