#include "programs/seccomp.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "programs/rules.hpp"

namespace fourfall::jail {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the jail knows x86-64 and aarch64"
#endif

constexpr std::uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;
constexpr std::uint32_t kUnknown = SECCOMP_RET_ERRNO | ENOSYS;
constexpr int kClone3 = 435;

// The network, other processes, the system as a whole, kernel interfaces with a history, memory outside the limits,
// and leaving the processor it was given. Numbers above 423 are the same everywhere and missing in older headers.
constexpr int kNever[] = {
    SYS_socket,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_open_by_handle_at,
    SYS_name_to_handle_at,
    SYS_quotactl,
    SYS_acct,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_syslog,
    SYS_vhangup,
    SYS_fanotify_init,
    SYS_memfd_create,
    SYS_shmget,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
    SYS_sched_setaffinity,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef __x86_64__
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
    SYS_uselib,
    SYS_ustat,
    SYS_sysfs,
    SYS__sysctl,
#endif
    425,  // io_uring_setup
    426,  // io_uring_enter
    427,  // io_uring_register
    428,  // open_tree
    429,  // move_mount
    430,  // fsopen
    431,  // fsconfig
    432,  // fsmount
    433,  // fspick
    438,  // pidfd_getfd
    442,  // mount_setattr
    443,  // quotactl_fd
    447,  // memfd_secret
};

// What Landlock leaves open where the mounts could not be made read-only.
constexpr int kModes[] = {
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    452 /* fchmodat2 */,
    463 /* setxattrat */,
    466 /* removexattrat */,
#ifdef __x86_64__
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
};

constexpr int kExec[] = {SYS_execve, SYS_execveat};

#ifdef __x86_64__
constexpr int kFork[] = {SYS_fork, SYS_vfork};
#else
constexpr std::span<const int> kFork;  // newer architectures have clone only
#endif

constexpr std::uint32_t kNewNamespaces =
    CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

class Filter {
public:
    void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
    void load_argument(int index) { load(offsetof(seccomp_data, args) + 8 * static_cast<std::size_t>(index)); }
    void mask(std::uint32_t bits) { add(BPF_ALU | BPF_AND | BPF_K, bits); }
    void answer(std::uint32_t action) { add(BPF_RET | BPF_K, action); }
    void answer_if(std::uint32_t value, std::uint32_t action) {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
        answer(action);
    }
    void refuse(std::span<const int> calls) {
        for (const int call : calls) answer_if(static_cast<std::uint32_t>(call), kRefuse);
    }
    void answer_unless(std::uint32_t value, std::uint32_t action) {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
        answer(action);
    }
    void answer_if_any(std::uint32_t bits, std::uint32_t action) {
        add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
        answer(action);
    }
    // The next `count` instructions are for this call alone; they must end in an answer.
    void only_for(int call, int count) {
        add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, static_cast<std::uint8_t>(count));
    }
    void apply() {
        sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
        require(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0, "seccomp filter");
    }

private:
    void add(int code, std::uint32_t value, std::uint8_t yes = 0, std::uint8_t no = 0) {
        code_.push_back({static_cast<std::uint16_t>(code), yes, no, value});
    }
    std::vector<sock_filter> code_;
};

}  // namespace

void restrict_calls(const Calls& calls) {
    Filter filter;
    filter.load(offsetof(seccomp_data, arch));
    filter.answer_unless(kArchitecture, SECCOMP_RET_KILL_PROCESS);
    filter.load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
    filter.answer_if_any(0x40000000, SECCOMP_RET_KILL_PROCESS);  // the x32 variant of every call
#endif
    filter.refuse(kNever);
    if (!calls.modes) filter.refuse(kModes);
    if (!calls.exec) filter.refuse(kExec);
    if (!calls.fork) filter.refuse(kFork);
    // A filter cannot look behind the pointer of clone3; told that there is none, the C library takes clone.
    filter.answer_if(kClone3, kUnknown);
    filter.only_for(SYS_clone, calls.fork ? 4 : 7);
    filter.load_argument(0);
    filter.answer_if_any(kNewNamespaces, kRefuse);
    if (!calls.fork) {
        filter.mask(CLONE_THREAD);
        filter.answer_unless(CLONE_THREAD, kRefuse);
    }
    filter.answer(SECCOMP_RET_ALLOW);
    // Pairs of connected streams are pipes; other kinds of local sockets can be pointed at strangers.
    filter.only_for(SYS_socketpair, 8);
    filter.load_argument(0);
    filter.answer_unless(AF_UNIX, kRefuse);
    filter.load_argument(1);
    filter.mask(0xf);
    filter.answer_unless(SOCK_STREAM, kRefuse);
    filter.answer(SECCOMP_RET_ALLOW);
    filter.answer(SECCOMP_RET_ALLOW);  // all other calls
    filter.apply();
}

}  // namespace fourfall::jail
