"""Owns the HTTP part: games, positions, pasted texts, events and matches."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response
from pydantic import Field

from fourfall import render
from fourfall.web import limits, replies, shapes
from fourfall.web.events import event_list
from fourfall.web.house import House
from fourfall.web.matches import MatchWanted
from fourfall.web.reading import read_text
from fourfall.web.requests import Strict
from fourfall.web.sessions import read_position
from fourfall.web.shelf import Shelf
from fourfall.web.showing import file_of, shown_game, shown_position

ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": shapes.Complaint, "description": meaning}
    for status, meaning in {
        400: "The request makes no sense.",
        401: "The token is missing.",
        403: "From a foreign page, or for another machine.",
        413: "Too large.",
        422: "A value is out of range, or not understood.",
        429: "Too many requests.",
        500: "Something went wrong here.",
    }.items()
}
_MISSING: dict[int | str, dict[str, Any]] = {404: {"model": shapes.Complaint, "description": "There is no such thing."}}
_BUSY: dict[int | str, dict[str, Any]] = {503: {"model": shapes.Complaint, "description": "Busy; try again later."}}

GameName = Annotated[str, Path(pattern=r"^(p[A-Za-z0-9]{16}|a[0-9]{1,18})$")]
EventNumber = Annotated[int, Path(ge=1, lt=2**63)]
Position = Annotated[str, Query(max_length=limits.POSITION_LENGTH, description="ROWSxCOLS[@row,col][:moves]")]

api = APIRouter(prefix="/api", responses=ERRORS)
_TYPES = {"svg": "image/svg+xml", "text": "text/plain; charset=utf-8", "json": "application/json"}
_ENDINGS = {"svg": "svg", "text": "txt", "json": "json"}


class Pasted(Strict):
    """A text that tells a game; bare moves are played on `board`."""

    text: Annotated[str, Field(max_length=limits.TEXT_BYTES)]
    board: Annotated[str, Field(max_length=limits.POSITION_LENGTH)] = "6x7"


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


@api.get("/engines")
async def engines(request: Request) -> shapes.Choices:
    """List all that there is to choose from."""
    return _house(request).choices


@api.get("/games")
async def games(
    request: Request,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[str | None, Query(max_length=200, description="The `next` of an earlier list.")] = None,
    source: Annotated[Literal["page", "arena"] | None, Query()] = None,
    event: Annotated[int | None, Query(ge=1, lt=2**63)] = None,
    agent: Annotated[str | None, Query(max_length=1000)] = None,
) -> shapes.GameList:
    """List games, newest first."""
    return await _house(request).desk.shelf(Shelf.lines, limit, before, source, event, agent)


@api.get("/games/{game}", responses=_MISSING)
async def game(request: Request, game: GameName) -> replies.GameShown:
    """Show a game with its moves and its review."""
    return await _house(request).desk.shelf(shown_game, game)


@api.get(
    "/games/{game}/download",
    response_class=Response,
    responses={**_MISSING, 200: {"content": {name: {} for name in _TYPES.values()}, "description": "The file."}},
)
async def download(
    request: Request,
    game: GameName,
    format: Annotated[Literal["svg", "text", "json"], Query()] = "json",  # noqa: A002 (its name in the address)
    ply: Annotated[int | None, Query(ge=0, le=144)] = None,
) -> Response:
    """Give a game as a file to keep."""
    text = await _house(request).desk.shelf(file_of, game, format, ply)
    disposition = f'attachment; filename="fourfall-{game}.{_ENDINGS[format]}"'
    return Response(text, media_type=_TYPES[format], headers={"Content-Disposition": disposition})


@api.get("/position")
async def position(position: Position) -> shapes.PositionShown:
    """Say what the rules say of a position."""
    return shown_position(read_position(position))


@api.get(
    "/picture.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}}, "description": "The board."}},
)
async def picture(position: Position) -> Response:
    """Draw a position."""
    return Response(render.svg(read_position(position)), media_type="image/svg+xml")


@api.post("/read")
async def read(pasted: Pasted) -> shapes.TextRead:
    """Make a game of a text that somebody pasted."""
    return await asyncio.to_thread(read_text, pasted.text, pasted.board)


@api.get("/events")
async def events(request: Request) -> shapes.EventList:
    """List the events, newest first."""
    house = _house(request)
    return await house.desk.store(event_list, house.matches.running)


@api.get("/events/{event}", responses=_MISSING)
async def event(request: Request, event: EventNumber) -> shapes.EventShown:
    """Show an event with its tables and boards."""
    return await _house(request).watching.show(event)


@api.post("/matches", status_code=201, responses=_BUSY)
async def begin_match(request: Request, wanted: MatchWanted) -> shapes.MatchBegun:
    """Begin a match between two engines."""
    return shapes.MatchBegun(event=await _house(request).matches.begin(wanted))


@api.delete("/matches/{event}", status_code=204, responses=_MISSING)
async def stop_match(request: Request, event: EventNumber) -> None:
    """Stop the match that was begun from the page."""
    await _house(request).matches.stop(event)
