"""Tests the queue of analyses and reviews."""

import asyncio

import pytest

from fourfall.web.analysis.turn_queue import QueueMember, TurnQueue
from fourfall.web.errors import RequestError


def ignore_place(place: int) -> None:
    """Do nothing with a place."""


def test_members_take_turns() -> None:
    """A member that waits again goes to the end of the queue; every change of its place is reported."""

    async def run() -> tuple[list[str], dict[str, list[int]]]:
        queue, turns = TurnQueue(1, 10), []
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
        queue, places = TurnQueue(1, 10), list[int]()
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
        queue = TurnQueue(1, 10)
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
    queue = TurnQueue(1, 1)
    with queue.enter(ignore_place), pytest.raises(RequestError) as caught, queue.enter(ignore_place):
        pass
    assert (caught.value.code, caught.value.params) == ("busy", {"limit": 1})
    with queue.enter(ignore_place):
        pass


def test_background_members_wait_behind_all_others() -> None:
    """A member that enters later has its turn before a waiting background member, for which no turn ends early."""

    async def run() -> list[str]:
        queue, turns = TurnQueue(1, 10), list[str]()
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
    queue = TurnQueue(1, 2)
    with queue.enter(ignore_place, is_background=True):
        with pytest.raises(RequestError) as caught, queue.enter(ignore_place, is_background=True):
            pass
        assert (caught.value.code, caught.value.params) == ("busy", {"limit": 1})
        with queue.enter(ignore_place):
            pass
