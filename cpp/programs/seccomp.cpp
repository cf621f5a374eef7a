// Builds the seccomp filter: the list of refused system calls and the filter program.
#include "programs/seccomp.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
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
constexpr std::uint32_t kIoPriorityOfProcess = 1;
constexpr std::uint32_t kNotifyOnFolder = 1026;  // the commands F_NOTIFY and F_SETPIPE_SZ of fcntl
constexpr std::uint32_t kSetPipeSize = 1031;
constexpr std::uint32_t kSetSignal = 10;  // the command F_SETSIG of fcntl

// Network, other processes, system administration, kernel interfaces with many past vulnerabilities, notification of
// file names, memory that the limits do not count, and changing the assigned processor. Sockets keep their default
// buffers (no setsockopt), and no message carries descriptors (no sendmsg): these would hide buffers from the limits.
// Call numbers above 423 are equal on all architectures and missing in older headers.
constexpr int kAlwaysRefused[] = {
    SYS_socket,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_setsockopt,
    SYS_sendmsg,
    SYS_sendmmsg,
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
    SYS_inotify_init1,
    SYS_inotify_add_watch,
    SYS_fanotify_init,
    SYS_fanotify_mark,
    SYS_memfd_create,
    SYS_vmsplice,
    SYS_splice,
    SYS_tee,
    SYS_shmget,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
    SYS_sched_setaffinity,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef __x86_64__
    SYS_inotify_init,
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
    440,  // process_madvise
    442,  // mount_setattr
    443,  // quotactl_fd
    447,  // memfd_secret
    448,  // process_mrelease
};

// The first argument is a process id. These calls could change limits, priority or memory of other processes.
constexpr int kOnlyOwnProcess[] = {
    SYS_prlimit64, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_migrate_pages, SYS_move_pages,
};

// The first argument is the process that receives a signal.
constexpr int kSignals[] = {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo};
constexpr int kSignalByDescriptor = 424;  // pidfd_send_signal

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
    // The instructions that `rules` adds apply to this call only; other calls skip them.
    void only_for(int call, const std::function<void()>& rules) {
        add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call));
        const std::size_t jump = code_.size() - 1;
        rules();
        ret(SECCOMP_RET_ALLOW);
        code_[jump].jf = static_cast<std::uint8_t>(code_.size() - 1 - jump);
    }
    // Refuses the call if an argument has this value; the rules that follow apply as well.
    void refuse_value(int call, int argument, std::uint32_t value) {
        constexpr std::uint8_t kRuleSize = 4;
        add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, kRuleSize);
        load_argument(argument);
        ret_if(value, kRefuse);
        load(offsetof(seccomp_data, nr));
    }
    // Refuses the call unless an argument is 0 (the caller) or `own`, the caller's process id (0: not known).
    void ret_unless_own(int argument, pid_t own) {
        load_argument(argument);
        ret_if(0, SECCOMP_RET_ALLOW);
        ret_unless(static_cast<std::uint32_t>(own), kRefuse);
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

// New processes and namespaces. Threads share their descriptors: a table for each thread would multiply their limit.
void restrict_clone(Filter& filter, bool fork) {
    // A filter cannot read the flags of clone3 behind a pointer. With ENOSYS the C library falls back to clone.
    filter.ret_if(kClone3, kNotImplemented);
    filter.only_for(SYS_clone, [&] {
        filter.load_argument(0);
        filter.ret_if_any(kNewNamespaces, kRefuse);
        filter.mask(CLONE_THREAD | CLONE_FILES);
        filter.ret_if(CLONE_THREAD, kRefuse);
        filter.mask(CLONE_THREAD);
        if (!fork) filter.ret_unless(CLONE_THREAD, kRefuse);
    });
}

// Limits, priorities and signals of other processes. Without fork the process id never changes, so the filter knows it.
void restrict_other_processes(Filter& filter, bool fork) {
    const pid_t own = fork ? 0 : getpid();
    for (const int call : kOnlyOwnProcess) {
        filter.only_for(call, [&] { filter.ret_unless_own(0, own); });
    }
    filter.only_for(SYS_setpriority, [&] {
        filter.load_argument(0);
        filter.ret_unless(PRIO_PROCESS, kRefuse);
        filter.ret_unless_own(1, own);
    });
    filter.only_for(SYS_ioprio_set, [&] {
        filter.load_argument(0);
        filter.ret_unless(kIoPriorityOfProcess, kRefuse);
        filter.ret_unless_own(1, own);
    });
    // A process that may fork sends signals to its children; the PID namespace contains no other processes.
    if (fork) return;
    for (const int call : kSignals) {
        filter.only_for(call, [&] { filter.ret_unless_own(0, own); });
    }
    filter.ret_if(kSignalByDescriptor, kRefuse);
}

// Everything that could send SIGCONT to a stopped process: signals, timers, and descriptors that announce input.
void restrict_continue_signals(Filter& filter) {
    constexpr std::pair<int, int> kSignalArguments[] = {{SYS_kill, 1},
                                                        {SYS_tkill, 1},
                                                        {SYS_rt_sigqueueinfo, 1},
                                                        {kSignalByDescriptor, 1},
                                                        {SYS_tgkill, 2},
                                                        {SYS_rt_tgsigqueueinfo, 2}};
    for (const auto& [call, argument] : kSignalArguments) filter.refuse_value(call, argument, SIGCONT);
    filter.refuse_value(SYS_fcntl, 1, kSetSignal);
    filter.ret_if(SYS_timer_create, kRefuse);  // its signal is behind a pointer
}

// Buffers of the kernel, which no limit of memory counts.
void restrict_buffers(Filter& filter, bool socket_pairs) {
    filter.only_for(SYS_fcntl, [&] {
        filter.load_argument(1);
        filter.ret_if(kNotifyOnFolder, kRefuse);
        filter.ret_if(kSetPipeSize, kRefuse);
    });
    // Connected stream pairs act like pipes; other local sockets could be connected to other processes.
    filter.only_for(SYS_socketpair, [&] {
        if (!socket_pairs) filter.ret(kRefuse);
        filter.load_argument(0);
        filter.ret_unless(AF_UNIX, kRefuse);
        filter.load_argument(1);
        filter.mask(0xf);
        filter.ret_unless(SOCK_STREAM, kRefuse);
    });
}

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
    if (!allowed.continue_signals) restrict_continue_signals(filter);
    restrict_clone(filter, allowed.fork);
    restrict_other_processes(filter, allowed.fork);
    restrict_buffers(filter, allowed.socket_pairs);
    filter.ret(SECCOMP_RET_ALLOW);  // all other calls
    filter.apply();
}

}  // namespace fourfall::sandbox
