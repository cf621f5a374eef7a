"""Owns the application: the house behind the API, the websocket and the page's files, with the guard before them."""

import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from fourfall import __version__
from fourfall.arena.database import StoreError, StoreFailure
from fourfall.web.connection import TRY_AGAIN_LATER, Connection
from fourfall.web.house import House, opened
from fourfall.web.limits import Limits
from fourfall.web.refusal import Refusal
from fourfall.web.routes import api
from fourfall.web.safety import Guard

log = logging.getLogger(__name__)

STATIC = Path(__file__).parent / "static"


@dataclass(frozen=True)
class Settings:
    """How a server was started."""

    database: Path
    agents: Sequence[str] = ()
    token: str | None = None
    local: bool = True
    limits: Limits = Limits()  # noqa: RUF009 (frozen)


def create_app(settings: Settings) -> FastAPI:
    """Put the server together; it opens its database when it starts."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with opened(settings.database, settings.agents, settings.limits) as house:
            app.state.house = house
            app.state.connections = 0
            yield

    app = FastAPI(
        title="Fourfall",
        version=__version__,
        description="The HTTP part of the page; docs/page.md describes it with the messages of the websocket.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.include_router(api)
    app.add_api_websocket_route("/ws", _talk)
    app.mount("/", StaticFiles(directory=STATIC, html=True, check_dir=False))
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(StoreError, _failed)
    app.add_exception_handler(StoreFailure, _failed)
    app.add_middleware(Guard, token=settings.token, local=settings.local, limits=settings.limits)
    return app


async def _talk(websocket: WebSocket) -> None:
    state = websocket.app.state
    house: House = state.house
    if state.connections >= house.limits.connections:
        await websocket.accept()
        await websocket.close(TRY_AGAIN_LATER, "too many pages are open")
        return
    state.connections += 1
    try:
        await Connection(websocket, house).run()
    finally:
        state.connections -= 1


def _error(refusal: Refusal) -> JSONResponse:
    return JSONResponse({"code": refusal.code, "message": str(refusal)}, refusal.status)


async def _refused(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refusal)  # noqa: S101 (registered for it)
    return _error(error)


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    return _error(Refusal("bad_request", " ".join(f"{where}: {first['msg']}".split())[:300]))


async def _http(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101
    if isinstance(error.__cause__, Refusal):  # a body that grew too large while it was read
        return _error(error.__cause__)
    code = "not_found" if error.status_code == 404 else "bad_request"
    body = {"code": code, "message": str(error.detail)}
    return JSONResponse(body, error.status_code, headers=dict(error.headers or {}))


async def _failed(_: Request, error: Exception) -> JSONResponse:
    log.error("%s", error)
    return _error(Refusal("failed", str(error)))
