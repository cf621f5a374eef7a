"""Queue of searches that wait for a thread; clients, and connections of one client, get equal shares of the threads."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar

from fourfall.web.access.clients import Owner


class Request(Protocol):
    """A search with its owner and the time at which its result is due."""

    @property
    def owner(self) -> Owner:
        """Connection that requested the search."""
        ...

    @property
    def deadline(self) -> float:
        """Time of the event loop at which the result is due."""
        ...


R = TypeVar("R", bound=Request)


class FairQueue(Generic[R]):
    """Waiting and running searches.

    The next search is one of the client with the fewest running searches; of this client, one of the connection with
    the fewest running searches; of this connection, the one with the earliest deadline.
    """

    def __init__(self) -> None:
        self._waiting: list[R] = []
        self._clients: Counter[str] = Counter()  # running searches
        self._owners: Counter[Owner] = Counter()

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[R]:
        return iter(self._waiting)

    def push(self, request: R) -> None:
        """Add a search that waits."""
        self._waiting.append(request)

    def remove(self, request: R) -> None:
        """Remove a search that waits, if it does."""
        if request in self._waiting:
            self._waiting.remove(request)

    def pop(self, can_start: Callable[[R], bool]) -> R | None:
        """Remove and return the next search among those that can start."""
        request = min(
            filter(can_start, self._waiting),
            key=lambda each: (*self.count_running(each.owner), each.deadline),
            default=None,
        )
        if request is not None:
            self._waiting.remove(request)
        return request

    def clear(self) -> None:
        """Remove all searches that wait."""
        self._waiting.clear()

    def begin(self, owner: Owner) -> None:
        """Count a running search."""
        self._clients[owner.client] += 1
        self._owners[owner] += 1

    def end(self, owner: Owner) -> None:
        """Count a running search less."""
        self._clients -= Counter([owner.client])
        self._owners -= Counter([owner])

    def count_running(self, owner: Owner) -> tuple[int, int]:
        """Return the numbers of running searches of the owner's client and of the owner."""
        return self._clients[owner.client], self._owners[owner]

    def has_larger_share(self, other: Owner, owner: Owner) -> bool:
        """Whether another owner runs more searches than this one would run if all its waiting searches were started.

        Connections of one client are compared with each other, other connections by their clients.
        """
        is_same_client = other.client == owner.client
        waiting = sum(
            request.owner == owner if is_same_client else request.owner.client == owner.client
            for request in self._waiting
        )
        return self.count_running(other)[is_same_client] > self.count_running(owner)[is_same_client] + waiting

    def count_competing(self, owner: Owner) -> int:
        """Return how many of the waiting searches get a thread before a second search of the owner.

        Another client counts with at most as many searches as the owner's client, another connection of the same
        client with at most as many as the owner, each plus one.
        """
        clients: dict[str, Counter[Owner]] = {}
        for request in self._waiting:
            clients.setdefault(request.owner.client, Counter())[request.owner] += 1
        own = clients.pop(owner.client, Counter())
        own_max = own[owner] + 1
        own_count = sum(min(count, own_max) for count in own.values())
        client_max = own.total() + 1
        return own_count + sum(min(owners.total(), client_max) for owners in clients.values())
