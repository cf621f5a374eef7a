#include "programs/jail.hpp"

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

namespace fourfall::jail {
namespace {

constexpr rlim_t kMebibyte = 1 << 20;

// Programs, their libraries and what the C library, language runtimes and the clock want to read at their start.
const char* const kSystem[] = {
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

// Where /proc shows the whole machine, only what is about the process itself and about the hardware.
const char* const kForeignProc[] = {
    "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/proc/sys/vm/overcommit_memory",
};

void limit(decltype(RLIMIT_CORE) resource, rlim_t soft, rlim_t hard, const char* what) {
    rlimit current{};
    require(getrlimit(resource, &current) == 0, what);
    const rlim_t ceiling = std::min(hard, current.rlim_max);  // only the privileged may raise a hard limit
    const rlimit wanted{std::min(soft, ceiling), ceiling};
    require(setrlimit(resource, &wanted) == 0, what);
}

void set_limits(const Rules& rules, const World& world) {
    limit(RLIMIT_CORE, 1, 1, "core size limit");  // 0 would still feed a program that collects cores
    limit(RLIMIT_RTPRIO, 0, 0, "priority limit");
    limit(RLIMIT_NICE, 0, 0, "priority limit");
    limit(RLIMIT_NOFILE, 256, 256, "open file limit");
    limit(RLIMIT_FSIZE, 64 * kMebibyte, 64 * kMebibyte, "file size limit");
    // The hard limit ends who catches the signal of the soft one.
    if (rules.cpu_s > 0) limit(RLIMIT_CPU, rules.cpu_s, rules.cpu_s + 1, "processor time limit");
    if (rules.memory_mb > 0) {
        // Where the memory in use is watched, address space that is only reserved, as language runtimes do, is free.
        const auto counted = watches_memory(rules, world) ? RLIMIT_DATA : RLIMIT_AS;
        limit(counted, rules.memory_mb * kMebibyte, rules.memory_mb * kMebibyte, "memory limit");
    }
    // In a user namespace the count starts at nought; without one it is that of the user on the whole machine.
    const uid_t user = rules.jailed && geteuid() == 0 ? kNobody : geteuid();
    // What that user starts later counts too, hence the margin: enough against a fork bomb, and nobody is disturbed.
    const rlim_t tasks = world.own_namespaces ? 1 + rules.tasks : count_tasks(user) + 8 * rules.tasks;
    limit(RLIMIT_NPROC, tasks, tasks, "process limit");
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

void restrict_view(const Rules& rules, const World& world) {
    std::vector<std::string> readable(std::begin(kSystem), std::end(kSystem));
    readable.insert(readable.end(), rules.readable.begin(), rules.readable.end());
    if (world.mounts.own_processes) {
        readable.emplace_back("/proc");
    } else {
        readable.insert(readable.end(), std::begin(kForeignProc), std::end(kForeignProc));
    }
    std::vector<std::string> writable{world.scratch, "/dev/null", "/dev/zero", "/dev/full"};
    if (world.mounts.sealed) writable.emplace_back("/dev/shm");
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
    if (!has_capability(CAP_DAC_READ_SEARCH)) {  // taken from root itself, as in many containers
        set_capabilities(0);
        return;
    }
    set_capabilities(1U << CAP_DAC_READ_SEARCH);
    require(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_READ_SEARCH, 0, 0) == 0, "capabilities");
}

void confine(const Rules& rules, const World& world) {
    require(chdir(world.scratch.c_str()) == 0, "scratch folder");
    set_limits(rules, world);
    if (rules.jailed) {
        if (!world.own_namespaces && landlock_version() < kLandlockSignals) {
            throw SetupError("neither PID namespaces nor Landlock 6: other processes could not be protected");
        }
        drop_privileges();
        require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no new privileges");
        restrict_view(rules, world);
    }
    if (!rules.working_folder.empty() && chdir(rules.working_folder.c_str()) != 0) fail(rules.working_folder);
    // Last, because it may take away what the steps above need; the exec of a program comes after it.
    // Without a PID namespace a program that forks on and on could not be ended for certain, so it may not fork at all.
    if (!rules.jailed) return;
    restrict_calls(
        {.fork = !rules.library && world.own_namespaces, .exec = !rules.library, .modes = world.mounts.sealed});
}

bool watches_memory(const Rules& rules, const World& world) {
    return !rules.library && rules.memory_mb > 0 && world.mounts.own_processes;
}

std::uint64_t count_tasks(uid_t user) {
    DIR* processes = opendir("/proc");
    if (processes == nullptr) return 0;
    std::uint64_t count = 0;
    while (const dirent* entry = readdir(processes)) {
        if (std::isdigit(static_cast<unsigned char>(entry->d_name[0])) == 0) continue;
        struct stat about{};
        const std::string tasks = std::string("/proc/") + entry->d_name + "/task";
        // A folder has two links more than folders in it.
        if (stat(tasks.c_str(), &about) == 0 && about.st_uid == user) count += about.st_nlink - 2;
    }
    closedir(processes);
    return count;
}

}  // namespace fourfall::jail
