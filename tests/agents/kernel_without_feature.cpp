// Simulates a kernel without a feature: a seccomp filter refuses the system call that the file name of this program
// stands for, then the host is run whose path is in the file `host` beside it.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

// Calls whose argument compares with a value in this way fail with this error.
struct Feature {
    const char* name;
    unsigned call;
    unsigned argument, comparison, value;
    int error;
};

constexpr unsigned kMountOfProc = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY;
constexpr Feature kFeatures[] = {
    {"no-namespaces", SYS_clone, 0, BPF_JSET, CLONE_NEWUSER, EPERM}, {"no-mounts", SYS_mount, 3, BPF_JGE, 0, EPERM},
    {"no-proc", SYS_mount, 3, BPF_JEQ, kMountOfProc, EPERM},         {"no-landlock", 444, 0, BPF_JGE, 0, ENOSYS},
    {"no-seccomp", SYS_prctl, 0, BPF_JEQ, PR_SET_SECCOMP, EINVAL},
};

int main(int, char** words) {
    const std::string path = words[0];
    const std::string name = path.substr(path.rfind('/') + 1);
    const Feature* const feature =
        std::find_if(std::begin(kFeatures), std::end(kFeatures), [&](const Feature& one) { return name == one.name; });
    if (feature == std::end(kFeatures)) return 1;
    const auto argument = static_cast<unsigned>(offsetof(seccomp_data, args)) + 8 * feature->argument;
    constexpr unsigned kLoad = BPF_LD | BPF_W | BPF_ABS;
    std::vector<sock_filter> code{
        BPF_STMT(kLoad, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, feature->call, 0, 3),
        BPF_STMT(kLoad, argument),
        BPF_JUMP(static_cast<unsigned short>(BPF_JMP | feature->comparison | BPF_K), feature->value, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(feature->error)),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return 1;
    std::string host;
    std::getline(std::ifstream(path.substr(0, path.rfind('/')) + "/host"), host);
    execv(host.c_str(), words);
    return 1;
}
