"""Tests the queue of analyses and reviews."""

import asyncio
from contextlib import ExitStack

import pytest

from fourfall.web.analysis.turn_queue import OnPlace, QueueMember, TurnQueue, TurnScheduler
from fourfall.web.errors import RequestError


def ignore_place(place: int) -> None:
    """Do nothing with a place."""


def test_members_take_turns() -> None:
    """A member that waits again goes to the end of the queue; every change of its place is reported."""

    async def run() -> tuple[list[str], dict[str, list[int]]]:
        queue, turns = TurnScheduler(1, 10).for_client(""), []
        places: dict[str, list[int]] = {name: [] for name in "abc"}

        async def take_two_turns(name: str) -> None:
            with queue.enter(places[name].append) as member:
                for _ in range(2):
                    assert await member.wait_turn()
                    turns.append(name)
                    await asyncio.sleep(0.01)
                    queue.end_turn()

        await asyncio.gather(*(take_two_turns(name) for name in "abc"))
        return turns, places

    turns, places = asyncio.run(run())
    assert turns == list("abcabc")
    assert places["b"][:1] == [1]
    assert places["c"][:2] == [2, 1]


def test_withdrawn_and_cancelled_members_leave_the_queue() -> None:
    """The other members move up, and no turn is lost."""

    async def run() -> list[int]:
        queue, places = TurnScheduler(1, 10).for_client(""), list[int]()
        with (
            queue.enter(ignore_place) as first,
            queue.enter(ignore_place) as second,
            queue.enter(places.append) as third,
        ):
            assert await first.wait_turn()
            waiting = asyncio.create_task(second.wait_turn())
            cancelled = asyncio.create_task(enter_and_wait(queue))
            last = asyncio.create_task(third.wait_turn())
            await asyncio.sleep(0)
            second.withdraw()
            cancelled.cancel()
            await asyncio.sleep(0)
            assert not await waiting
            assert not await second.wait_turn()
            queue.end_turn()
            assert await last
            queue.end_turn()
            assert not queue.has_waiting
            assert await first.wait_turn()
        return places

    async def enter_and_wait(queue: TurnQueue) -> None:
        with queue.enter(ignore_place) as member:
            await member.wait_turn()

    assert asyncio.run(run()) == [3, 2, 1]


def test_member_cancelled_when_its_turn_begins_passes_it_on() -> None:
    """If a member is cancelled in the same iteration in which its turn begins, the next member gets the turn."""

    async def run() -> bool:
        queue = TurnScheduler(1, 10).for_client("")
        with (
            queue.enter(ignore_place) as first,
            queue.enter(ignore_place) as second,
            queue.enter(ignore_place) as third,
        ):
            await first.wait_turn()
            cancelled = asyncio.create_task(second.wait_turn())
            waiting = asyncio.create_task(third.wait_turn())
            await asyncio.sleep(0)
            queue.end_turn()
            cancelled.cancel()
            return await asyncio.wait_for(waiting, 1)

    assert asyncio.run(run())


def test_full_queue_raises_an_error() -> None:
    """More than the maximum number of members is an error; after one has left, another can enter."""
    queue = TurnScheduler(1, 1).for_client("")
    with queue.enter(ignore_place), pytest.raises(RequestError) as caught, queue.enter(ignore_place):
        pass
    assert (caught.value.code, caught.value.params) == ("busy", {"limit": 1})
    with queue.enter(ignore_place):
        pass


def test_clients_take_turns() -> None:
    """A client with one analysis gets every second turn, although another client has many and came first."""

    async def run() -> tuple[str, list[int]]:
        scheduler, turns, places = TurnScheduler(1, 24, 8), [], list[int]()

        async def take_turns(client: str, report: OnPlace) -> None:
            queue = scheduler.for_client(client)
            with queue.enter(report) as member:
                for _ in range(4):
                    assert await member.wait_turn()
                    turns.append(client)
                    await asyncio.sleep(0)
                    queue.end_turn()

        greedy = [take_turns("a", ignore_place) for _ in range(8)]
        await asyncio.gather(*greedy, take_turns("b", places.append))
        return "".join(turns), places

    turns, places = asyncio.run(run())
    assert turns.startswith("abababab")
    assert max(places) == 1


def test_one_client_cannot_fill_the_queue() -> None:
    """A client with too many analyses gets an error with its own limit; another client can enter."""
    scheduler = TurnScheduler(1, 3, 2)
    with ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(scheduler.for_client("a").enter(ignore_place))
        with pytest.raises(RequestError) as caught:
            stack.enter_context(scheduler.for_client("a").enter(ignore_place))
        assert (caught.value.code, caught.value.params) == ("busy", {"limit": 2})
        stack.enter_context(scheduler.for_client("b").enter(ignore_place))


def test_background_members_wait_behind_all_others() -> None:
    """A member that enters later has its turn before a waiting background member, for which no turn ends early."""

    async def run() -> list[str]:
        queue, turns = TurnScheduler(1, 10).for_client(""), list[str]()
        with (
            queue.enter(ignore_place) as first,
            queue.enter(ignore_place, is_background=True) as background,
            queue.enter(ignore_place) as second,
        ):

            async def take_turn(member: QueueMember, name: str) -> None:
                assert await member.wait_turn()
                turns.append(name)
                queue.end_turn()

            assert await first.wait_turn()
            waiting = [asyncio.create_task(take_turn(background, "background"))]
            await asyncio.sleep(0)
            has_waiting = [queue.has_waiting]
            waiting.append(asyncio.create_task(take_turn(second, "second")))
            await asyncio.sleep(0)
            has_waiting.append(queue.has_waiting)
            assert has_waiting == [False, True]
            queue.end_turn()
            await asyncio.gather(*waiting)
        return turns

    assert asyncio.run(run()) == ["second", "background"]


def test_background_members_use_half_of_the_places() -> None:
    """The other half stays free for requests of users."""
    queue = TurnScheduler(1, 2).for_client("")
    with queue.enter(ignore_place, is_background=True):
        with pytest.raises(RequestError) as caught, queue.enter(ignore_place, is_background=True):
            pass
        assert (caught.value.code, caught.value.params) == ("busy", {"limit": 1})
        with queue.enter(ignore_place):
            pass
