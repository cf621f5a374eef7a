"""HTTP routes: engines, games, positions, import of pasted text, opening explorer, events (matches and tournaments)."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response
from pydantic import Field

from fourfall import render
from fourfall.validation import StrictModel
from fourfall.web import limits
from fourfall.web.errors import RequestError
from fourfall.web.events.event_view import list_events
from fourfall.web.events.ladder_view import describe_history
from fourfall.web.events.matches import MatchRequest
from fourfall.web.explorer import Explorer
from fourfall.web.game_list import GameFilter, Result, Source
from fourfall.web.game_repository import GameRepository
from fourfall.web.messages import replies, schemas
from fourfall.web.messages.explorer import ExplorerInfo, GameSource
from fourfall.web.messages.requests import GAME_ID_PATTERN
from fourfall.web.paste_import import import_text
from fourfall.web.play.stored_games import FileFormat, describe_game, export_game
from fourfall.web.positions import describe_position, find_position, parse_position
from fourfall.web.services import Services

Responses = dict[int | str, dict[str, Any]]

ERROR_RESPONSES: Responses = {
    status: {"model": schemas.ErrorInfo, "description": description}
    for status, description in {
        400: "The request cannot be carried out.",
        401: "The token is missing or wrong.",
        403: "The Host or Origin header is not allowed.",
        413: "The request is too large.",
        422: "A value is invalid.",
        429: "Too many requests.",
        500: "Internal error.",
    }.items()
}
NOT_FOUND: Responses = {
    404: {"model": schemas.ErrorInfo, "description": "There is no such game, event, match or puzzle."}
}
_BUSY: Responses = {503: {"model": schemas.ErrorInfo, "description": "Another match is running."}}

GamePath = Annotated[str, Path(pattern=GAME_ID_PATTERN)]
EventPath = Annotated[int, Path(ge=1, lt=2**63)]
PositionQuery = Annotated[str, Query(max_length=limits.MAX_POSITION_LENGTH, description="ROWSxCOLS[@row,col][:moves]")]
_Index = Annotated[int, Field(ge=0, le=11)]
CellValue = Annotated[tuple[_Index, _Index], Field(strict=False)]  # JSON has lists, not tuples

api = APIRouter(prefix="/api", responses=ERROR_RESPONSES)
_MEDIA_TYPES = {"svg": "image/svg+xml", "text": "text/plain; charset=utf-8", "json": "application/json"}
_ANIMATIONS = {"svg": "image/svg+xml", "gif": "image/gif"}
_DRAWING = asyncio.Semaphore(1)
"""A long game takes a second of one core, so only one is drawn at a time."""
_SUFFIXES = {"svg": "svg", "text": "txt", "json": "json"}


class ImportRequest(StrictModel):
    """A text to import; moves without a board are played on `board`."""

    text: Annotated[str, Field(max_length=limits.MAX_TEXT_BYTES)]
    board: Annotated[str, Field(max_length=limits.MAX_POSITION_LENGTH)] = "6x7"


class StonesRequest(StrictModel):
    """The stones of an edited position; cells are (row, column) from the top left."""

    rows: Annotated[int, Field(ge=4, le=12)]
    cols: Annotated[int, Field(ge=4, le=12)]
    hole: CellValue | None = None
    first: Annotated[list[CellValue], Field(max_length=144)]
    second: Annotated[list[CellValue], Field(max_length=144)]


def _get_services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


@api.get("/engines")
async def get_engines(request: Request) -> schemas.ServerInfo:
    """Return the engines, levels, limits and defaults."""
    return _get_services(request).server_info


@api.get("/games")
async def get_games(
    request: Request,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[str | None, Query(max_length=200, description="The `next` of an earlier list.")] = None,
    source: Annotated[Source | None, Query()] = None,
    event: Annotated[int | None, Query(ge=1, lt=2**63)] = None,
    agent: Annotated[str | None, Query(max_length=1000, description="The exact name of a player.")] = None,
    text: Annotated[str | None, Query(max_length=100, description="A part of a player's name.")] = None,
    result: Annotated[Result | None, Query()] = None,
) -> schemas.GameList:
    """List games, newest first."""
    game_filter = GameFilter(source, event, agent, text, result)
    return await _get_services(request).database.run_with_games(GameRepository.list_games, limit, before, game_filter)


@api.get("/games/{game}", responses=NOT_FOUND)
async def get_game(request: Request, game: GamePath) -> replies.GameDetails:
    """Return a game with its moves and its review."""
    return await _get_services(request).database.run_with_games(describe_game, game)


@api.delete("/games/{game}", status_code=204, responses=NOT_FOUND)
async def delete_game(request: Request, game: GamePath) -> None:
    """Delete a game of the page. It can be restored for seven days."""
    await _get_services(request).sessions.delete(game)


@api.post("/games/{game}/restore", status_code=204, responses=NOT_FOUND)
async def restore_game(request: Request, game: GamePath) -> None:
    """Restore a deleted game."""
    await _get_services(request).database.run_with_games(GameRepository.restore_game, game)


@api.get(
    "/games/{game}/download",
    response_class=Response,
    responses={
        **NOT_FOUND,
        200: {"content": {name: {} for name in _MEDIA_TYPES.values()}, "description": "The file."},
    },
)
async def download_game(
    request: Request,
    game: GamePath,
    format: Annotated[FileFormat, Query()] = "json",  # noqa: A002 (name in the query)
    ply: Annotated[int | None, Query(ge=0, le=144)] = None,
) -> Response:
    """Return a game as a file."""
    text = await _get_services(request).database.run_with_games(export_game, game, format, ply)
    disposition = f'attachment; filename="fourfall-{game}.{_SUFFIXES[format]}"'
    return Response(text, media_type=_MEDIA_TYPES[format], headers={"Content-Disposition": disposition})


@api.get("/position")
async def get_position(position: PositionQuery) -> schemas.PositionInfo:
    """Return the legal moves, threats and outcome of a position."""
    return describe_position(parse_position(position))


@api.get(
    "/board.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}}, "description": "The board as SVG."}},
)
async def get_board_image(position: PositionQuery) -> Response:
    """Draw a position as SVG."""
    return Response(render.draw_svg(parse_position(position)), media_type="image/svg+xml")


@api.get(
    "/animation",
    response_class=Response,
    responses={
        200: {"content": {name: {} for name in _ANIMATIONS.values()}, "description": "The game as an animation."}
    },
)
async def get_animation(
    position: PositionQuery,
    start: Annotated[int, Query(ge=0, le=144, description="The stones of the first picture.")] = 0,
    format: Annotated[Literal["svg", "gif"], Query()] = "svg",  # noqa: A002 (name in the query)
) -> Response:
    """Draw the moves of a position one after the other."""
    board = parse_position(position)
    if start > board.ply:
        raise RequestError("bad_request", problem=f"start must be at most {board.ply}, the number of stones")
    draw = render.draw_gif if format == "gif" else render.draw_animated_svg
    async with _DRAWING:
        return Response(await asyncio.to_thread(draw, board, start=start), media_type=_ANIMATIONS[format])


@api.post("/import")
async def import_game(body: ImportRequest) -> schemas.ImportedGame:
    """Read the game in a pasted text."""
    return await asyncio.to_thread(import_text, body.text, body.board)


@api.post("/stones")
async def find_stones(body: StonesRequest) -> schemas.PositionInfo:
    """Find a legal order of moves that leads to the stones of an edited position."""
    board = await asyncio.to_thread(find_position, body.rows, body.cols, body.hole, body.first, body.second)
    return describe_position(board)


@api.get("/explorer")
async def explore_position(
    request: Request, position: PositionQuery, source: Annotated[GameSource | None, Query()] = None
) -> ExplorerInfo:
    """Count the moves that were played at a position in the stored games, with their results."""
    return await _get_services(request).database.run_with_explorer(Explorer.explore, parse_position(position), source)


@api.get("/events")
async def get_events(request: Request) -> schemas.EventList:
    """List the events, newest first."""
    services = _get_services(request)
    return await services.database.run_with_events(list_events, services.matches.running_event)


@api.get("/events/{event}", responses=NOT_FOUND)
async def get_event(request: Request, event: EventPath) -> schemas.EventDetails:
    """Return an event with its standings and games."""
    return await _get_services(request).watcher.describe_event(event)


@api.get("/events/{event}/history", responses=NOT_FOUND)
async def get_ladder_history(request: Request, event: EventPath) -> schemas.LadderHistory:
    """Return how the ratings of a ladder changed."""
    return await _get_services(request).database.run_with_events(describe_history, event)


@api.post("/matches", status_code=201, responses=_BUSY)
async def start_match(request: Request, body: MatchRequest) -> schemas.StartedMatch:
    """Start a match between two engines."""
    return schemas.StartedMatch(event=await _get_services(request).matches.start(body))


@api.delete("/matches/{event}", status_code=204, responses=NOT_FOUND)
async def stop_match(request: Request, event: EventPath) -> None:
    """Stop the match that this server is running."""
    await _get_services(request).matches.stop(event)
