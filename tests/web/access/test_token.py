"""Tests the token: its file, its minimum length, and the limit of wrong tokens over HTTP and websockets."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.datastructures import Headers
from websockets.exceptions import InvalidStatus

from fourfall.web.access.token import (
    ENVIRONMENT_VARIABLE,
    TokenCheck,
    TokenError,
    read_token_file,
    take_environment_token,
)
from fourfall.web.app import Settings
from fourfall.web.errors import RequestError
from fourfall.web.limits import Limits
from tests.marks import needs_file_modes
from tests.web.conftest import RunningServer, run_in_thread

TOKEN = "correct-horse-battery"  # noqa: S105
ATTEMPTS = 3


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[RunningServer]:
    """Run a server that locks a client after three wrong tokens."""
    limits = Limits(token_attempts=ATTEMPTS, token_lock_s=60)
    with run_in_thread(Settings(tmp_path / "page.db", token=TOKEN, limits=limits)) as running:
        yield running


def try_websocket(server: RunningServer, token: str, source: str = "127.0.0.1") -> int:
    """Open a websocket with a token; return the status of the response."""
    headers = {"Authorization": f"Bearer {token}"}
    try:
        with server.open_page(additional_headers=headers, source_address=(source, 0)):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


def test_wrong_tokens_over_http_and_websockets_lock_the_client(guarded: RunningServer) -> None:
    """Attempts of both kinds count together; then even the right token is refused, with the time to wait."""
    assert guarded.request("/?token=wrong")[0] == 401
    assert guarded.request("/api/engines", headers={"Authorization": "Bearer wrong"})[0] == 401
    assert try_websocket(guarded, "wrong") == 401
    status, body, headers = guarded.request("/api/engines", headers={"Authorization": f"Bearer {TOKEN}"})
    assert (status, body["code"]) == (429, "too_many_attempts")
    assert 0 < body["params"]["seconds"] <= 60
    assert headers["Retry-After"] == str(body["params"]["seconds"])
    assert try_websocket(guarded, TOKEN) == 429
    assert try_websocket(guarded, TOKEN, source="127.0.0.2") == 101


def test_page_with_the_cookie_works_while_its_address_is_locked(guarded: RunningServer) -> None:
    """Another program on the same address cannot lock out a page that is open; the cookie is not the token."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    cookie = TokenCheck(TOKEN, Limits()).set_cookie.partition(";")[0]
    assert TOKEN not in cookie
    for _ in range(ATTEMPTS):
        guarded.request("/?token=wrong")
    assert guarded.request("/", headers=headers)[0] == 429
    assert guarded.request("/", headers={"Cookie": cookie})[0] == 200
    with guarded.open_page(additional_headers={"Cookie": cookie}) as page:
        assert page.request("pong", type="ping")["type"] == "pong"


def test_requests_without_a_token_are_not_attempts(guarded: RunningServer) -> None:
    """A page whose cookie is outdated repeats its requests without locking its address."""
    for _ in range(2 * ATTEMPTS):
        assert guarded.request("/")[0] == 401
        assert guarded.request("/", headers={"Cookie": "fourfall_session=outdated"})[0] == 401
    assert guarded.request("/", headers={"Authorization": f"Bearer {TOKEN}"})[0] == 200


def try_token(check: TokenCheck, token: str, now: float) -> str:
    """Check a token at a time; return the error code."""
    scope = {"type": "http", "query_string": f"token={token}".encode()}
    try:
        check.check("192.0.2.7", scope, Headers(), now)
    except RequestError as error:
        return str(error)
    return ""


def test_lock_doubles_with_each_further_wrong_token_and_is_forgotten() -> None:
    """The lock grows from 1 s to at most 5 minutes; after a long time without wrong tokens it starts anew."""
    check = TokenCheck(TOKEN, Limits(token_attempts=2, token_lock_s=1, token_memory_s=900))
    now, waits = 0.0, []
    assert "needs a token" in try_token(check, "wrong", now)
    for _ in range(12):
        assert "needs a token" in try_token(check, "wrong", now)
        message = try_token(check, TOKEN, now)
        waits.append(int(message.split()[-2]))
        now += waits[-1]
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
    assert try_token(check, TOKEN, now) == ""
    now += 1000
    assert "needs a token" in try_token(check, "wrong", now)
    assert try_token(check, TOKEN, now) == ""


def test_several_tokens_in_one_request_are_refused() -> None:
    """A request cannot carry many guesses."""
    check = TokenCheck(TOKEN, Limits())
    assert "needs a token" in try_token(check, f"wrong&token={TOKEN}", 0.0)


@needs_file_modes
def test_token_file_is_created_for_its_owner_only(tmp_path: Path) -> None:
    """A missing file is created with a random token, which the next start reads again."""
    path = tmp_path / "page.token"
    token = read_token_file(path)
    assert len(token) == 24
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_token_file(path) == token
    assert read_token_file(tmp_path / "other.token") != token


@pytest.mark.parametrize(
    ("content", "mode", "problem"),
    [
        pytest.param(
            b"0123456789abcdef\n",
            0o644,
            "other users can read or change the token: run chmod 600",
            marks=needs_file_modes,
        ),
        pytest.param(b"0123456789abcdef\n", 0o620, "other users can read or change the token", marks=needs_file_modes),
        (b"short\n", 0o600, "the token has 5 characters; it must have 16 to 200"),
        (b"", 0o600, "the token has 0 characters"),
        (b"x" * 1000, 0o600, "it must have 16 to 200"),
        (b"two lines of\ntext, not one", 0o600, "only ASCII characters, in one line"),
        (b"\xff" * 20, 0o600, "not UTF-8"),
    ],
)
def test_invalid_token_files(tmp_path: Path, content: bytes, mode: int, problem: str) -> None:
    """The error names the file and says what to do."""
    path = tmp_path / "page.token"
    path.write_bytes(content)
    path.chmod(mode)
    with pytest.raises(TokenError, match=problem) as caught:
        read_token_file(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_token_file_in_a_missing_folder(tmp_path: Path) -> None:
    """The error says that the file cannot be created."""
    with pytest.raises(TokenError, match="cannot create the token file: No such file"):
        read_token_file(tmp_path / "missing" / "page.token")


def test_environment_token_is_removed_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Child processes, such as third-party agents, do not inherit the token."""
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, TOKEN)
    assert take_environment_token() == TOKEN
    assert ENVIRONMENT_VARIABLE not in os.environ
    assert take_environment_token() is None
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, "short")
    with pytest.raises(TokenError, match="FOURFALL_TOKEN: the token has 5 characters"):
        take_environment_token()
