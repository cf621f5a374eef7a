"""Rates and numbers per client: a client is an IPv4 address or the /64 network of an IPv6 address."""

import ipaddress
from collections import Counter, OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

MAX_CLIENTS = 4096
"""Number of clients that are remembered; the one that was not seen for the longest time is forgotten first."""

T = TypeVar("T")


def identify_client(address: tuple[str, int] | None) -> str:
    """Return the name under which the connections of an address are counted.

    An IPv6 client usually owns a /64 network and could use a new address for each connection.

    >>> identify_client(("192.0.2.7", 50000)), identify_client(("::ffff:192.0.2.7", 50000))
    ('192.0.2.7', '192.0.2.7')
    >>> identify_client(("2001:db8::1", 50000)) == identify_client(("2001:db8::2", 50000))
    True
    """
    if address is None:
        return ""
    try:
        ip = ipaddress.ip_address(address[0].partition("%")[0])
    except ValueError:
        return address[0]
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, 64), strict=False))


class Owner(NamedTuple):
    """The connection that requested a search: its client and its number."""

    client: str
    connection: int


NO_OWNER = Owner("", 0)
"""For searches that no connection requested."""


class RateLimiter:
    """Token bucket: `per_s` requests per second on average, at most `burst` at once.

    >>> limiter = RateLimiter(10, 2, now=0.0)
    >>> [limiter.allow(now=now) for now in (0.0, 0.0, 0.0, 0.1)]
    [True, True, False, True]
    """

    def __init__(self, per_s: float, burst: float, now: float | None = None) -> None:
        self._per_s = per_s
        self._burst = burst
        self._left = burst
        self._updated = monotonic() if now is None else now

    def allow(self, count: int = 1, now: float | None = None) -> bool:
        """Return whether `count` more requests are allowed now, and count them if they are."""
        now = monotonic() if now is None else now
        self._left = min(self._burst, self._left + (now - self._updated) * self._per_s)
        self._updated = now
        if self._left < count:
            return False
        self._left -= count
        return True


class ClientTable(Generic[T]):
    """One object per client, created on first use; the number of objects is bounded.

    >>> table = ClientTable(lambda: RateLimiter(1, 1), max_clients=2)
    >>> [table.find(client).allow() for client in ("a", "b", "a", "c", "b")]
    [True, True, False, True, True]
    """

    def __init__(self, create: Callable[[], T], max_clients: int = MAX_CLIENTS) -> None:
        self._create = create
        self._max_clients = max_clients
        self._objects: OrderedDict[str, T] = OrderedDict()

    def find(self, client: str) -> T:
        """Return the object of a client."""
        found = self._objects.pop(client, None)
        if found is None:
            found = self._create()
        self._objects[client] = found
        while len(self._objects) > self._max_clients:
            self._objects.popitem(last=False)
        return found


class ClientCounter:
    """Counts something that clients hold open: at most `max_total`, and at most `max_per_client` of one client.

    >>> counter = ClientCounter(3, 2)
    >>> [counter.enter(client) for client in ("a", "a", "a", "b", "c")]
    [True, True, False, True, False]
    """

    def __init__(self, max_total: int, max_per_client: int) -> None:
        self._max_total = max_total
        self._max_per_client = max_per_client
        self._counts: Counter[str] = Counter()

    def enter(self, client: str) -> bool:
        """Count one more, unless a limit is reached."""
        if self._counts.total() >= self._max_total or self._counts[client] >= self._max_per_client:
            return False
        self._counts[client] += 1
        return True

    def leave(self, client: str) -> None:
        """Count one less."""
        self._counts[client] -= 1
        if not self._counts[client]:
            del self._counts[client]
