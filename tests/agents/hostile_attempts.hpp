// Attempts of the hostile agent to leave the sandbox, by subject. Every attempt reports one line: its name and its
// result. Arguments are invalid where success would change the machine: a call that is not refused then fails with
// another error than EPERM.
#pragma once

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <thread>

extern char** environ;

inline void report(const char* what, bool succeeded) {
    fprintf(stderr, "%s: %s\n", what, succeeded ? "succeeded" : strerror(errno));
}

template <typename... Arguments>
void try_call(const char* what, long number, Arguments... arguments) {
    report(what, syscall(number, arguments...) >= 0);
}

inline void open_sockets() {
    const struct {
        const char* name;
        int family, type;
    } kinds[] = {{"tcp", AF_INET, SOCK_STREAM},
                 {"udp", AF_INET6, SOCK_DGRAM},
                 {"raw", AF_INET, SOCK_RAW},
                 {"local stream", AF_UNIX, SOCK_STREAM},
                 {"local datagram", AF_UNIX, SOCK_DGRAM},
                 {"netlink", AF_NETLINK, SOCK_RAW},
                 {"packet", AF_PACKET, SOCK_RAW},
                 {"virtual machine", AF_VSOCK, SOCK_STREAM},
                 {"cryptography", AF_ALG, SOCK_SEQPACKET}};
    for (const auto& [name, family, type] : kinds) report(name, socket(family, type, 0) >= 0);
    int ends[2];
    report("datagram pair", socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
    report("packet pair", socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
    report("stream pair", socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    try_call("connect", SYS_connect, -1, nullptr, 0);
    try_call("bind", SYS_bind, -1, nullptr, 0);
    try_call("accept", SYS_accept, -1, nullptr, nullptr);
    try_call("descriptor message", SYS_sendmsg, -1, nullptr, 0);
}

inline void use_ring() {
    try_call("set up", 425, 1, nullptr);
    try_call("enter", 426, -1, 0, 0, 0, nullptr, 0);
    try_call("register", 427, -1, 0, nullptr, 0);
}

inline void trace_processes(const std::string& target) {
    const long other = atol(target.c_str());
    try_call("attach", SYS_ptrace, 16, other, 0, 0);
    try_call("seize", SYS_ptrace, 0x4206, other, 0, 0);
    try_call("be traced", SYS_ptrace, 0, 0, 0, 0);
    try_call("read memory", SYS_process_vm_readv, other, nullptr, 0, nullptr, 0, 0);
    try_call("write memory", SYS_process_vm_writev, other, nullptr, 0, nullptr, 0, 0);
    try_call("take descriptor", 438, -1, 0, 0);
    try_call("compare", SYS_kcmp, getpid(), other, 0, 0, 0);
    try_call("advise memory", 440, -1, nullptr, 0, 0, 0);
    try_call("release memory", 448, -1, 0);
}

// Limits, priorities and signals: first of another process, then of this one.
inline void change_processes(const std::string& target) {
    const pid_t other = atoi(target.c_str());
    rlimit limit{};
    getrlimit(RLIMIT_CPU, &limit);
    sched_param priority{};
    unsigned int attributes[14] = {48};
    report("limit of other", syscall(SYS_prlimit64, other, RLIMIT_CPU, &limit, nullptr) == 0);
    report("scheduler of other", syscall(SYS_sched_setscheduler, other, SCHED_BATCH, &priority) == 0);
    report("parameter of other", syscall(SYS_sched_setparam, other, &priority) == 0);
    report("attributes of other", syscall(SYS_sched_setattr, other, attributes, 0) == 0);
    report("priority of other", syscall(SYS_setpriority, PRIO_PROCESS, other, 1) == 0);
    report("priority of group", syscall(SYS_setpriority, PRIO_PGRP, 0, 1) == 0);
    report("priority of user", syscall(SYS_setpriority, PRIO_USER, 0, 1) == 0);
    report("input priority of other", syscall(SYS_ioprio_set, 1, other, 3 << 13) == 0);
    report("input priority of user", syscall(SYS_ioprio_set, 3, 0, 3 << 13) == 0);
    report("pages of other", syscall(SYS_move_pages, other, 0, nullptr, nullptr, nullptr, 0) == 0);
    report("own limit", setrlimit(RLIMIT_CPU, &limit) == 0);
    report("own scheduler", sched_setscheduler(0, SCHED_BATCH, &priority) == 0);
    report("own priority", setpriority(PRIO_PROCESS, 0, 1) == 0);
    report("own input priority", syscall(SYS_ioprio_set, 1, 0, 3 << 13) == 0);
    signal(SIGUSR1, SIG_IGN);
    report("own signal", raise(SIGUSR1) == 0 && kill(getpid(), SIGUSR1) == 0);
}

// Signal 0 has no effect, but the call fails if the process may not send signals.
inline void signal_other(const std::string& target) {
    const pid_t other = atoi(target.c_str());
    siginfo_t info{};
    info.si_code = SI_QUEUE;
    report("kill", syscall(SYS_kill, other, 0) == 0);
    report("all", syscall(SYS_kill, -1, 0) == 0);
    report("thread", syscall(SYS_tgkill, other, other, 0) == 0);
    report("queue", syscall(SYS_rt_sigqueueinfo, other, 0, &info) == 0);
    report("queue for thread", syscall(SYS_rt_tgsigqueueinfo, other, other, 0, &info) == 0);
    report("descriptor", syscall(424, -1, 0, nullptr, 0) == 0);
}

inline void watch_files() {
    report("watcher", inotify_init1(0) >= 0);
    report("old watcher", inotify_init() >= 0);
    report("watch", inotify_add_watch(-1, "/tmp", IN_CREATE) >= 0);
    report("mark", syscall(SYS_fanotify_mark, -1, 1, 0x100, AT_FDCWD, "/tmp") == 0);
    report("folder notice", fcntl(open("/usr", O_RDONLY), F_NOTIFY, DN_CREATE) == 0);
}

inline void enlarge_buffers() {
    int ends[2];
    char byte = 'x';
    iovec part{&byte, 1};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    pipe(ends);
    report("pipe size", fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) >= 0);
    report("pages in pipe", vmsplice(ends[1], &part, 1, 0) >= 0);
    report("copy of pipe", tee(ends[0], ends[1], 1, 0) >= 0);
    report("splice", splice(ends[0], nullptr, ends[1], nullptr, 1, 0) >= 0);
    report("socket pair", socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    const int size = 1 << 10;
    report("socket size", setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size) == 0);
    report("message", sendmsg(ends[0], &message, 0) >= 0);
    report("secret memory", syscall(447, 0) >= 0);
    report("thread with own descriptors", syscall(SYS_clone, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, 0, 0, 0, 0) >= 0);
}

inline void share_memory() {
    try_call("segment", SYS_shmget, 1234, 4096, 01600);
    try_call("semaphore", SYS_semget, 1234, 1, 01600);
    try_call("message queue", SYS_msgget, 1234, 01600);
    try_call("posix message queue", SYS_mq_open, "fourfall", O_CREAT | O_RDWR, 0600, nullptr);
    try_call("memory file", SYS_memfd_create, "x", 0);
    try_call("secret memory", 447, 0);
    report("shared file", open("/dev/shm/fourfall-attack", O_CREAT | O_RDWR, 0600) >= 0);
}

inline void use_keys() {
    try_call("add key", SYS_add_key, "user", "fourfall", "x", 1, -3);
    try_call("request key", SYS_request_key, "user", "fourfall", nullptr, 0);
    try_call("key control", SYS_keyctl, 0, -3, 0);
}

inline void change_mounts() {
    try_call("mount", SYS_mount, nullptr, nullptr, nullptr, 0, nullptr);
    try_call("remount", SYS_mount, nullptr, "/", nullptr, 32, nullptr);
    try_call("unmount", SYS_umount2, "/nowhere", 0);
    try_call("pivot root", SYS_pivot_root, nullptr, nullptr);
    try_call("change root", SYS_chroot, nullptr);
    try_call("open tree", 428, -1, nullptr, 0);
    try_call("move mount", 429, -1, nullptr, -1, nullptr, 0);
    try_call("open file system", 430, nullptr, 0);
    try_call("configure file system", 431, -1, 0, nullptr, nullptr, 0);
    try_call("mount file system", 432, -1, 0, 0);
    try_call("pick file system", 433, -1, nullptr, 0);
    try_call("mount attributes", 442, -1, nullptr, 0, nullptr, 0);
}

inline void create_namespaces() {
    const struct {
        const char* name;
        int flag;
    } kinds[] = {{"user", CLONE_NEWUSER},    {"mount", CLONE_NEWNS}, {"process", CLONE_NEWPID},
                 {"network", CLONE_NEWNET},  {"ipc", CLONE_NEWIPC},  {"host name", CLONE_NEWUTS},
                 {"cgroup", CLONE_NEWCGROUP}};
    for (const auto& [name, flag] : kinds) report(name, unshare(flag) == 0);
    report("by clone", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0) >= 0);
    report("by clone3", syscall(435, nullptr, 0) >= 0);
    report("enter", setns(-1, 0) == 0);
}

inline void gain_privileges() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct all[2] = {{~0U, ~0U, ~0U}, {~0U, ~0U, ~0U}};
    report("user", setuid(0) == 0);
    report("saved user", setresuid(-1, 0, -1) == 0);
    report("group", setgid(0) == 0);
    const gid_t root = 0;
    report("groups", syscall(SYS_setgroups, 1, &root) == 0);
    report("capabilities", syscall(SYS_capset, &header, all) == 0);
    prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0);
    const bool can_gain = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0;
    errno = EPERM;
    report("programs with the set-user-id bit", can_gain);
    report("real-time priority", [] {
        sched_param priority{1};
        return sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
    }());
    report("higher priority", syscall(SYS_setpriority, 0, 0, -20) == 0);
}

inline void set_clocks() {
    timespec now{};
    timex change{};
    change.modes = ADJ_TICK;
    change.tick = -1;
    try_call("set", SYS_clock_settime, -1, &now);
    try_call("set day", SYS_settimeofday, nullptr, reinterpret_cast<void*>(8));
    try_call("adjust", SYS_adjtimex, &change);
    try_call("adjust clock", SYS_clock_adjtime, -1, &change);
}

inline void use_kernel() {
    try_call("bpf", SYS_bpf, -1, nullptr, 0);
    try_call("performance events", SYS_perf_event_open, nullptr, 0, -1, -1, 0);
    try_call("page faults", SYS_userfaultfd, -1);
    try_call("load module", SYS_init_module, nullptr, 0, nullptr);
    try_call("load module file", SYS_finit_module, -1, nullptr, 0);
    try_call("remove module", SYS_delete_module, nullptr, 0);
    try_call("new kernel", SYS_kexec_load, 0, 17, nullptr, 0);
    try_call("restart", SYS_reboot, 0, 0, 0, nullptr);
    try_call("log", SYS_syslog, 10, nullptr, 0);
    try_call("swap", SYS_swapon, nullptr, 0);
    try_call("accounting", SYS_acct, reinterpret_cast<void*>(8));
    try_call("quota", SYS_quotactl, 0, nullptr, 0, nullptr);
    try_call("host name", SYS_sethostname, nullptr, 100);
    try_call("file handle", SYS_name_to_handle_at, AT_FDCWD, "/", nullptr, nullptr, 0);
    try_call("open by handle", SYS_open_by_handle_at, -1, nullptr, 0);
    try_call("hang up", SYS_vhangup);
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(0, &cores);
    report("other core", sched_setaffinity(0, sizeof cores, &cores) == 0);
}

// The target is an unreadable file: other names for it must not open it.
inline void follow_links(const std::string& target) {
    const std::string home = getenv("HOME");
    const auto opens = [](const std::string& path) { return open(path.c_str(), O_RDONLY) >= 0; };
    report("symbolic link", symlink(target.c_str(), (home + "/symbolic").c_str()) == 0 && opens(home + "/symbolic"));
    report("hard link", link(target.c_str(), (home + "/hard").c_str()) == 0);
    report("rename", rename(target.c_str(), (home + "/renamed").c_str()) == 0);
    report("root of process", opens("/proc/self/root" + target));
    report("working folder", opens("/proc/self/cwd/../../../../../../../../.." + target));
    const int path_only = open(target.c_str(), O_PATH);
    report("path descriptor", path_only >= 0 && opens("/proc/self/fd/" + std::to_string(path_only)));
    report("device", mknod((home + "/device").c_str(), S_IFCHR | 0600, 0x103) == 0 && opens(home + "/device"));
    report("execute", execl(target.c_str(), target.c_str(), nullptr) == 0);
}

inline void start_processes() {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    report("fork", child > 0);
    if (child > 0) waitpid(child, nullptr, 0);
    report("exec", execl("/nowhere", "x", nullptr) == 0 || errno == ENOENT);
    report("thread", [] {
        int done = 0;
        std::thread([&] { done = 1; }).join();
        return done == 1;
    }());
}

inline void show_environment() {
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string text = *variable;
        fprintf(stderr, "%s: present\n", text.substr(0, text.find('=')).c_str());
    }
}

// Uses as much processor time as possible in threads and, if that is allowed, in other processes.
inline void spin() {
    const auto loop = [] {
        for (volatile int turn = 0;; turn = turn + 1) {
        }
    };
    for (int number = 0; number < 2; ++number) std::thread(loop).detach();
    for (int number = 0; number < 3; ++number) {
        if (fork() == 0) loop();
    }
}
