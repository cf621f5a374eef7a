"""Owns the message fuzzer: whatever a page sends, it gets an answer, and nobody else's game is hurt."""

import json
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fourfall.web.app import Settings
from fourfall.web.limits import Limits
from fourfall.web.refusal import CODES
from fourfall.web.requests import AnyRequest
from tests.web.conftest import Page, Served, serving

TYPES = sorted(request.model_fields["type"].annotation.__args__[0] for request in get_args(AnyRequest))
FIELDS = sorted({name for request in get_args(AnyRequest) for name in request.model_fields})
POSITIONS = ["6x7", "6x7:44", "6x7:1212121", "9x9@4,4:5", "12x12:" + "123456789abc" * 12, "0x0", "6x7:8", "6x7@9,9"]
ENGINES = ["fourfall", "level-1", "seed-002", "library:./x.so", "python:os:abort", "program:/bin/false", "../../x.toml"]

anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
sensible: dict[str, st.SearchStrategy[Any]] = {
    "type": st.sampled_from(TYPES),
    "game": st.just("THE GAME") | st.sampled_from(["a1", "a0", "p" + "A" * 16, "../x", "a" + "9" * 18]),
    "board": st.sampled_from([*POSITIONS, "random"]),
    "position": st.sampled_from(POSITIONS),
    "opponent": st.sampled_from(ENGINES),
    "engine": st.sampled_from(ENGINES),
    "side": st.sampled_from(["first", "second"]),
    "ply": st.integers(0, 12),
    "column": st.integers(-1, 12),
    "time_s": st.sampled_from([0.01, 0.02, None, 1e9, -1]),
    "nodes": st.sampled_from([1, 50, None, 0, 10**12]),
    "event": st.sampled_from([None, 1, 2**62, 0]),
    "key": st.text(max_size=5),
    "thresholds": st.sampled_from([{"blunder": 0.5}, {"blunder": 2}, {}, None]),
}
request = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES) | anything},
    optional={name: sensible.get(name, anything) | anything for name in FIELDS if name != "type"},
)
raw = st.text(max_size=60) | st.binary(max_size=60) | anything.map(json.dumps)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve messages that come as fast as they can."""
    limits = Limits(messages_per_s=1e6, message_burst=10**6, games=50)
    with serving(Settings(tmp_path_factory.mktemp("fuzz") / "page.db", limits=limits)) as served:
        yield served


@pytest.fixture(scope="module")
def bystander(server: Served) -> Iterator[Page]:
    """Let somebody play a game meanwhile."""
    with server.page() as page:
        page.game = page.ask("game", type="new", board="6x7", opponent="level-1")  # type: ignore[attr-defined]
        yield page


@pytest.fixture(scope="module")
def attacker(server: Served) -> Iterator[Page]:
    """Let somebody send anything, with a game of his own to spoil."""
    with server.page() as page:
        page.game = page.ask("game", type="new", board="6x7", opponent="level-1")  # type: ignore[attr-defined]
        yield page


def survives(attacker: Page, bystander: Page) -> None:
    """Read what the attacker was told, and see that the bystander's game is as it was."""
    attacker.say(type="stop")
    attacker.say(type="stop_review")
    attacker.say(type="ping", ref="still there?")
    while (message := attacker.hear("pong", "error")) != {"type": "pong", "ref": "still there?"}:
        if message["type"] == "error":
            assert message["code"] in CODES
            assert message["code"] != "failed", message
            assert "Traceback" not in message["message"]
            assert "\n" not in message["message"]
    game: dict[str, Any] = bystander.game  # type: ignore[attr-defined]
    assert bystander.ask("game", type="open", game=game["game"])["moves"] == game["moves"]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(messages=st.lists(request, min_size=1, max_size=8))
def test_any_message_is_answered(attacker: Page, bystander: Page, messages: list[dict[str, Any]]) -> None:
    """Messages with every field right, wrong, missing or made up."""
    for message in messages:
        if message.get("game") == "THE GAME":
            message["game"] = attacker.game["game"]  # type: ignore[attr-defined]
        attacker.connection.send(json.dumps(message))
    survives(attacker, bystander)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(frames=st.lists(raw, min_size=1, max_size=8))
def test_any_frame_is_answered(attacker: Page, bystander: Page, frames: list[str | bytes]) -> None:
    """Frames that are no messages at all, text and bytes."""
    for frame in frames:
        attacker.connection.send(frame.encode("utf-8", "replace").decode() if isinstance(frame, str) else frame)
    survives(attacker, bystander)


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        ("", "JSON"),
        ("[]", "object"),
        ("{}", "discriminator"),
        ('{"type": "nonsense"}', "nonsense"),
        ('{"type": "ping", "more": 1}', "more: Extra inputs are not permitted"),
        ('{"type": "move", "game": "a1", "ply": "0", "column": 1}', "ply: Input should be a valid integer"),
        ('{"type": "move", "game": "a1", "ply": 0}', "column: Field required"),
        ('{"type": "new", "time_s": NaN}', "time_s"),
        ('{"type": "review"}', "a review is of a game or of a position"),
    ],
)
def test_what_is_wrong_is_named(attacker: Page, message: str, complaint: str) -> None:
    """The complaint names the field and what is allowed."""
    attacker.connection.send(message)
    error = attacker.hear("error")
    assert error["code"] == "bad_message"
    assert complaint in error["message"]


def test_the_error_finds_its_way_back(attacker: Page) -> None:
    """A wrong message with a ref is answered with the ref."""
    attacker.connection.send('{"type": "nonsense", "ref": "r7"}')
    assert attacker.hear("error")["ref"] == "r7"
