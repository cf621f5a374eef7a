#include "programs/supervise.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "programs/foreign_process.hpp"
#include "programs/namespaces.hpp"
#include "programs/usage.hpp"

namespace fourfall::jail {
namespace {

constexpr int kLookEveryMs = 50;
constexpr int kRounds = 2000;

std::pair<int, int> make_pipe() {
    std::array<int, 2> ends{};
    require(pipe2(ends.data(), O_CLOEXEC) == 0, "pipe");
    return {ends[0], ends[1]};
}

// Lets go of the foreign process's input and outputs, so that their ends are its ends alone.
void release_streams() {
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int stream = 0; stream <= 2; ++stream) dup2(null, stream);
    if (null > 2) close(null);
}

std::string read_all(int descriptor) {
    std::string text;
    std::array<char, 512> chunk{};
    for (ssize_t count = 0; (count = read(descriptor, chunk.data(), chunk.size())) > 0;) {
        text.append(chunk.data(), static_cast<std::size_t>(count));
    }
    return text;
}

int open_process(pid_t process) { return static_cast<int>(syscall(SYS_pidfd_open, process, 0)); }

// What a process took: the most memory that was in use, in KiB, and processor time in milliseconds.
std::string told(const rusage& usage) {
    const auto ms = [](const timeval& time) { return 1000 * time.tv_sec + time.tv_usec / 1000; };
    return " " + std::to_string(usage.ru_maxrss) + " " + std::to_string(ms(usage.ru_utime) + ms(usage.ru_stime));
}

// Waits for the end of the foreign process, reaps orphans, and tells how it went. Programs may start others, so their
// memory is looked at from time to time.
void follow(const Rules& rules, const World& world, pid_t foreign) {
    const std::uint64_t cap_kib = watches_memory(rules, world) ? 1024 * rules.memory_mb : 0;
    pollfd end{open_process(foreign), POLLIN, 0};
    for (;;) {
        poll(&end, 1, rules.library ? -1 : kLookEveryMs);
        int state = 0;
        rusage usage{};
        for (pid_t ended = 0; (ended = wait4(-1, &state, WNOHANG, &usage)) > 0;) {
            if (ended != foreign) continue;
            const bool killed = WIFSIGNALED(state);
            const std::string number = std::to_string(killed ? WTERMSIG(state) : WEXITSTATUS(state));
            return write_line(rules.status, (killed ? "signal " : "exit ") + number + told(usage));
        }
        if (cap_kib == 0) continue;
        const std::uint64_t used_kib = memory_in_use(cap_kib);
        if (used_kib > cap_kib) return write_line(rules.status, "memory 9 " + std::to_string(used_kib) + " 0");
    }
}

// The first process of the namespaces: starts the foreign one, tells the caller how it went, and ends with it.
[[noreturn]] void lead(const Rules& rules, World world, int go) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    char permission = 0;
    if (read(go, &permission, 1) != 1) _exit(1);        // the host is gone, or could not map the users
    prctl(PR_SET_DUMPABLE, 0);                          // not earlier: the map of users is written through /proc
    std::ofstream("/proc/self/oom_score_adj") << 1000;  // where memory runs out, this goes first
    if (world.own_namespaces) world.mounts = seal_mounts(world.scratch);
    const auto [hear, report] = make_pipe();
    const pid_t foreign = fork();
    if (foreign == 0) become_foreign(rules, world, report);
    close(report);
    release_streams();
    if (foreign < 0) {
        write_line(rules.status, std::string("! jail fork: ") + std::strerror(errno));
        _exit(1);
    }
    const std::string trouble = read_all(hear);
    write_line(rules.status, trouble.empty() ? "started " + world.scratch : trouble.substr(0, trouble.find('\n')));
    follow(rules, world, foreign);
    _exit(0);
}

// Waits until the caller is done or gone, or the jail is empty.
void watch(const Rules& rules, pid_t leader) {
    std::array<pollfd, 3> events{{{rules.life, POLLIN, 0},
                                  {open_process(leader), POLLIN, 0},
                                  {rules.parent > 0 ? open_process(rules.parent) : -1, POLLIN, 0}}};
    require(events[1].fd >= 0, "watching a process");
    if (rules.parent > 0 && getppid() != rules.parent) return;  // gone before we could look
    while (poll(events.data(), events.size(), -1) < 0 && errno == EINTR) {
    }
}

// Ends all children of this process; those whose parent ends become children of this one, their "subreaper". Unjailed
// processes that fork faster than they are found have to be given up.
void end_orphans() {
    const std::string own = std::to_string(getpid()) + " ";
    for (int round = 0; round < kRounds && (waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD); ++round) {
        DIR* processes = opendir("/proc");
        while (const dirent* entry = processes == nullptr ? nullptr : readdir(processes)) {
            std::ifstream file(std::string("/proc/") + entry->d_name + "/stat");
            std::string text;
            if (!std::getline(file, text)) continue;
            // After the name, which may hold anything: the state and the parent.
            const std::size_t parent = text.rfind(')') + 4;
            if (text.compare(parent, own.size(), own) != 0) continue;
            const pid_t child = std::atoi(entry->d_name);
            kill(-child, SIGKILL);  // the group that it leads, if it does, at one stroke
            kill(child, SIGKILL);
        }
        if (processes != nullptr) closedir(processes);
        usleep(500);
    }
}

std::string make_scratch(const Rules& rules) {
    std::string name = rules.temporary + "/fourfall-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) fail(name);
    if (rules.jailed && geteuid() == 0) require(chown(name.c_str(), kNobody, kNobody) == 0, name.c_str());
    return name;
}

void remove_scratch(const std::string& scratch) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    for (fs::recursive_directory_iterator at(scratch, ignored), end; at != end; at.increment(ignored)) {
        // A folder that its owner may not enter could not be emptied.
        if (at->symlink_status(ignored).type() == fs::file_type::directory) {
            fs::permissions(at->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
        }
    }
    fs::remove_all(scratch, ignored);
}

// The start of the jail's first process, in namespaces of its own where the machine offers them.
pid_t start(const Rules& rules, World& world) {
    const auto [wait, go] = make_pipe();
    if (rules.jailed && rules.namespaces) {
        world.own_namespaces = true;
        const pid_t leader = fork_into_namespaces();
        if (leader == 0) {
            close(go);
            lead(rules, world, wait);
        }
        if (leader > 0 && map_users(leader)) {
            require(write(go, "g", 1) == 1, "pipe");
            return leader;
        }
        world.own_namespaces = false;
        if (leader > 0) {
            kill(leader, SIGKILL);
            waitpid(leader, nullptr, 0);
        }
    }
    const pid_t leader = fork();
    if (leader == 0) {
        close(go);
        lead(rules, world, wait);
    }
    require(leader > 0, "fork");
    require(write(go, "g", 1) == 1, "pipe");
    return leader;
}

}  // namespace

int supervise(const Rules& rules) {
    World world;
    try {
        setsid();
        signal(SIGPIPE, SIG_IGN);
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        world.scratch = make_scratch(rules);
        const pid_t leader = start(rules, world);
        release_streams();
        watch(rules, leader);
        kill(leader, SIGKILL);  // in a PID namespace this ends everything, and the wait is for all of it
        waitpid(leader, nullptr, 0);
    } catch (const SetupError& error) {
        write_line(rules.status, std::string("! jail ") + error.what());
    }
    end_orphans();
    if (!world.scratch.empty()) remove_scratch(world.scratch);
    return 0;
}

}  // namespace fourfall::jail
