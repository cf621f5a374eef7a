#include "programs/check.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <functional>

#include "programs/jail.hpp"
#include "programs/landlock.hpp"
#include "programs/seccomp.hpp"

namespace fourfall::jail {
namespace {

void print(const char* name, bool available, const std::string& detail) {
    std::printf("%s\t%s\t%s\n", name, available ? "yes" : "no", detail.c_str());
    std::fflush(stdout);
}

// Tries something in a child process, which returns its finding; what it throws is the reason of a failure.
std::pair<bool, std::string> attempt(const std::function<std::string()>& trial) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return {false, std::strerror(errno)};
    const pid_t child = fork();
    if (child == 0) {
        std::string said;
        int code = 0;
        try {
            said = trial();
        } catch (const std::exception& error) {
            said = error.what();
            code = 1;
        }
        if (write(ends[1], said.data(), said.size()) < 0) code = 1;
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
    restrict_files({"/usr"}, {});
    if (open("/etc", O_RDONLY | O_CLOEXEC) >= 0) throw SetupError("Landlock does not keep a folder closed");
    return "Landlock " + std::to_string(landlock_version());
}

std::string try_calls() {
    require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no new privileges");
    restrict_calls({});
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM) throw SetupError("seccomp does not refuse a socket");
    return "seccomp";
}

std::string try_user() {
    const bool root = geteuid() == 0;
    drop_privileges();
    return root ? "root becomes nobody" : "an ordinary user";
}

// What a process in new namespaces finds there: one letter for each thing that works.
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
        const Mounts mounts = seal_mounts(scratch);
        std::string letters = getpid() == 1 ? "p" : "";
        if (mounts.sealed) letters += 'm';
        if (mounts.own_processes) letters += 'o';
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
    require(mapped, "users of the namespace");
    return {letters.data(), static_cast<std::size_t>(count > 0 ? count : 0)};
}

}  // namespace

int print_protections() {
    const auto [files, about_files] = attempt(try_files);
    const auto [calls, about_calls] = attempt(try_calls);
    const auto [user, about_user] = attempt(try_user);
    const auto [namespaces, letters] = attempt(try_namespaces);
    const auto has = [&, found = namespaces ? letters : ""](char letter) {
        return found.find(letter) != std::string::npos;
    };
    const std::string reason = namespaces ? "available" : letters;
    print("files", files, about_files);
    print("calls", calls, about_calls);
    const bool signals = files && landlock_version() >= kLandlockSignals;
    print("processes", has('p') || signals, has('p') ? "PID namespace" : signals ? about_files : reason);
    print("user", user, about_user);
    print("namespaces", has('p'), reason);
    print("mounts", has('m'), has('m') ? "mount namespace" : namespaces ? "mounting is not allowed" : reason);
    print("proc", has('o'), has('o') ? "mount of /proc" : namespaces ? "mounting /proc is not allowed" : reason);
    return 0;
}

}  // namespace fourfall::jail
