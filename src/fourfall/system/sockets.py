"""Options of sockets that differ between systems."""

import contextlib
import socket
import sys


def prepare_listening_socket(sock: socket.socket) -> None:
    """Let a server be started again at once on its port, but no second server at the same time."""
    if sys.platform == "win32":
        # There SO_REUSEADDR would let two processes use the same port.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def limit_unread_time(sock: socket.socket, seconds: float) -> None:
    """Let the system close a connection whose other side acknowledges or accepts no data; only Linux can do this."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(1000 * seconds))
