#include "programs/foreign_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "programs/foreign_library.hpp"

namespace fourfall::jail {
namespace {

constexpr int kCloseRange = 436;

// Puts up to three descriptors in places 3 to 5, to be closed by an exec, and closes all others but the first three.
void keep_only(std::array<int, 3>& kept) {
    for (int& descriptor : kept) {
        if (descriptor >= 0) require((descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 6)) >= 0, "descriptor");
    }
    for (int place = 0; place < 3; ++place) {
        int& descriptor = kept[static_cast<std::size_t>(place)];
        close(3 + place);
        if (descriptor >= 0) require((descriptor = dup3(descriptor, 3 + place, O_CLOEXEC)) >= 0, "descriptor");
    }
    if (syscall(kCloseRange, 6U, ~0U, 0U) == 0) return;
    for (long descriptor = sysconf(_SC_OPEN_MAX); descriptor >= 6; --descriptor) close(static_cast<int>(descriptor));
}

void restore_signals() {
    for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace

void write_line(int descriptor, std::string text) {
    for (char& letter : text) {
        if (letter == '\n') letter = ' ';
    }
    text += '\n';
    if (write(descriptor, text.data(), text.size()) < 0) return;
}

void become_foreign(const Rules& rules, const World& world, int report) {
    try {
        setsid();
        restore_signals();
        std::array<int, 3> kept{report, rules.library ? 0 : -1, rules.library ? 1 : -1};
        keep_only(kept);
        report = kept[0];
        if (rules.library) {
            const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
            require(null >= 0 && dup2(null, 0) == 0 && dup2(null, 1) == 1 && close(null) == 0, "/dev/null");
        }
        setenv("HOME", world.scratch.c_str(), 1);
        setenv("TMPDIR", world.scratch.c_str(), 1);
        confine(rules, world);
        prctl(PR_SET_PDEATHSIG, SIGKILL);  // after the change of user, which clears it
        if (rules.library) {
            close(report);
            _exit(serve_library(rules.command[0], kept[1], kept[2]));
        }
        std::vector<char*> words;
        for (const std::string& word : rules.command) words.push_back(const_cast<char*>(word.c_str()));
        words.push_back(nullptr);
        execv(words[0], words.data());
        write_line(report, "! load " + rules.command[0] + ": " + std::strerror(errno));
    } catch (const SetupError& error) {
        write_line(report, std::string("! jail ") + error.what());
    }
    _exit(127);
}

}  // namespace fourfall::jail
