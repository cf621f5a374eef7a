"""Tests that the tasks of a page end without warnings when the page disconnects in the middle of a request."""

import asyncio
import gc
import warnings
from pathlib import Path

import pytest

from fourfall.web.access.clients import Owner
from fourfall.web.limits import Limits
from fourfall.web.message_handler import MessageHandler
from fourfall.web.messages import replies
from fourfall.web.messages.requests import parse_request
from fourfall.web.services import start_services


class RecordingPage:
    """A page that stores what it receives."""

    owner = Owner("127.0.0.1", 1)

    def __init__(self) -> None:
        self.replies: list[replies.Reply] = []
        self.errors: list[Exception] = []

    def send(self, reply: replies.Reply) -> None:
        """Store a reply."""
        self.replies.append(reply)

    def send_error(self, error: Exception, ref: str | None) -> None:
        """Store an error."""
        self.errors.append(error)


@pytest.mark.parametrize(
    "message",
    [
        '{"type": "analyse", "position": "6x7:44", "simulations": 100}',
        '{"type": "review", "position": "6x7:4455", "move_time_s": 0.01}',
        '{"type": "hint", "game": "%s"}',
        '{"type": "explain", "position": "6x7:44", "column": 3}',
    ],
)
@pytest.mark.parametrize("times", [1, 2])
def test_task_cancelled_before_it_starts(tmp_path: Path, message: str, times: int) -> None:
    """A page that disconnects, or sends the request again, before the task starts leaves no unawaited coroutine."""

    async def run() -> None:
        async with start_services(tmp_path / "page.db", [], Limits()) as services:
            page = RecordingPage()
            handler = MessageHandler(page, services)
            await handler.handle(parse_request('{"type": "new", "board": "6x7", "opponent": "level-2"}'))
            game = next(reply.game for reply in page.replies if isinstance(reply, replies.GameReply))
            request = parse_request(message.replace("%s", game))
            for _ in range(times):
                await handler.handle(request)
            handler.close()
            await asyncio.sleep(0.05)
            assert page.errors == []

    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        asyncio.run(run())
        gc.collect()
    assert [str(warning.message) for warning in found] == []
