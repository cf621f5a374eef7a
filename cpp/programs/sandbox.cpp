// Applies resource limits, user, Landlock and seccomp to the calling process.
#include "programs/sandbox.hpp"

#include <dirent.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <span>
#include <string_view>

#include "programs/landlock.hpp"
#include "programs/memory_usage.hpp"
#include "programs/seccomp.hpp"

namespace fourfall::sandbox {
namespace {

constexpr rlim_t kMebibyte = 1 << 20;

// Programs, libraries, and files that the C library and language runtimes read when they start.
const char* const kSystemPaths[] = {
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/bin",
    "/sbin",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/ssl/openssl.cnf",
    "/dev/urandom",
    "/dev/random",
};

// The second list is for a process that may read all files: the folder contains files with addresses of the kernel.
const char* const kProcessorPaths[] = {"/sys/devices/system/cpu"};
const char* const kProcessorCountPaths[] = {
    "/sys/devices/system/cpu/online",
    "/sys/devices/system/cpu/possible",
    "/sys/devices/system/cpu/present",
};

// The readable part of a /proc that shows the whole machine: the process itself and the hardware.
const char* const kSharedProcPaths[] = {
    "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/proc/sys/vm/overcommit_memory",
};

void set_limit(decltype(RLIMIT_CORE) resource, rlim_t soft, rlim_t hard, const char* what) {
    rlimit current{};
    require(getrlimit(resource, &current) == 0, what);
    const rlim_t maximum = std::min(hard, current.rlim_max);  // only privileged processes may raise a hard limit
    const rlimit wanted{std::min(soft, maximum), maximum};
    require(setrlimit(resource, &wanted) == 0, what);
}

void set_limits(const HostOptions& options, const ProcessSetup& setup) {
    set_limit(RLIMIT_CORE, 1, 1,
              "core size limit");  // a limit of 0 does not stop core dumps that are piped to a program
    set_limit(RLIMIT_RTPRIO, 0, 0, "priority limit");
    set_limit(RLIMIT_NICE, 0, 0, "priority limit");
    set_limit(RLIMIT_NOFILE, kMaxDescriptors, kMaxDescriptors, "open file limit");
    set_limit(RLIMIT_FSIZE, 64 * kMebibyte, 64 * kMebibyte, "file size limit");
    // The hard limit kills a process that catches the signal of the soft limit.
    if (options.cpu_time_s > 0)
        set_limit(RLIMIT_CPU, options.cpu_time_s, options.cpu_time_s + 1, "processor time limit");
    if (options.memory_mb > 0) {
        // Language runtimes reserve address space that they do not use; it counts only if memory is not measured.
        const auto resource = measures_memory(options, setup) ? RLIMIT_DATA : RLIMIT_AS;
        set_limit(resource, options.memory_mb * kMebibyte, options.memory_mb * kMebibyte, "memory limit");
    }
    // A user namespace counts its own tasks; without one, all tasks of the user on the machine count.
    const uid_t user = options.sandbox && geteuid() == 0 ? kNobody : geteuid();
    // The margin is for tasks that the same user starts later outside the sandbox; a fork bomb is still stopped.
    const rlim_t tasks = setup.has_namespaces ? 1 + options.max_tasks : count_tasks(user) + 8 * options.max_tasks;
    set_limit(RLIMIT_NPROC, tasks, tasks, "process limit");
}

void set_capabilities(std::uint32_t permitted, std::uint32_t inheritable) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[2] = {{permitted, permitted, inheritable}, {0, 0, 0}};
    require(syscall(SYS_capset, &header, sets) == 0, "capabilities");
}

bool has_capability(int number) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[2] = {};
    require(syscall(SYS_capget, &header, sets) == 0, "capabilities");
    return (sets[0].permitted >> number & 1) != 0;
}

// Drops all capabilities except `kept` in all sets. Only a process with CAP_SETPCAP can empty the bounding set;
// other processes keep it, without effect, because they cannot get new privileges.
void limit_capabilities(std::uint32_t kept) {
    if (has_capability(CAP_SETPCAP)) {
        set_capabilities(kept | 1U << CAP_SETPCAP, kept);
        for (unsigned long number = 0; prctl(PR_CAPBSET_READ, number, 0, 0, 0) >= 0; ++number) {
            require(prctl(PR_CAPBSET_DROP, number, 0, 0, 0) == 0, "capabilities");
        }
    }
    set_capabilities(kept, kept);  // this also empties the ambient set
}

bool is_system_path(const std::string& path) {
    return std::any_of(std::begin(kSystemPaths), std::end(kSystemPaths),
                       [&](const std::string& system) { return path == system || path.starts_with(system + "/"); });
}

// Whether the permissions of a path, or of an entry of this folder, prevent the calling process from reading it.
bool is_forbidden(const std::string& path) {
    if (is_system_path(path)) return false;
    if (access(path.c_str(), R_OK) != 0) return errno == EACCES;
    DIR* folder = opendir(path.c_str());
    if (folder == nullptr) return false;  // a file
    bool forbidden = access(path.c_str(), X_OK) != 0;
    for (const dirent* entry = nullptr; !forbidden && (entry = readdir(folder)) != nullptr;) {
        const std::string_view name = entry->d_name;
        if (name == "..") continue;
        forbidden = faccessat(dirfd(folder), entry->d_name, R_OK, 0) != 0 && errno == EACCES;
    }
    closedir(folder);
    return forbidden;
}

FileRules make_file_rules(const HostOptions& options, const ProcessSetup& setup, bool reads_all_files) {
    FileRules rules;
    std::vector<std::string>& readable = rules.readable;
    readable.assign(std::begin(kSystemPaths), std::end(kSystemPaths));
    const std::span<const char* const> processors = reads_all_files ? std::span<const char* const>(kProcessorCountPaths)
                                                                    : std::span<const char* const>(kProcessorPaths);
    readable.insert(readable.end(), processors.begin(), processors.end());
    readable.insert(readable.end(), options.readable.begin(), options.readable.end());
    if (setup.mounts.has_private_proc) {
        readable.emplace_back("/proc");
    } else {
        readable.insert(readable.end(), std::begin(kSharedProcPaths), std::end(kSharedProcPaths));
    }
    rules.listable = options.listable;
    rules.writable = {setup.scratch_folder, "/dev/null", "/dev/zero", "/dev/full"};
    if (setup.mounts.is_read_only) rules.writable.emplace_back("/dev/shm");
    return rules;
}

}  // namespace

bool drop_privileges(const std::vector<std::string>& needed) {
    if (geteuid() != 0) {
        limit_capabilities(0);
        return false;
    }
    require(prctl(PR_SET_KEEPCAPS, 1) == 0, "capabilities");
    require(setgroups(0, nullptr) == 0, "supplementary groups");
    require(setresgid(kNobody, kNobody, kNobody) == 0, "group");
    require(setresuid(kNobody, kNobody, kNobody) == 0, "user");
    // The change of user made all capabilities ineffective. Root lacks CAP_DAC_READ_SEARCH in many containers.
    const bool keeps = has_capability(CAP_DAC_READ_SEARCH) && std::any_of(needed.begin(), needed.end(), is_forbidden);
    limit_capabilities(keeps ? 1U << CAP_DAC_READ_SEARCH : 0);
    if (keeps) require(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_READ_SEARCH, 0, 0) == 0, "capabilities");
    return keeps;
}

FileRules enter_sandbox(const HostOptions& options, const ProcessSetup& setup) {
    FileRules rules;
    require(chdir(setup.scratch_folder.c_str()) == 0, "scratch folder");
    set_limits(options, setup);
    if (options.sandbox) {
        if (!setup.has_namespaces && get_landlock_version() < kLandlockSignals) {
            throw SetupError(
                "neither PID namespaces nor Landlock 6 are available: other processes could not be protected");
        }
        std::vector<std::string> needed = options.readable;
        needed.insert(needed.end(), options.listable.begin(), options.listable.end());
        needed.insert(needed.end(), {setup.scratch_folder, options.command[0]});
        if (!options.working_folder.empty()) needed.push_back(options.working_folder);
        const bool reads_all_files = drop_privileges(needed);
        require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no new privileges");
        rules = make_file_rules(options, setup, reads_all_files);
        restrict_files(rules);
    }
    if (!options.working_folder.empty() && chdir(options.working_folder.c_str()) != 0) fail(options.working_folder);
    // The last step: it may refuse calls that the steps above need. The exec of a program follows.
    // Without a PID namespace it is not certain that a program that forks repeatedly can be killed, so it may not fork.
    if (!options.sandbox) return rules;
    restrict_calls({.fork = !options.is_library && setup.has_namespaces,
                    .exec = !options.is_library,
                    .socket_pairs = !options.is_library,
                    .file_metadata = setup.mounts.is_read_only,
                    .continue_signals = !setup.is_frozen_by_signals});
    return rules;
}

bool measures_memory(const HostOptions& options, const ProcessSetup& setup) {
    return !options.is_library && options.memory_mb > 0 && setup.mounts.has_private_proc;
}

std::uint64_t count_tasks(uid_t user) {
    DIR* processes = opendir("/proc");
    if (processes == nullptr) return 0;
    std::uint64_t count = 0;
    while (const dirent* entry = readdir(processes)) {
        if (std::isdigit(static_cast<unsigned char>(entry->d_name[0])) == 0) continue;
        struct stat status{};
        const std::string tasks = std::string("/proc/") + entry->d_name + "/task";
        // A folder has two more links than subfolders.
        if (stat(tasks.c_str(), &status) == 0 && status.st_uid == user) count += status.st_nlink - 2;
    }
    closedir(processes);
    return count;
}

}  // namespace fourfall::sandbox
