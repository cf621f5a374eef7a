"""Tests with random and invalid messages: every message gets a reply, and no other page's game changes."""

import json
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fourfall.web.app import Settings
from fourfall.web.errors import ERROR_CODES
from fourfall.web.limits import Limits
from fourfall.web.messages.requests import AnyRequest
from tests.web.conftest import Page, RunningServer, run_in_thread

TYPES = sorted(request.model_fields["type"].annotation.__args__[0] for request in get_args(AnyRequest))
FIELDS = sorted({name for request in get_args(AnyRequest) for name in request.model_fields})
POSITIONS = ["6x7", "6x7:44", "6x7:1212121", "9x9@4,4:5", "12x12:" + "123456789abc" * 12, "0x0", "6x7:8", "6x7@9,9"]
ENGINES = ["fourfall", "level-2", "seed-002", "library:./x.so", "python:os:abort", "program:/bin/false", "../../x.toml"]

any_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
plausible_values: dict[str, st.SearchStrategy[Any]] = {
    "type": st.sampled_from(TYPES),
    "game": st.just("OWN GAME") | st.sampled_from(["a1", "a0", "p" + "A" * 16, "../x", "a" + "9" * 18]),
    "board": st.sampled_from([*POSITIONS, "random"]),
    "position": st.sampled_from(POSITIONS),
    "opponent": st.sampled_from(ENGINES),
    "engine": st.sampled_from(ENGINES),
    "side": st.sampled_from(["first", "second"]),
    "ply": st.integers(0, 12),
    "column": st.integers(-1, 12),
    "time_s": st.sampled_from([0.01, 0.02, None, 1e9, -1]),
    "move_time_s": st.sampled_from([0.01, 0.02, None, 1e9, -1]),
    "simulations": st.sampled_from([1, 50, None, 0, 10**12]),
    "event": st.sampled_from([None, 1, 2**62, 0]),
    "key": st.text(max_size=5),
    "thresholds": st.sampled_from([{"blunder": 0.5}, {"blunder": 2}, {}, None]),
}
random_messages = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES) | any_json},
    optional={name: plausible_values.get(name, any_json) | any_json for name in FIELDS if name != "type"},
)
random_frames = st.text(max_size=60) | st.binary(max_size=60) | any_json.map(json.dumps)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run a server without a limit of the rates of messages and frames."""
    limits = Limits(messages_per_s=1e6, message_burst=10**6, frames_per_s=1e6, frame_burst=10**6, games=50)
    with run_in_thread(Settings(tmp_path_factory.mktemp("fuzz") / "page.db", limits=limits)) as running:
        yield running


@pytest.fixture(scope="module")
def bystander(server: RunningServer) -> Iterator[Page]:
    """Open a page with a game that must not change."""
    with server.open_page() as page:
        page.game = page.request("game", type="new", board="6x7", opponent="level-2")  # type: ignore[attr-defined]
        yield page


@pytest.fixture(scope="module")
def attacker(server: RunningServer) -> Iterator[Page]:
    """Open a page that sends the invalid messages; it has its own game."""
    with server.open_page() as page:
        page.game = page.request("game", type="new", board="6x7", opponent="level-2")  # type: ignore[attr-defined]
        yield page


def check_replies(attacker: Page, bystander: Page) -> None:
    """Check the errors that the attacker receives, and that the bystander's game is unchanged."""
    attacker.send(type="stop")
    attacker.send(type="stop_review")
    attacker.send(type="ping", ref="last")
    while (message := attacker.receive("pong", "error")) != {"type": "pong", "ref": "last"}:
        if message["type"] == "error":
            assert message["code"] in ERROR_CODES
            assert message["code"] not in ("failed", "opponent_failed", "database_failed"), message
            assert "Traceback" not in message["message"]
            assert "\n" not in message["message"]
    game: dict[str, Any] = bystander.game  # type: ignore[attr-defined]
    assert bystander.request("game", type="open", game=game["game"])["moves"] == game["moves"]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(messages=st.lists(random_messages, min_size=1, max_size=8))
def test_random_messages(attacker: Page, bystander: Page, messages: list[dict[str, Any]]) -> None:
    """Messages with valid, invalid, missing and unknown fields get a reply."""
    for message in messages:
        if message.get("game") == "OWN GAME":
            message["game"] = attacker.game["game"]  # type: ignore[attr-defined]
        attacker.connection.send(json.dumps(message))
    check_replies(attacker, bystander)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(frames=st.lists(random_frames, min_size=1, max_size=8))
def test_random_frames(attacker: Page, bystander: Page, frames: list[str | bytes]) -> None:
    """Text and binary frames that are not messages get a reply."""
    for frame in frames:
        attacker.connection.send(frame.encode("utf-8", "replace").decode() if isinstance(frame, str) else frame)
    check_replies(attacker, bystander)


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("", "not JSON: "),
        ("[]", "the input must be an object, not []"),
        ("{}", "type is missing"),
        ('{"type": "nonsense"}', 'type must be one of "new", "open"'),
        ('{"type": "ping", "more": 1}', "unknown key more; similar: ref; allowed: ref, type"),
        ('{"type": "move", "game": "a1", "ply": "0", "column": 1}', "ply must be a whole number"),
        ('{"type": "move", "game": "a1", "ply": 0}', "column is missing"),
        ('{"type": "move", "game": "b1", "ply": 0, "column": 1}', "game must match the pattern ^(p"),
        ('{"type": "new", "move_time_s": NaN}', "move_time_s must be a number"),
        ('{"type": "review"}', "either game or position is required"),
        (
            '{"type": "review", "position": "6x7", "thresholds": {"blunder": 2}}',
            "thresholds.blunder must be a number from 0 to 1, not 2",
        ),
    ],
)
def test_error_names_the_field_and_the_problem(attacker: Page, message: str, problem: str) -> None:
    """The parameter of `bad_message` names the field and what is allowed."""
    attacker.connection.send(message)
    error = attacker.receive("error")
    assert error["code"] == "bad_message"
    assert error["params"]["problem"].startswith(problem)
    assert error["message"] == f"invalid message: {error['params']['problem']}"


def test_error_repeats_the_ref(attacker: Page) -> None:
    """The error of an invalid message has the `ref` of the message."""
    attacker.connection.send('{"type": "nonsense", "ref": "r7"}')
    assert attacker.receive("error")["ref"] == "r7"
