"""Functions of Windows, as far as `fourfall.system` uses them, with the means of this system."""

import fcntl
import multiprocessing.connection
import os
import subprocess
from types import ModuleType, SimpleNamespace
from typing import Any

_NEW_GROUP = 0x200
_POPEN = subprocess.Popen


class StartupInfo:
    """The handles that a child process inherits."""

    def __init__(self, lpAttributeList: dict[str, list[int]]) -> None:  # noqa: N803 (the name of Windows)
        self.handles = lpAttributeList["handle_list"]


class Popen(_POPEN):  # type: ignore[type-arg]
    """Translates the options of Windows into those of POSIX systems."""

    def __init__(
        self, *args: object, creationflags: int = 0, startupinfo: StartupInfo | None = None, **options: object
    ) -> None:
        if creationflags & _NEW_GROUP:
            options["start_new_session"] = True
        if startupinfo is not None:
            options["pass_fds"] = tuple(startupinfo.handles)
        super().__init__(*args, **options)  # type: ignore[call-overload]


def accept_windows_options() -> None:
    """Let every subprocess.Popen, also that of asyncio, accept the options of Windows."""
    subprocess.Popen = Popen  # type: ignore[misc]


def lock(descriptor: int, mode: int, count: int) -> None:
    """Lock or unlock bytes at the position of a file, like msvcrt.locking; PermissionError if they are locked."""
    operation = fcntl.LOCK_UN if mode == msvcrt.LK_UNLCK else fcntl.LOCK_EX | fcntl.LOCK_NB
    try:
        fcntl.lockf(descriptor, operation, count, os.lseek(descriptor, 0, os.SEEK_CUR))
    except BlockingIOError:
        raise PermissionError(13, "Permission denied") from None


class Kernel:
    """Functions of kernel32; all succeed and do nothing, except GlobalMemoryStatusEx."""

    def __init__(self) -> None:
        self.GetCurrentThread: Any = SimpleCall(-2)
        self.GetCurrentProcess: Any = SimpleCall(-1)
        self.SetThreadPriority: Any = SimpleCall(1)
        self.SetPriorityClass: Any = SimpleCall(1)

    def GlobalMemoryStatusEx(self, reference: Any) -> int:  # noqa: ANN401, N802 (the name of Windows)
        """Fill in 8 GiB, half of it free."""
        status = reference._obj
        status.total, status.free = 8 << 30, 4 << 30
        return 1


class SimpleCall:
    """A function of a library of Windows with a fixed result."""

    restype: Any = None
    argtypes: Any = None

    def __init__(self, result: int) -> None:
        self._result = result

    def __call__(self, *_: object) -> int:
        """Return the result."""
        return self._result


msvcrt: Any = ModuleType("msvcrt")
msvcrt.LK_NBLCK, msvcrt.LK_UNLCK = 2, 0
msvcrt.locking = lock
msvcrt.get_osfhandle = lambda descriptor: descriptor
msvcrt.open_osfhandle = lambda handle, flags: handle

FUNCTIONS: dict[str, dict[str, object]] = {
    "ctypes": {"windll": SimpleNamespace(kernel32=Kernel())},
    "multiprocessing.connection": {"PipeConnection": multiprocessing.connection.Connection},
    "os": {"name": "nt", "set_handle_inheritable": lambda handle, value: None},
    "socket": {"SO_EXCLUSIVEADDRUSE": 2},
    "subprocess": {"CREATE_NEW_PROCESS_GROUP": _NEW_GROUP, "STARTUPINFO": StartupInfo, "Popen": Popen},
}
