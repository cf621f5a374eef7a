// Tries each protection of the sandbox in a child process and prints the result.
#include "programs/protections.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <functional>

#include "programs/cgroup.hpp"
#include "programs/landlock.hpp"
#include "programs/sandbox.hpp"
#include "programs/seccomp.hpp"

namespace fourfall::sandbox {
namespace {

void print(const char* name, bool available, const std::string& detail) {
    std::printf("%s\t%s\t%s\n", name, available ? "yes" : "no", detail.c_str());
    std::fflush(stdout);
}

// The result of trying a protection: what was found, or why it failed.
struct TrialResult {
    bool succeeded;
    std::string detail;
};

// Runs `trial` in a child process. Its return value, or the text of its exception, is the detail.
TrialResult run_trial(const std::function<std::string()>& trial) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return {false, std::strerror(errno)};
    const pid_t child = fork();
    if (child == 0) {
        std::string detail;
        int code = 0;
        try {
            detail = trial();
        } catch (const std::exception& error) {
            detail = error.what();
            code = 1;
        }
        if (write(ends[1], detail.data(), detail.size()) < 0) code = 1;
        _exit(code);
    }
    close(ends[1]);
    std::array<char, 512> text{};
    const ssize_t count = read(ends[0], text.data(), text.size());
    close(ends[0]);
    int state = 0;
    waitpid(child, &state, 0);
    return {WIFEXITED(state) && WEXITSTATUS(state) == 0, std::string(text.data(), count > 0 ? count : 0)};
}

std::string try_files() {
    require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no new privileges");
    restrict_files({.readable = {"/usr"}, .listable = {}, .writable = {}});
    if (open("/etc", O_RDONLY | O_CLOEXEC) >= 0) throw SetupError("Landlock does not prevent the opening of a folder");
    return "Landlock " + std::to_string(get_landlock_version());
}

std::string try_calls() {
    require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no new privileges");
    restrict_calls({});
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM) throw SetupError("seccomp does not refuse a socket");
    return "seccomp";
}

std::string try_user() {
    const bool is_root = geteuid() == 0;
    drop_privileges({});
    return is_root ? "root changes to nobody" : "unprivileged user";
}

// Returns one letter for each part that works in new namespaces: p PID namespace, m read-only mounts, o private /proc.
std::string try_namespaces() {
    std::array<int, 2> go{};
    std::array<int, 2> found{};
    require(pipe(go.data()) == 0 && pipe(found.data()) == 0, "pipe");
    const std::string scratch = std::filesystem::temp_directory_path();
    const pid_t child = fork_into_namespaces();
    require(child >= 0, "new namespaces");
    if (child == 0) {
        char permission = 0;
        close(go[1]);
        if (read(go[0], &permission, 1) != 1) _exit(1);
        const MountState mounts = restrict_mounts(scratch, {}, {});
        std::string letters = getpid() == 1 ? "p" : "";
        if (mounts.is_read_only) letters += 'm';
        if (mounts.has_private_proc) letters += 'o';
        _exit(write(found[1], letters.data(), letters.size()) < 0 ? 1 : 0);
    }
    const bool mapped = map_users(child);
    const int reason = errno;
    if (mapped) require(write(go[1], "g", 1) == 1, "pipe");
    close(go[1]);
    close(found[1]);
    std::array<char, 8> letters{};
    const ssize_t count = read(found[0], letters.data(), letters.size());
    waitpid(child, nullptr, 0);
    errno = reason;
    require(mapped, "mapping of users into the namespace");
    return {letters.data(), static_cast<std::size_t>(count > 0 ? count : 0)};
}

// Returns the versions of cgroups with which a process can be frozen and its memory limited, as two digits; 0: none.
std::string try_cgroups() {
    AgentGroups groups;
    groups.create({}, 64);
    const pid_t child = groups.fork_child();
    if (child == 0) {
        for (;;) pause();
    }
    if (child > 0) groups.add_child(child);
    bool is_frozen = false;
    if (groups.freezer_version() > 0) groups.request_freeze();
    for (int round = 0; groups.freezer_version() > 0 && round < 1000 && !is_frozen; ++round) {
        is_frozen = groups.is_frozen();
        if (!is_frozen) usleep(1000);
    }
    kill(child, SIGKILL);
    if (groups.freezer_version() > 0) groups.thaw();
    waitpid(child, nullptr, 0);
    groups.remove();
    return std::to_string(is_frozen ? groups.freezer_version() : 0) + std::to_string(groups.memory_version());
}

void print_cgroup(const char* name, char version, const char* replacement) {
    const bool found = version != '0';
    print(name, found, found ? std::string("cgroup version ") + version : std::string("no cgroup; ") + replacement);
}

}  // namespace

int print_protections() {
    const auto [files, files_detail] = run_trial(try_files);
    const auto [calls, calls_detail] = run_trial(try_calls);
    const auto [user, user_detail] = run_trial(try_user);
    const auto [namespaces, letters] = run_trial(try_namespaces);
    const auto has = [&, found = namespaces ? letters : ""](char letter) {
        return found.find(letter) != std::string::npos;
    };
    const std::string reason = namespaces ? "available" : letters;
    print("files", files, files_detail);
    print("calls", calls, calls_detail);
    const bool signals = files && get_landlock_version() >= kLandlockSignals;
    print("processes", has('p') || signals, has('p') ? "PID namespace" : signals ? files_detail : reason);
    print("user", user, user_detail);
    print("namespaces", has('p'), reason);
    print("mounts", has('m'), has('m') ? "mount namespace" : namespaces ? "mounting is not allowed" : reason);
    print("proc", has('o'), has('o') ? "mount of /proc" : namespaces ? "mounting /proc is not allowed" : reason);
    const auto [cgroups, versions] = run_trial(try_cgroups);
    print_cgroup("freezer", cgroups ? versions[0] : '0', "stopped by signals between its moves");
    print_cgroup("memory", cgroups ? versions[1] : '0', has('o') ? "measured periodically" : "limited per process");
    return 0;
}

}  // namespace fourfall::sandbox
