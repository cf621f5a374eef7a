"""Locks on single bytes of a file.

A lock belongs to this process: child processes do not inherit it, and the system releases it however the process ends.
On POSIX systems it is also released when the process closes any descriptor of the file.
"""

import os
import sys

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl
    import struct

UNKNOWN_PROCESS = 0
"""Process id of a holder that the system does not name."""


def lock_byte(descriptor: int, at: int) -> bool:
    """Lock a byte of an open file, which may lie behind its end; return False if another process has locked it."""
    try:
        if sys.platform == "win32":
            os.lseek(descriptor, at, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, at)
    except (BlockingIOError, PermissionError):
        return False
    return True


def unlock_byte(descriptor: int, at: int) -> None:
    """Release a byte that this process has locked."""
    if sys.platform == "win32":
        os.lseek(descriptor, at, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
    else:
        fcntl.lockf(descriptor, fcntl.LOCK_UN, 1, at)


def find_lock_holder(descriptor: int, at: int) -> int | None:
    """Return the id of another process that has locked a byte; None if none has.

    Windows does not say which process it is: the result is then UNKNOWN_PROCESS.
    """
    if sys.platform == "win32":
        is_free = lock_byte(descriptor, at)
        if is_free:
            unlock_byte(descriptor, at)
        holder = UNKNOWN_PROCESS
    else:
        kernel = os.uname().sysname
        answer = fcntl.fcntl(descriptor, fcntl.F_GETLK, pack_lock(at, fcntl.F_WRLCK, kernel))
        kind, holder = unpack_lock(answer, kernel)
        is_free = kind == fcntl.F_UNLCK
    return None if is_free else holder


if sys.platform != "win32":

    def pack_lock(at: int, kind: int, kernel: str) -> bytes:
        """Return the structure `flock` of a 64-bit kernel, Linux or Darwin, for one byte.

        >>> len(pack_lock(7, 1, "Linux")), len(pack_lock(7, 1, "Darwin"))
        (32, 24)
        """
        if kernel == "Darwin":  # start, length, pid, type, whence
            return struct.pack("qqihh", at, 1, 0, kind, os.SEEK_SET)
        return struct.pack("hhqqi4x", kind, os.SEEK_SET, at, 1, 0)  # type, whence, start, length, pid

    def unpack_lock(data: bytes, kernel: str) -> tuple[int, int]:
        """Return the type and the process id of a structure `flock`.

        >>> unpack_lock(pack_lock(7, 2, "Darwin"), "Darwin")
        (2, 0)
        """
        if kernel == "Darwin":
            _, _, pid, kind, _ = struct.unpack("qqihh", data)
        else:
            kind, _, _, _, pid = struct.unpack("hhqqi4x", data)
        return kind, pid
