// A program that keeps all processors busy, also while its opponent thinks, and tries to escape from being frozen.
//
// It answers every line with "done". The first argument selects how it computes in the meantime:
//   threads         two threads
//   children        three processes and two threads
//   new-processes   a chain of processes, each of which forks and exits
//   continue        two processes that send SIGCONT to all, a timer and a descriptor that do the same
//   vfork           a thread that waits for a process which it created with vfork, and that process
//   sleep           not at all
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <thread>

namespace {

volatile unsigned long counter = 0;

[[noreturn]] void spin() {
    for (;;) counter = counter + 1;
}

void start_processes(int count, void (*work)()) {
    for (int child = 0; child < count; ++child) {
        if (fork() == 0) work();
    }
}

void fork_and_exit() {
    for (;;) {
        for (int round = 0; round < 100000; ++round) counter = counter + 1;
        if (fork() > 0) _exit(0);
    }
}

void continue_all() {
    for (;;) kill(-1, SIGCONT);
}

// The kernel sends SIGCONT periodically, and whenever somebody reads the standard output.
void request_continue_signals() {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGCONT;
    timer_t timer{};
    const itimerspec interval{{0, 1000000}, {0, 1000000}};
    const bool has_timer =
        timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 && timer_settime(timer, 0, &interval, nullptr) == 0;
    const bool has_descriptor = fcntl(1, F_SETOWN, getpid()) == 0 && fcntl(1, F_SETSIG, SIGCONT) == 0 &&
                                fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_ASYNC) == 0;
    fprintf(stderr, "timer %d descriptor %d\n", has_timer, has_descriptor);
}

}  // namespace

int main(int, char** words) {
    const std::string mode = words[1];
    if (mode == "continue") {
        request_continue_signals();
        start_processes(2, continue_all);
    }
    if (mode == "children") start_processes(3, [] { spin(); });
    if (mode == "new-processes") start_processes(1, fork_and_exit);
    if (mode == "vfork") {
        std::thread([] {
            if (vfork() == 0) spin();
        }).detach();
    }
    if (mode != "sleep") {
        for (int thread = 0; thread < 2; ++thread) std::thread(spin).detach();
    }
    char letter = 0;
    do {
        if (write(1, "done\n", 5) != 5) return 1;
        do {
            if (read(0, &letter, 1) != 1) return 0;
        } while (letter != '\n');
    } while (true);
}
