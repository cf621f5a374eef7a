// Prepares the child process and starts the third-party program or library in it.
#include "programs/third_party_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "programs/library_host.hpp"
#include "programs/permissions.hpp"

namespace fourfall::sandbox {
namespace {

constexpr int kCloseRange = 436;

// Moves up to three descriptors (-1: none) to the numbers 3 to 5 with close-on-exec, keeps 0 to 2, closes all others.
void keep_descriptors(std::array<int, 3>& kept) {
    for (int& descriptor : kept) {
        if (descriptor >= 0) require((descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 6)) >= 0, "descriptor");
    }
    for (int index = 0; index < 3; ++index) {
        int& descriptor = kept[static_cast<std::size_t>(index)];
        close(3 + index);
        if (descriptor >= 0) require((descriptor = dup3(descriptor, 3 + index, O_CLOEXEC)) >= 0, "descriptor");
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

void run_third_party_code(const HostOptions& options, const ProcessSetup& setup, int report_fd) {
    try {
        setsid();
        restore_signals();
        const bool is_library = options.is_library && !options.prints_permissions;
        std::array<int, 3> kept{report_fd, is_library ? 0 : -1, is_library ? 1 : -1};
        keep_descriptors(kept);
        report_fd = kept[0];
        if (is_library) {
            const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
            require(null >= 0 && dup2(null, 0) == 0 && dup2(null, 1) == 1 && close(null) == 0, "/dev/null");
        }
        setenv("HOME", setup.scratch_folder.c_str(), 1);
        setenv("TMPDIR", setup.scratch_folder.c_str(), 1);
        const FileRules rules = enter_sandbox(options, setup);
        prctl(PR_SET_PDEATHSIG, SIGKILL);  // after the change of user, which clears this setting
        if (options.prints_permissions) {
            close(report_fd);
            _exit(print_permissions(rules, setup.has_namespaces));
        }
        if (is_library) {
            close(report_fd);
            _exit(serve_library(options.command[0], kept[1], kept[2]));
        }
        std::vector<char*> words;
        words.reserve(options.command.size() + 1);
        for (const std::string& word : options.command) words.push_back(const_cast<char*>(word.c_str()));
        words.push_back(nullptr);
        execv(words[0], words.data());
        write_line(report_fd, "! load " + options.command[0] + ": " + std::strerror(errno));
    } catch (const SetupError& error) {
        write_line(report_fd, std::string("! sandbox ") + error.what());
    }
    _exit(127);
}

}  // namespace fourfall::sandbox
