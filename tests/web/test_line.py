"""Owns the tests of the line before the engines."""

import asyncio

import pytest

from fourfall.web.line import Line
from fourfall.web.refusal import Refusal


def test_turns_go_round() -> None:
    """Who has had a turn lines up behind those who wait; everybody is told every new place."""

    async def run() -> tuple[list[str], dict[str, list[int]]]:
        line, turns = Line(1, 10), []
        told: dict[str, list[int]] = {name: [] for name in "abc"}

        async def want(name: str) -> None:
            with line.place(told[name].append) as place:
                for _ in range(2):
                    assert await place.take()
                    turns.append(name)
                    await asyncio.sleep(0.01)
                    line.give()

        await asyncio.gather(*(want(name) for name in "abc"))
        return turns, told

    turns, told = asyncio.run(run())
    assert turns == list("abcabc")
    assert told["b"][:1] == [1]
    assert told["c"][:2] == [2, 1]


def test_whoever_leaves_makes_room() -> None:
    """One who withdraws or is cancelled moves the others up, and no turn is lost."""

    async def run() -> list[int]:
        line, told = Line(1, 10), list[int]()
        with (
            line.place(lambda _: None) as first,
            line.place(lambda _: None) as second,
            line.place(told.append) as third,
        ):
            assert await first.take()
            waiting = asyncio.create_task(second.take())
            cancelled = asyncio.create_task(line_place_take(line))
            last = asyncio.create_task(third.take())
            await asyncio.sleep(0)
            second.withdraw()
            cancelled.cancel()
            await asyncio.sleep(0)
            assert not await waiting
            assert not await second.take()
            line.give()
            assert await last
            line.give()
            assert not line.is_wanted
            assert await first.take()
        return told

    async def line_place_take(line: Line) -> None:
        with line.place(lambda _: None) as place:
            await place.take()

    assert asyncio.run(run()) == [3, 2, 1]


def test_a_turn_that_comes_while_leaving_is_passed_on() -> None:
    """Cancelled in the very moment in which the turn came, one hands it to the next."""

    async def run() -> bool:
        line = Line(1, 10)
        with (
            line.place(lambda _: None) as first,
            line.place(lambda _: None) as second,
            line.place(lambda _: None) as third,
        ):
            await first.take()
            unlucky = asyncio.create_task(second.take())
            lucky = asyncio.create_task(third.take())
            await asyncio.sleep(0)
            line.give()
            unlucky.cancel()
            return await asyncio.wait_for(lucky, 1)

    assert asyncio.run(run())


def test_a_crowd_has_an_end() -> None:
    """More than allowed are turned away, and come in when others leave."""
    line = Line(1, 1)
    with line.place(lambda _: None), pytest.raises(Refusal), line.place(lambda _: None):
        pass
    with line.place(lambda _: None):
        pass
