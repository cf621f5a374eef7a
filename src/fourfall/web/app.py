"""Creates the FastAPI application: HTTP routes, websocket, static files, error handlers and middleware."""

import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException

from fourfall import __version__
from fourfall.arena.database import StoreError, StoreFailure
from fourfall.validation import describe_first_mistake
from fourfall.web.access.clients import ClientCounter, identify_client
from fourfall.web.errors import RequestError
from fourfall.web.limits import Limits
from fourfall.web.messages.schemas import ErrorInfo
from fourfall.web.middleware import AccessMiddleware
from fourfall.web.puzzles import puzzles_api
from fourfall.web.routes import api
from fourfall.web.services import start_services
from fourfall.web.static_files import StaticSite
from fourfall.web.websocket import CLOSE_TRY_AGAIN_LATER, PageConnection, convert_error

log = logging.getLogger(__name__)

STATIC_FOLDER = Path(__file__).parent / "static"


@dataclass(frozen=True)
class Settings:
    """Settings of a server.

    Attributes:
        database: path of the database, which is created if it does not exist.
        agents: addresses of third-party agents that requests may name.
        token: secret that every request must carry; None: no secret.
        is_local: whether only requests for a host name of this machine are accepted.
        limits: limits of requests and resources.
        sandbox: whether third-party agents run in the sandbox.
    """

    database: Path
    agents: Sequence[str] = ()
    token: str | None = None
    is_local: bool = True
    limits: Limits = Limits()  # noqa: RUF009 (frozen)
    sandbox: bool = True


def create_app(settings: Settings) -> FastAPI:
    """Create the application; its services start when it starts."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        running = start_services(settings.database, settings.agents, settings.limits, sandbox=settings.sandbox)
        async with running as services:
            app.state.services = services
            app.state.websockets = ClientCounter(settings.limits.websockets, settings.limits.client_websockets)
            yield

    app = FastAPI(
        title="Fourfall",
        version=__version__,
        description="HTTP interface of the web page; docs/page.md also describes the websocket messages.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.include_router(api)
    app.include_router(puzzles_api)
    app.add_api_websocket_route("/ws", _serve_websocket)
    app.mount("/", StaticSite(STATIC_FOLDER))
    app.add_exception_handler(RequestError, _handle_request_error)
    app.add_exception_handler(RequestValidationError, _handle_validation_error)
    app.add_exception_handler(HTTPException, _handle_http_exception)
    app.add_exception_handler(StoreError, _handle_database_error)
    app.add_exception_handler(StoreFailure, _handle_database_error)
    app.add_middleware(AccessMiddleware, token=settings.token, is_local=settings.is_local, limits=settings.limits)
    return app


async def _serve_websocket(websocket: WebSocket) -> None:
    state, client = websocket.app.state, identify_client(websocket.scope.get("client"))
    if not state.websockets.enter(client):
        await websocket.accept()
        await websocket.close(CLOSE_TRY_AGAIN_LATER, "too many connections")
        return
    try:
        await PageConnection(websocket, state.services).run()
    finally:
        state.websockets.leave(client)


def _create_response(error: RequestError) -> JSONResponse:
    # The rest of a body that is too slow must not be waited for.
    headers = {"Connection": "close"} if error.code == "too_slow" else None
    return JSONResponse(ErrorInfo.from_error(error).model_dump(), error.status, headers)


async def _handle_request_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestError)  # noqa: S101 (registered for this class)
    return _create_response(error)


async def _handle_validation_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 (registered for this class)
    # A location begins with the part of the request, which is not a field.
    errors = [{**each, "loc": each["loc"][1:]} for each in error.errors()]
    problem = describe_first_mistake(cast("list[ErrorDetails]", errors), syntax="json")
    return _create_response(RequestError("bad_request", problem=problem))


async def _handle_http_exception(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 (registered for this class)
    if isinstance(error.__cause__, RequestError):  # from the middleware, while the body was read
        return _create_response(error.__cause__)
    if error.status_code == 404:
        response = _create_response(RequestError("not_found", path=request.url.path))
    else:
        response = _create_response(RequestError("bad_request", problem=f"{request.method}: {error.detail}"))
        response.status_code = error.status_code
    response.headers.update(error.headers or {})
    return response


async def _handle_database_error(_: Request, error: Exception) -> JSONResponse:
    log.error("%s", error)
    return _create_response(convert_error(error))
