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

#include "programs/host_options.hpp"

namespace fourfall::sandbox {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the sandbox supports x86-64 and aarch64 only"
#endif

constexpr std::uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;
constexpr std::uint32_t kNotImplemented = SECCOMP_RET_ERRNO | ENOSYS;
constexpr int kClone3 = 435;

// Network, other processes, system administration, kernel interfaces with many past vulnerabilities, memory that the
// limits do not count, and changing the assigned processor. Call numbers above 423 are equal on all architectures and
// missing in older headers.
constexpr int kAlwaysRefused[] = {
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

// Changes that Landlock does not prevent; refused if the mounts could not be made read-only.
constexpr int kFileMetadata[] = {
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
constexpr std::span<const int> kFork;  // aarch64 has only clone
#endif

constexpr std::uint32_t kNewNamespaces =
    CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

// Builds a BPF program instruction by instruction.
class Filter {
public:
    void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
    void load_argument(int index) { load(offsetof(seccomp_data, args) + 8 * static_cast<std::size_t>(index)); }
    void mask(std::uint32_t bits) { add(BPF_ALU | BPF_AND | BPF_K, bits); }
    void ret(std::uint32_t action) { add(BPF_RET | BPF_K, action); }
    void ret_if(std::uint32_t value, std::uint32_t action) {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
        ret(action);
    }
    void refuse(std::span<const int> calls) {
        for (const int call : calls) ret_if(static_cast<std::uint32_t>(call), kRefuse);
    }
    void ret_unless(std::uint32_t value, std::uint32_t action) {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
        ret(action);
    }
    void ret_if_any(std::uint32_t bits, std::uint32_t action) {
        add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
        ret(action);
    }
    // The next `count` instructions apply to this call only; they must end in a return.
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

void restrict_calls(const AllowedCalls& allowed) {
    Filter filter;
    filter.load(offsetof(seccomp_data, arch));
    filter.ret_unless(kArchitecture, SECCOMP_RET_KILL_PROCESS);
    filter.load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
    filter.ret_if_any(0x40000000, SECCOMP_RET_KILL_PROCESS);  // calls of the x32 ABI
#endif
    filter.refuse(kAlwaysRefused);
    if (!allowed.file_metadata) filter.refuse(kFileMetadata);
    if (!allowed.exec) filter.refuse(kExec);
    if (!allowed.fork) filter.refuse(kFork);
    // A filter cannot read the flags of clone3 behind a pointer. With ENOSYS the C library falls back to clone.
    filter.ret_if(kClone3, kNotImplemented);
    filter.only_for(SYS_clone, allowed.fork ? 4 : 7);
    filter.load_argument(0);
    filter.ret_if_any(kNewNamespaces, kRefuse);
    if (!allowed.fork) {
        filter.mask(CLONE_THREAD);
        filter.ret_unless(CLONE_THREAD, kRefuse);
    }
    filter.ret(SECCOMP_RET_ALLOW);
    // Connected stream pairs act like pipes; other local sockets could be connected to other processes.
    filter.only_for(SYS_socketpair, 8);
    filter.load_argument(0);
    filter.ret_unless(AF_UNIX, kRefuse);
    filter.load_argument(1);
    filter.mask(0xf);
    filter.ret_unless(SOCK_STREAM, kRefuse);
    filter.ret(SECCOMP_RET_ALLOW);
    filter.ret(SECCOMP_RET_ALLOW);  // all other calls
    filter.apply();
}

}  // namespace fourfall::sandbox
