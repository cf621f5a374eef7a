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

#include "programs/landlock.hpp"
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
    "/sys/devices/system/cpu",
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
    set_limit(RLIMIT_NOFILE, 256, 256, "open file limit");
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

void set_capabilities(std::uint32_t kept) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[2] = {{kept, kept, kept}, {0, 0, 0}};
    require(syscall(SYS_capset, &header, sets) == 0, "capabilities");
}

bool has_capability(int number) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[2] = {};
    require(syscall(SYS_capget, &header, sets) == 0, "capabilities");
    return (sets[0].permitted >> number & 1) != 0;
}

void restrict_paths(const HostOptions& options, const ProcessSetup& setup) {
    std::vector<std::string> readable(std::begin(kSystemPaths), std::end(kSystemPaths));
    readable.insert(readable.end(), options.readable.begin(), options.readable.end());
    if (setup.mounts.has_private_proc) {
        readable.emplace_back("/proc");
    } else {
        readable.insert(readable.end(), std::begin(kSharedProcPaths), std::end(kSharedProcPaths));
    }
    std::vector<std::string> writable{setup.scratch_folder, "/dev/null", "/dev/zero", "/dev/full"};
    if (setup.mounts.is_read_only) writable.emplace_back("/dev/shm");
    restrict_files(readable, writable);
}

}  // namespace

void drop_privileges() {
    if (geteuid() != 0) {
        set_capabilities(0);
        return;
    }
    require(prctl(PR_SET_KEEPCAPS, 1) == 0, "capabilities");
    require(setgroups(0, nullptr) == 0, "supplementary groups");
    require(setresgid(kNobody, kNobody, kNobody) == 0, "group");
    require(setresuid(kNobody, kNobody, kNobody) == 0, "user");
    if (!has_capability(CAP_DAC_READ_SEARCH)) {  // root lacks the capability, as in many containers
        set_capabilities(0);
        return;
    }
    set_capabilities(1U << CAP_DAC_READ_SEARCH);
    require(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_READ_SEARCH, 0, 0) == 0, "capabilities");
}

void enter_sandbox(const HostOptions& options, const ProcessSetup& setup) {
    require(chdir(setup.scratch_folder.c_str()) == 0, "scratch folder");
    set_limits(options, setup);
    if (options.sandbox) {
        if (!setup.has_namespaces && landlock_version() < kLandlockSignals) {
            throw SetupError(
                "neither PID namespaces nor Landlock 6 are available: other processes could not be protected");
        }
        drop_privileges();
        require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no new privileges");
        restrict_paths(options, setup);
    }
    if (!options.working_folder.empty() && chdir(options.working_folder.c_str()) != 0) fail(options.working_folder);
    // The last step: it may refuse calls that the steps above need. The exec of a program follows.
    // Without a PID namespace it is not certain that a program that forks repeatedly can be killed, so it may not fork.
    if (!options.sandbox) return;
    restrict_calls({.fork = !options.is_library && setup.has_namespaces,
                    .exec = !options.is_library,
                    .file_metadata = setup.mounts.is_read_only});
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
