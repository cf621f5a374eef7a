"""Lower priorities for threads and processes that must not disturb others."""

import os
import sys
import threading

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _THREAD_PRIORITY_BELOW_NORMAL = -1
    _BELOW_NORMAL_PRIORITY_CLASS = 0x4000


def lower_thread_priority(niceness: int) -> None:
    """Lower the priority of the calling thread: by `niceness` on Linux, one class on Windows, not at all on macOS.

    On Linux every thread has its own niceness. On macOS it belongs to the process, and the only lower class of threads
    is for work in the background, which the system slows down also on idle cores.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + niceness)
    elif sys.platform == "win32":
        kernel = ctypes.windll.kernel32
        kernel.GetCurrentThread.restype = wintypes.HANDLE
        kernel.SetThreadPriority.argtypes = [wintypes.HANDLE, ctypes.c_int]
        kernel.SetThreadPriority(kernel.GetCurrentThread(), _THREAD_PRIORITY_BELOW_NORMAL)


def lower_process_priority(niceness: int) -> None:
    """Lower the priority of this process and of those that it starts: by `niceness`, or by one class on Windows."""
    if sys.platform == "win32":
        kernel = ctypes.windll.kernel32
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        kernel.SetPriorityClass.argtypes = [wintypes.HANDLE, wintypes.DWORD]
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), _BELOW_NORMAL_PRIORITY_CLASS)
    else:
        os.nice(niceness)
