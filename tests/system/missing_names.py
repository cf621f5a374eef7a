"""Names of the standard library that do not exist on every system."""


def _split(text: str) -> frozenset[str]:
    return frozenset(text.split())


POSIX_MODULES = _split("curses fcntl grp posix pty pwd readline resource syslog termios tty")
WINDOWS_MODULES = _split("_winapi msvcrt winreg winsound")

LINUX_NAMES = {
    "os": _split(
        """
        O_DIRECT O_PATH O_TMPFILE PIDFD_NONBLOCK copy_file_range eventfd getrandom memfd_create pidfd_open
        posix_fadvise sched_getaffinity sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity
        sched_setparam sched_setscheduler setns setresuid splice unshare
        """
    ),
    "select": _split("EPOLLIN EPOLLOUT epoll"),
    "signal": _split("SIGPWR SIGRTMAX SIGRTMIN SIGSTKFLT pidfd_send_signal sigtimedwait sigwaitinfo"),
    "socket": _split("AF_NETLINK AF_PACKET SO_PEERCRED TCP_USER_TIMEOUT"),
}
"""Names that macOS lacks, and Windows too."""

POSIX_NAMES = {
    "os": LINUX_NAMES["os"]
    | _split(
        """
        O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK O_SYNC PRIO_PROCESS RTLD_NOW WEXITSTATUS WIFEXITED
        WIFSIGNALED WNOHANG WTERMSIG chown chroot ctermid fchdir fchmod fchown fork forkpty getegid geteuid getgid
        getgroups getloadavg getpgid getpgrp getpriority getsid getuid initgroups kill killpg lchown lockf mkfifo mknod
        nice openpty pathconf pipe2 posix_spawn posix_spawnp pread pwrite register_at_fork sched_yield sendfile
        set_blocking setegid seteuid setgid setgroups setpgid setpriority setsid setuid statvfs sync sysconf tcgetpgrp
        tcsetpgrp ttyname uname wait wait3 wait4 waitid waitpid writev
        """
    ),
    "select": LINUX_NAMES["select"] | _split("POLLHUP POLLIN POLLOUT kqueue poll"),
    "signal": LINUX_NAMES["signal"]
    | _split(
        """
        ITIMER_REAL SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2 SIGWINCH
        SIGXCPU alarm getitimer pause pthread_kill pthread_sigmask setitimer siginterrupt sigpending sigwait
        """
    ),
    "socket": LINUX_NAMES["socket"] | _split("AF_UNIX SO_REUSEPORT recv_fds send_fds"),
    "time": _split("clock_gettime clock_settime pthread_getcpuclockid tzset"),
}
"""Names that Windows lacks; os.kill and os.waitpid exist there, but do something else."""

WINDOWS_NAMES = {
    "os": _split("get_handle_inheritable name set_handle_inheritable startfile"),
    "signal": _split("CTRL_BREAK_EVENT CTRL_C_EVENT SIGBREAK"),
    "socket": _split("SO_EXCLUSIVEADDRUSE"),
    "subprocess": _split("CREATE_NEW_PROCESS_GROUP CREATE_NO_WINDOW STARTUPINFO"),
}
"""Names that only Windows has; os.name exists everywhere, but only `system` should ask for the system."""

POPEN_OPTIONS = _split(
    "creationflags extra_groups pass_fds preexec_fn process_group start_new_session startupinfo umask"
)
"""Keyword arguments of subprocess.Popen that only one kind of system knows."""

SYSTEM_PATHS = ("/dev/", "/etc/", "/proc/", "/sys/", "/tmp", "/usr/", "/var/")  # noqa: S108
"""Beginnings of paths that exist only on Linux, or only on POSIX systems."""
