// Simulates a kernel without a feature: a seccomp filter refuses the system call that the file name of this program
// stands for, then the host is run whose path is in the file `host` beside it.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

int main(int, char** words) {
    const std::string path = words[0];
    const std::string name = path.substr(path.rfind('/') + 1);
    const bool namespaces = name == "no-namespaces";
    const bool landlock = name == "no-landlock";
    const unsigned call = namespaces ? SYS_clone : landlock ? 444 : SYS_prctl;
    const unsigned bits = namespaces ? CLONE_NEWUSER : PR_SET_SECCOMP;
    const unsigned answer = SECCOMP_RET_ERRNO | (namespaces ? EPERM : landlock ? ENOSYS : EINVAL);
    constexpr unsigned kLoad = BPF_LD | BPF_W | BPF_ABS;
    std::vector<sock_filter> code{
        BPF_STMT(kLoad, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3),
        BPF_STMT(kLoad, offsetof(seccomp_data, args)),
        BPF_JUMP(namespaces ? BPF_JMP | BPF_JSET | BPF_K : BPF_JMP | BPF_JEQ | BPF_K, bits, 0, landlock ? 0 : 1),
        BPF_STMT(BPF_RET | BPF_K, answer),
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
