// A hostile agent, compiled as a strategy library and as a program, that performs one of many forbidden actions.
//
// The library takes the action from its own file name, and the path to act on from the line at the end of its own file.
// The program takes both as arguments, the second as `to:PATH`: if an argument were a path, the sandbox would allow
// reading it. The results are written to standard error.
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "hostile_attempts.hpp"

namespace {

void allocate(bool throws) {
    for (;;) {
        constexpr size_t kSize = 8 << 20;
        char* block = throws ? new char[kSize] : static_cast<char*>(malloc(kSize));
        for (size_t at = 0; at < kSize; at += 4096) const_cast<volatile char*>(block)[at] = 1;
    }
}

// Each child stays below the memory limit of one process; together they exceed it.
void allocate_in_children() {
    for (int child = 0; child < 8; ++child) {
        if (fork() != 0) continue;
        char* block = static_cast<char*>(malloc(32 << 20));
        memset(block, 1, 32 << 20);
        pause();
    }
    pause();
}

// Shared memory, which counts for no single process.
void allocate_shared() {
    for (;;) {
        constexpr size_t kSize = 8 << 20;
        memset(mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), 1, kSize);
    }
}

// Reserves address space without using memory, as language runtimes do.
void reserve_address_space() {
    report("reserve",
           mmap(nullptr, size_t{1} << 40, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED);
}

// A chain of processes: each one forks and exits.
void fork_and_exit() {
    for (;;) {
        if (fork() > 0) _exit(0);
        setsid();
    }
}

void fork_bomb() {
    int made = 0;
    for (int tries = 0; tries < 400; ++tries) {
        const pid_t child = fork();
        if (child == 0) {
            for (;;) pause();
        }
        made += child > 0;
    }
    fprintf(stderr, "made %d\n", made);
}

// Starts a grandchild in a new session that ignores SIGTERM and SIGHUP, like a daemon.
void leave_children() {
    const pid_t child = fork();
    if (child == 0) {
        setsid();
        signal(SIGTERM, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        if (fork() == 0) {
            for (;;) pause();
        }
        _exit(0);
    }
    report("fork", child > 0);
    if (child > 0) waitpid(child, nullptr, 0);
}

void try_forbidden_calls() {
    report("socket", socket(AF_INET, SOCK_STREAM, 0) >= 0);
    report("datagram", socket(AF_INET6, SOCK_DGRAM, 0) >= 0);
    report("local socket", socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
    report("netlink", socket(AF_NETLINK, SOCK_RAW, 0) >= 0);
    int pair[2];
    report("datagram pair", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
    report("trace", syscall(SYS_ptrace, 16, getppid(), 0, 0) == 0);
    report("namespace", syscall(SYS_unshare, 0x10000000) == 0);
    report("ring", syscall(425, 1, nullptr) >= 0);
    report("memory file", syscall(SYS_memfd_create, "x", 0) >= 0);
    report("signal", kill(getppid(), SIGKILL) == 0 && getppid() != 1);
    report("user", setuid(0) == 0);
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(0, &cores);
    report("core", sched_setaffinity(0, sizeof cores, &cores) == 0);
}

// Fills the buffers of socket pairs in many processes: memory of the kernel, which counts for no process.
void fill_sockets() {
    const std::vector<char> chunk(32768);
    for (int child = 0; child < 16; ++child) {
        if (fork() != 0) continue;
        for (int ends[2]; socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0;) {
            for (const int end : ends)
                while (send(end, chunk.data(), chunk.size(), 0) > 0) {
                }
        }
        pause();
    }
    pause();
}

void show_capabilities() {
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("Cap")) fprintf(stderr, "%s\n", line.c_str());
    }
    for (const char* path : {"/proc/kpagecount", "/proc/slabinfo", "/proc/vmallocinfo", "/proc/timer_list",
                             "/sys/devices/system/cpu/cpu0/crash_notes"}) {
        std::ifstream table(path);
        if (table.get() != EOF) fprintf(stderr, "readable: %s\n", path);
    }
}

void write_files(const std::string& target) {
    report("write", open(target.c_str(), O_CREAT | O_WRONLY, 0600) >= 0);
    report("append", open((target + "-there").c_str(), O_WRONLY | O_APPEND) >= 0);
    report("truncate", truncate((target + "-there").c_str(), 0) == 0);
    report("mode", chmod((target + "-there").c_str(), 0) == 0);
    report("time", utimensat(AT_FDCWD, (target + "-there").c_str(), nullptr, 0) == 0);
    report("remove", unlink((target + "-there").c_str()) == 0);
    report("folder", mkdir((target + "-folder").c_str(), 0700) == 0);
    report("scratch", open((std::string(getenv("HOME")) + "/file").c_str(), O_CREAT | O_WRONLY, 0600) >= 0);
}

void read_file(const std::string& target) {
    std::ifstream file(target);
    std::string text;
    fprintf(stderr, "read: %s\n", file >> text ? text.c_str() : "nothing");
}

// The target is a list of paths, separated by colons.
void read_files(const std::string& target) {
    std::stringstream paths(target);
    for (std::string path; std::getline(paths, path, ':');) {
        char byte = 0;
        const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK);
        const ssize_t count = file < 0 ? -1 : read(file, &byte, 1);
        if (count == 0) errno = ENODATA;
        report(path.c_str(), count > 0);
    }
}

void find_files(const std::string& target) {
    std::stringstream paths(target);
    for (std::string path; std::getline(paths, path, ':');) {
        struct stat about{};
        report(path.c_str(), stat(path.c_str(), &about) == 0);
    }
}

void flood_stderr() {
    const std::string line(1000, '.');
    for (int count = 0; count < 5000; ++count) fprintf(stderr, "%s\n", line.c_str());
    fprintf(stderr, "the last line\n");
}

std::string read_last_line(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return text.substr(text.rfind('\n') + 1);
}

void perform(const std::string& action, const std::string& target) {
    if (action == "segfault") *reinterpret_cast<volatile int*>(8) = 1;
    if (action == "abort") abort();
    if (action == "throw") throw std::runtime_error("thrown on purpose");
    if (action == "throw-number") throw 42;
    if (action == "exit-0") exit(0);
    if (action == "exit-3") _exit(3);
    if (action == "loop")
        for (volatile int turn = 0;; turn = turn + 1) {
        }
    if (action == "sleep") sleep(60);
    if (action == "ignore-signals") {
        for (int number = 1; number < 32; ++number) signal(number, SIG_IGN);
        for (volatile int turn = 0;; turn = turn + 1) {
        }
    }
    if (action == "fork-bomb") fork_bomb();
    if (action == "allocate") allocate(true);
    if (action == "allocate-unchecked") allocate(false);
    if (action == "allocate-in-children") allocate_in_children();
    if (action == "list-descriptors") {
        for (int number = 3; number < 256; ++number) {
            if (fcntl(number, F_GETFD) >= 0) fprintf(stderr, "open: %d\n", number);
        }
    }
    if (action == "allocate-shared") allocate_shared();
    if (action == "reserve-address-space") reserve_address_space();
    if (action == "fork-and-exit" && fork() == 0) fork_and_exit();
    if (action == "endless-output") {
        for (const std::string chunk(4096, 'x'); write(1, chunk.data(), chunk.size()) > 0;) {
        }
    }
    if (action == "close-descriptors") {
        for (int descriptor = 0; descriptor < 64; ++descriptor) close(descriptor);
        sleep(60);
    }
    if (action == "leave-children") leave_children();
    if (action == "forbidden-calls") try_forbidden_calls();
    if (action == "change-processes") change_processes(target);
    if (action == "signal-other") signal_other(target);
    if (action == "watch-files") watch_files();
    if (action == "enlarge-buffers") enlarge_buffers();
    if (action == "fill-sockets") fill_sockets();
    if (action == "show-capabilities") show_capabilities();
    if (action == "write-files") write_files(target);
    if (action == "read-file") read_file(target);
    if (action == "read-files") read_files(target);
    if (action == "find-files") find_files(target);
    if (action == "open-sockets") open_sockets();
    if (action == "use-ring") use_ring();
    if (action == "trace-processes") trace_processes(target);
    if (action == "share-memory") share_memory();
    if (action == "use-keys") use_keys();
    if (action == "change-mounts") change_mounts();
    if (action == "create-namespaces") create_namespaces();
    if (action == "gain-privileges") gain_privileges();
    if (action == "set-clocks") set_clocks();
    if (action == "use-kernel") use_kernel();
    if (action == "follow-links") follow_links(target);
    if (action == "start-processes") start_processes();
    if (action == "show-environment") show_environment();
    if (action == "spin") spin();
    if (action == "flood-stderr") flood_stderr();
    if (action == "print-to-stdout") {
        for (int count = 0; count < 10000; ++count) printf("thinking about move %d\n", count);
        fflush(stdout);
    }
    if (action == "start-threads") {
        int sum = 0;
        std::vector<std::thread> threads;
        for (int number = 0; number < 4; ++number) threads.emplace_back([&sum] { __atomic_fetch_add(&sum, 1, 0); });
        for (std::thread& thread : threads) thread.join();
        fprintf(stderr, "threads: %d\n", sum);
    }
}

}  // namespace

#ifdef LIBRARY

struct Point {
    int x, y;
};

extern "C" void clearPoint(Point* point) {
    Dl_info about{};
    dladdr(reinterpret_cast<void*>(clearPoint), &about);
    if (strstr(about.dli_fname, "/segfault-in-clear-point.so") != nullptr) *reinterpret_cast<volatile int*>(8) = 1;
    delete point;
}

// For other code that loads this library.
extern "C" void perform_action(const char* action, const char* target) { perform(action, target); }

#ifndef INCOMPLETE
extern "C" Point* getPoint(int rows, int cols, const int* top, const int* board, int, int, int, int) {
    Dl_info about{};
    dladdr(reinterpret_cast<void*>(clearPoint), &about);
    const std::string path = about.dli_fname;
    const size_t slash = path.rfind('/');
    const std::string action = path.substr(slash + 1, path.size() - slash - 4);
    perform(action, read_last_line(path));
    if (action == "return-null") return nullptr;
    Point* answer = new Point{top[0] - 1, board[rows * cols - 1]};
    if (action == "overwrite-arrays") {
        for (int at = 0; at < cols; ++at) const_cast<int*>(top)[at] = -9;
        for (int at = 0; at < rows * cols; ++at) const_cast<int*>(board)[at] = -9;
    }
    return answer;
}
#endif

#else

// Answers the first question on an empty 6x7 board in the protocol of an agent, and continues with the action.
void answer_and_perform(const std::string& action, const std::string& protocol) {
    const std::string text = protocol == "json" ? "{\"X\":5,\"Y\":0}\n" : "5 0";
    const std::string answer = protocol == "ugi" ? "bestmove 1\n" : std::string(3, '\0') + char(text.size()) + text;
    char buffer[4096];
    if (protocol == "ugi") {
        read(0, buffer, sizeof buffer);
        write(1, "ugiok\n", 6);
        read(0, buffer, sizeof buffer);
        write(1, "readyok\n", 8);
    }
    read(0, buffer, sizeof buffer);
    usleep(50000);  // the start and the first question of a program arrive in two messages
    perform(action, "");
    write(1, answer.data(), answer.size());
    pause();
}

int main(int count, char** words) {
    const std::string action = words[1];
    if (count > 3 && std::string(words[2]) == "answer") answer_and_perform(action, words[3]);
    if (action == "half-line") return write(1, "ha", 2) == 2 ? (sleep(60), 0) : 1;
    if (action == "leave-children-and-wait") {
        leave_children();
        for (ssize_t written = write(1, "done\n", 5); written == 5;) pause();
    }
    if (action == "answer-and-exit") return write(1, "done\n", 5) == 5 ? 0 : 1;
    perform(action, count > 2 ? words[2] + 3 : "");
    if (write(1, "done\n", 5) != 5) return 1;
    if (count > 3 && std::string(words[3]) == "exit") return 0;
    for (char letter = 0; read(0, &letter, 1) == 1;) {
        if (letter == 'q') return 0;
        if (write(1, &letter, 1) != 1) return 1;
    }
    return 0;
}

#endif
