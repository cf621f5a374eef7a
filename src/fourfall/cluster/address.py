"""Parses the address of a cluster: `tcp://HOST:PORT`, `tls://HOST:PORT` or `local:N`."""

import re
from dataclasses import dataclass

from fourfall.cluster.errors import ClusterAddressError

MAX_LOCAL_WORKERS = 1024
_FORMS = "tcp://HOST:PORT or tls://HOST:PORT (a Dask scheduler), or local:N (N worker processes of this machine)"
# A host name, an IPv4 address, or an IPv6 address in brackets.
_SCHEDULER = re.compile(r"(?P<scheme>tcp|tls)://(?P<host>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):(?P<port>[0-9]{1,5})")
_LOCAL = re.compile(r"local:(?P<workers>[0-9]{1,6})")


@dataclass(frozen=True)
class ClusterAddress:
    """Where the workers are: the address of a scheduler, or a number of worker processes of this machine."""

    scheduler: str | None = None
    local_workers: int = 0


def parse_cluster_address(text: str) -> ClusterAddress:
    """Parse an address; ClusterAddressError says what is wrong.

    >>> parse_cluster_address("tcp://10.0.0.1:8786")
    ClusterAddress(scheduler='tcp://10.0.0.1:8786', local_workers=0)
    >>> parse_cluster_address("local:4").local_workers
    4
    >>> parse_cluster_address("10.0.0.1:8786")
    Traceback (most recent call last):
    fourfall.cluster.errors.ClusterAddressError: '10.0.0.1:8786' is not the address of a cluster; write \
tcp://HOST:PORT or tls://HOST:PORT (a Dask scheduler), or local:N (N worker processes of this machine)
    """
    if (local := _LOCAL.fullmatch(text)) is not None:
        workers = int(local["workers"])
        if not 1 <= workers <= MAX_LOCAL_WORKERS:
            raise ClusterAddressError(f"{text!r}: the number of workers must be from 1 to {MAX_LOCAL_WORKERS}")
        return ClusterAddress(local_workers=workers)
    scheduler = _SCHEDULER.fullmatch(text)
    if scheduler is None:
        raise ClusterAddressError(f"{text!r} is not the address of a cluster; write {_FORMS}")
    if not 1 <= int(scheduler["port"]) <= 65_535:
        raise ClusterAddressError(f"{text!r}: the port must be from 1 to 65535")
    return ClusterAddress(scheduler=text)
