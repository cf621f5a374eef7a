// Owns everything that a bot should not do, as a strategy library and as a program.
//
// The library does what its own file name says, with what the file `target` beside it says; the program takes both as
// arguments, the second as `to:PATH`, because a path alone would be opened to it. What they find goes to standard
// error.
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

void tell(const char* what, bool succeeded) {
    fprintf(stderr, "%s: %s\n", what, succeeded ? "succeeded" : strerror(errno));
}

void hog(bool ask_politely) {
    for (;;) {
        constexpr size_t kSize = 8 << 20;
        char* block = ask_politely ? new char[kSize] : static_cast<char*>(malloc(kSize));
        for (size_t at = 0; at < kSize; at += 4096) const_cast<volatile char*>(block)[at] = 1;
    }
}

// Each child takes a share that one process may have, all together not.
void hog_together() {
    for (int child = 0; child < 8; ++child) {
        if (fork() != 0) continue;
        char* block = static_cast<char*>(malloc(32 << 20));
        memset(block, 1, 32 << 20);
        pause();
    }
    pause();
}

// Memory that belongs to no process alone.
void hog_shared() {
    for (;;) {
        constexpr size_t kSize = 8 << 20;
        memset(mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), 1, kSize);
    }
}

// Address space without memory, as language runtimes reserve it.
void reserve() {
    tell("reserve",
         mmap(nullptr, size_t{1} << 40, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED);
}

// Never the same process for long.
void hop() {
    for (;;) {
        if (fork() > 0) _exit(0);
        setsid();
    }
}

void bomb() {
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

// A grandchild in a session of its own, deaf to requests, as daemons are made.
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
    tell("fork", child > 0);
    if (child > 0) waitpid(child, nullptr, 0);
}

void break_out() {
    tell("socket", socket(AF_INET, SOCK_STREAM, 0) >= 0);
    tell("datagram", socket(AF_INET6, SOCK_DGRAM, 0) >= 0);
    tell("local socket", socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
    tell("netlink", socket(AF_NETLINK, SOCK_RAW, 0) >= 0);
    int pair[2];
    tell("datagram pair", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
    tell("trace", syscall(SYS_ptrace, 16, getppid(), 0, 0) == 0);
    tell("namespace", syscall(SYS_unshare, 0x10000000) == 0);
    tell("ring", syscall(425, 1, nullptr) >= 0);
    tell("memory file", syscall(SYS_memfd_create, "x", 0) >= 0);
    tell("signal", kill(getppid(), SIGKILL) == 0 && getppid() != 1);
    tell("user", setuid(0) == 0);
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(0, &cores);
    tell("core", sched_setaffinity(0, sizeof cores, &cores) == 0);
}

void touch(const std::string& target) {
    tell("write", open(target.c_str(), O_CREAT | O_WRONLY, 0600) >= 0);
    tell("append", open((target + "-there").c_str(), O_WRONLY | O_APPEND) >= 0);
    tell("truncate", truncate((target + "-there").c_str(), 0) == 0);
    tell("mode", chmod((target + "-there").c_str(), 0) == 0);
    tell("time", utimensat(AT_FDCWD, (target + "-there").c_str(), nullptr, 0) == 0);
    tell("remove", unlink((target + "-there").c_str()) == 0);
    tell("folder", mkdir((target + "-folder").c_str(), 0700) == 0);
    tell("scratch", open((std::string(getenv("HOME")) + "/mine").c_str(), O_CREAT | O_WRONLY, 0600) >= 0);
}

void peek(const std::string& target) {
    std::ifstream file(target);
    std::string text;
    fprintf(stderr, "read: %s\n", file >> text ? text.c_str() : "nothing");
}

void flood() {
    const std::string line(1000, '.');
    for (int count = 0; count < 5000; ++count) fprintf(stderr, "%s\n", line.c_str());
    fprintf(stderr, "the last line\n");
}

void act(const std::string& deed, const std::string& target) {
    if (deed == "segfault") *reinterpret_cast<volatile int*>(8) = 1;
    if (deed == "abort") abort();
    if (deed == "throw") throw std::runtime_error("thrown on purpose");
    if (deed == "throw-number") throw 42;
    if (deed == "exit-0") exit(0);
    if (deed == "exit-3") _exit(3);
    if (deed == "loop")
        for (volatile int turn = 0;; turn = turn + 1) {
        }
    if (deed == "sleep") sleep(60);
    if (deed == "stubborn") {
        for (int number = 1; number < 32; ++number) signal(number, SIG_IGN);
        for (volatile int turn = 0;; turn = turn + 1) {
        }
    }
    if (deed == "bomb") bomb();
    if (deed == "hog") hog(true);
    if (deed == "hog-rudely") hog(false);
    if (deed == "hog-together") hog_together();
    if (deed == "descriptors") {
        for (int number = 3; number < 256; ++number) {
            if (fcntl(number, F_GETFD) >= 0) fprintf(stderr, "open: %d\n", number);
        }
    }
    if (deed == "hog-shared") hog_shared();
    if (deed == "reserve") reserve();
    if (deed == "hop" && fork() == 0) hop();
    if (deed == "flood-ahead") {
        for (const std::string chunk(4096, 'x'); write(1, chunk.data(), chunk.size()) > 0;) {
        }
    }
    if (deed == "close") {
        for (int descriptor = 0; descriptor < 64; ++descriptor) close(descriptor);
        sleep(60);
    }
    if (deed == "leave-children") leave_children();
    if (deed == "break-out") break_out();
    if (deed == "touch") touch(target);
    if (deed == "peek") peek(target);
    if (deed == "flood") flood();
    if (deed == "noise") {
        for (int count = 0; count < 10000; ++count) printf("thinking about move %d\n", count);
        fflush(stdout);
    }
    if (deed == "threads") {
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
    if (strstr(about.dli_fname, "/late-segfault.so") != nullptr) *reinterpret_cast<volatile int*>(8) = 1;
    delete point;
}

#ifndef INCOMPLETE
extern "C" Point* getPoint(int rows, int cols, const int* top, const int* board, int, int, int, int) {
    Dl_info about{};
    dladdr(reinterpret_cast<void*>(clearPoint), &about);
    const std::string path = about.dli_fname;
    const size_t slash = path.rfind('/');
    const std::string deed = path.substr(slash + 1, path.size() - slash - 4);
    std::string target;
    std::getline(std::ifstream(path.substr(0, slash) + "/target"), target);
    act(deed, target);
    if (deed == "null") return nullptr;
    Point* answer = new Point{top[0] - 1, board[rows * cols - 1]};
    if (deed == "scribble") {
        for (int at = 0; at < cols; ++at) const_cast<int*>(top)[at] = -9;
        for (int at = 0; at < rows * cols; ++at) const_cast<int*>(board)[at] = -9;
    }
    return answer;
}
#endif

#else

int main(int count, char** words) {
    const std::string deed = words[1];
    if (deed == "half") return write(1, "ha", 2) == 2 ? (sleep(60), 0) : 1;
    if (deed == "stay") {
        leave_children();
        for (ssize_t told = write(1, "done\n", 5); told == 5;) pause();
    }
    if (deed == "answer-and-exit") return write(1, "done\n", 5) == 5 ? 0 : 1;
    if (deed == "endless-line") {
        for (const std::string chunk(4096, 'x'); write(1, chunk.data(), chunk.size()) > 0;) {
        }
    }
    act(deed, count > 2 ? words[2] + 3 : "");
    if (write(1, "done\n", 5) != 5) return 1;
    for (char letter = 0; read(0, &letter, 1) == 1;) {
        if (letter == 'q') return 0;
        if (write(1, &letter, 1) != 1) return 1;
    }
    return 0;
}

#endif
