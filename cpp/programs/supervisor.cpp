// Starts, watches and ends the third-party process, and reports how it ended.
#include "programs/supervisor.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "programs/freezer.hpp"
#include "programs/memory_usage.hpp"
#include "programs/namespaces.hpp"
#include "programs/third_party_process.hpp"

namespace fourfall::sandbox {
namespace {

constexpr int kMemoryIntervalMs = 50;
constexpr int kMaxKillRounds = 2000;

std::pair<int, int> make_pipe() {
    std::array<int, 2> ends{};
    require(pipe2(ends.data(), O_CLOEXEC) == 0, "pipe");
    return {ends[0], ends[1]};
}

// Closes this process's copies of standard input, output and error, so that only the third-party process has them open.
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

// A descriptor that becomes readable when the process ends.
int open_process(pid_t process) { return static_cast<int>(syscall(SYS_pidfd_open, process, 0)); }

// " KIB MS": the peak memory of a process and its processor time.
std::string describe_usage(const rusage& usage) {
    const auto ms = [](const timeval& time) { return 1000 * time.tv_sec + time.tv_usec / 1000; };
    return " " + std::to_string(usage.ru_maxrss) + " " + std::to_string(ms(usage.ru_utime) + ms(usage.ru_stime));
}

// Waits for the end of the third-party process, serves the freezer, reaps orphans, and writes the status line. Programs
// may start others, so without a memory cgroup the memory of all is measured periodically.
void wait_for_end(const HostOptions& options, const ProcessSetup& setup, const AgentGroups& groups, pid_t process,
                  int channel) {
    const bool measures = groups.memory_version() == 0 && measures_memory(options, setup);
    const std::uint64_t limit_kib = measures ? 1024 * options.memory_mb : 0;
    std::array<pollfd, 2> events{{{open_process(process), POLLIN, 0}, {channel, POLLIN, 0}}};
    const auto report_memory = [&](std::uint64_t kib) {
        write_line(options.status_fd, "memory 9 " + std::to_string(kib) + " 0");
    };
    for (;;) {
        poll(events.data(), events.size(), options.is_library ? -1 : kMemoryIntervalMs);
        if (events[1].revents != 0 && !serve_freezer_command(channel)) return;
        if (groups.has_exceeded_memory()) return report_memory(groups.peak_memory_kib());
        int state = 0;
        rusage usage{};
        for (pid_t ended = 0; (ended = wait4(-1, &state, WNOHANG, &usage)) > 0;) {
            if (ended != process) continue;
            const bool is_killed = WIFSIGNALED(state);
            const std::string number = std::to_string(is_killed ? WTERMSIG(state) : WEXITSTATUS(state));
            return write_line(options.status_fd, (is_killed ? "signal " : "exit ") + number + describe_usage(usage));
        }
        if (limit_kib == 0) continue;
        const std::uint64_t used_kib = measure_memory_kib(limit_kib);
        if (used_kib > limit_kib) return report_memory(used_kib);
    }
}

// Restricts the mounts to what the third-party process may use. A failure is reported, and the leader exits.
MountState make_private_mounts(const HostOptions& options, const std::string& scratch_folder) {
    std::vector<std::string> visible = options.readable;
    visible.insert(visible.end(), options.listable.begin(), options.listable.end());
    std::vector<std::string> created;
    if (!options.working_folder.empty()) created.push_back(options.working_folder);
    try {
        return restrict_mounts(scratch_folder, visible, created);
    } catch (const SetupError& error) {
        write_line(options.status_fd, std::string("! sandbox ") + error.what());
        _exit(1);
    }
}

volatile sig_atomic_t thaw_fd = -1;

// Starts the third-party process in the groups. It runs nothing of its own before the leader knows which groups it has
// joined.
pid_t start_process(const HostOptions& options, ProcessSetup setup, AgentGroups& groups, int report_fd) {
    const auto [joined_read, joined_write] = make_pipe();
    const pid_t process = groups.fork_child();
    if (process == 0) {
        char is_frozen_by_signals = 0;
        if (read(joined_read, &is_frozen_by_signals, 1) != 1) _exit(1);
        setup.is_frozen_by_signals = is_frozen_by_signals != 0;
        run_third_party_code(options, setup, report_fd);
    }
    if (process > 0) groups.add_child(process);
    const char is_frozen_by_signals = groups.freezer_version() == 0 ? 1 : 0;
    if (write(joined_write, &is_frozen_by_signals, 1) < 0) _exit(1);
    close(joined_read);
    close(joined_write);
    return process;
}

// Frozen processes of cgroups version 1 do not react to SIGKILL. If the host is killed, the leader thaws them and
// exits.
void exit_with_host(const AgentGroups& groups) {
    thaw_fd = groups.thaw_descriptor();
    if (thaw_fd < 0) return;
    signal(SIGTERM, [](int) {
        if (write(thaw_fd, AgentGroups::kThawed, sizeof AgentGroups::kThawed - 1) < 0) _exit(1);
        _exit(0);
    });
    prctl(PR_SET_PDEATHSIG, SIGTERM);
}

// The leader, the first process of the namespaces: starts the third-party process, reports how it ended, and exits.
[[noreturn]] void run_leader(const HostOptions& options, ProcessSetup setup, AgentGroups& groups, int channel,
                             int permission_fd) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    char permission = 0;
    if (read(permission_fd, &permission, 1) != 1) _exit(1);  // the host has exited or could not map the users
    prctl(PR_SET_DUMPABLE, 0);                               // not earlier: the host writes the user map through /proc
    std::ofstream("/proc/self/oom_score_adj") << 1000;  // if the machine runs out of memory, kill this process first
    if (setup.has_namespaces) setup.mounts = make_private_mounts(options, setup.scratch_folder);
    const auto [report_read, report_write] = make_pipe();
    const pid_t process = start_process(options, setup, groups, report_write);
    exit_with_host(groups);
    close(report_write);
    release_streams();
    const std::array<char, 2> versions{static_cast<char>(groups.freezer_version()),
                                       static_cast<char>(groups.memory_version())};
    send(channel, versions.data(), versions.size(), MSG_NOSIGNAL);
    if (process < 0) {
        write_line(options.status_fd, std::string("! sandbox fork: ") + std::strerror(errno));
        _exit(1);
    }
    const std::string error = read_all(report_read);
    write_line(options.status_fd,
               error.empty() ? "started " + setup.scratch_folder : error.substr(0, error.find('\n')));
    wait_for_end(options, setup, groups, process, channel);
    // The end of the leader waits for the end of all other processes of its namespace.
    if (groups.freezer_version() == 1) groups.thaw();
    _exit(0);
}

// Carries out one command of the caller and answers it. False: the caller ends the agent, or it cannot be frozen.
bool serve_caller(const HostOptions& options, Freezer& freezer) {
    char command = 0;
    Usage usage;
    std::int64_t time_us = 0;
    if (read(options.control_fd, &command, 1) != 1) return false;
    if (command == 't') {
        freezer.thaw();
        write_line(options.status_fd, "thawed " + std::to_string(freezer.thawed_at_us()));
        return true;
    }
    if (command != 'f' && command != 'm') return false;
    if (!(command == 'f' ? freezer.freeze() : freezer.freeze_and_measure(usage, time_us))) {
        write_line(options.status_fd, "unfrozen");
        return false;
    }
    write_line(options.status_fd, command == 'f'
                                      ? std::string("frozen")
                                      : "measured " + std::to_string(time_us) + " " + std::to_string(usage.cpu / 1000) +
                                            " " + std::to_string(usage.delay / 1000));
    return true;
}

// Serves the caller until it ends the agent or exits, or the leader has exited.
void wait_for_caller_or_leader(const HostOptions& options, const ProcessSetup& setup, AgentGroups& groups, pid_t leader,
                               int channel) {
    std::array<pollfd, 3> events{{{options.control_fd, POLLIN, 0},
                                  {open_process(leader), POLLIN, 0},
                                  {options.parent_pid > 0 ? open_process(options.parent_pid) : -1, POLLIN, 0}}};
    require(events[1].fd >= 0, "watching a process");
    if (options.parent_pid > 0 && getppid() != options.parent_pid) return;  // the caller has already exited
    std::array<char, 2> versions{};
    if (recv(channel, versions.data(), versions.size(), MSG_WAITALL) != 2) return;
    groups.set_versions(versions[0], versions[1]);
    Freezer freezer(groups, leader, channel, setup.has_namespaces);
    do {
        while (poll(events.data(), events.size(), -1) < 0 && errno == EINTR) {
        }
    } while (events[1].revents == 0 && events[2].revents == 0 && serve_caller(options, freezer));
}

// Kills all children of this process. It is the subreaper: a process whose parent ends becomes its child. Without the
// sandbox, it stops after kMaxKillRounds: some processes may fork faster than they are found.
void kill_orphans() {
    const std::string own = std::to_string(getpid()) + " ";
    for (int round = 0; round < kMaxKillRounds && (waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD); ++round) {
        DIR* processes = opendir("/proc");
        while (const dirent* entry = processes == nullptr ? nullptr : readdir(processes)) {
            std::ifstream file(std::string("/proc/") + entry->d_name + "/stat");
            std::string text;
            if (!std::getline(file, text)) continue;
            // The fields after the name in parentheses, which may contain any character: state, parent.
            const std::size_t parent = text.rfind(')') + 4;
            if (text.compare(parent, own.size(), own) != 0) continue;
            const pid_t child = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
            kill(-child, SIGKILL);  // its process group, if it leads one
            kill(child, SIGKILL);
        }
        if (processes != nullptr) closedir(processes);
        usleep(500);
    }
}

void pin_to_core(int core) {
    if (core < 0) return;
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    require(sched_setaffinity(0, sizeof cores, &cores) == 0, "pinning to a core");
}

std::string make_scratch_folder(const HostOptions& options) {
    std::string name = options.temporary_folder + "/fourfall-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) fail(name);
    if (options.sandbox && geteuid() == 0) require(chown(name.c_str(), kNobody, kNobody) == 0, name.c_str());
    return name;
}

void remove_scratch_folder(const std::string& folder) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    for (fs::recursive_directory_iterator at(folder, ignored), end; at != end; at.increment(ignored)) {
        // A folder without permissions for its owner could not be emptied.
        if (at->symlink_status(ignored).type() == fs::file_type::directory) {
            fs::permissions(at->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
        }
    }
    fs::remove_all(folder, ignored);
}

// Starts the leader, in new namespaces if the machine allows them.
pid_t start_leader(const HostOptions& options, ProcessSetup& setup, AgentGroups& groups, int channel) {
    const auto [permission_read, permission_write] = make_pipe();
    if (options.sandbox && options.namespaces) {
        setup.has_namespaces = true;
        const pid_t leader = fork_into_namespaces();
        if (leader == 0) {
            close(permission_write);
            run_leader(options, setup, groups, channel, permission_read);
        }
        if (leader > 0 && map_users(leader)) {
            require(write(permission_write, "g", 1) == 1, "pipe");
            return leader;
        }
        setup.has_namespaces = false;
        if (leader > 0) {
            kill(leader, SIGKILL);
            waitpid(leader, nullptr, 0);
        }
    }
    const pid_t leader = fork();
    if (leader == 0) {
        close(permission_write);
        run_leader(options, setup, groups, channel, permission_read);
    }
    require(leader > 0, "fork");
    require(write(permission_write, "g", 1) == 1, "pipe");
    return leader;
}

}  // namespace

int supervise(const HostOptions& options) {
    ProcessSetup setup;
    AgentGroups groups;
    try {
        setsid();
        signal(SIGPIPE, SIG_IGN);
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        pin_to_core(options.core);
        setup.scratch_folder = make_scratch_folder(options);
        groups.create(options.cgroups, options.memory_mb);
        std::array<int, 2> channel{};  // between the host and the leader
        require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel.data()) == 0, "socket pair");
        const pid_t leader = start_leader(options, setup, groups, channel[1]);
        close(channel[1]);
        release_streams();
        wait_for_caller_or_leader(options, setup, groups, leader, channel[0]);
        kill(leader, SIGKILL);  // in a PID namespace this kills all processes, and waitpid waits for all of them
        if (groups.freezer_version() == 1) groups.thaw();
        waitpid(leader, nullptr, 0);
    } catch (const SetupError& error) {
        write_line(options.status_fd, std::string("! sandbox ") + error.what());
    }
    kill_orphans();
    groups.remove();
    if (!setup.scratch_folder.empty()) remove_scratch_folder(setup.scratch_folder);
    return 0;
}

}  // namespace fourfall::sandbox
