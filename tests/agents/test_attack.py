"""Tests a part of the attack campaign: the quick attempts of libraries and programs. ``make attack`` runs all of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fourfall.agents import sandbox
from tests.agents.conftest import HostileAgents
from tests.attack.attempts import BATTERIES
from tests.attack.campaign import Campaign, prepare_campaign
from tests.attack.levels import FULL, NO_LANDLOCK, NO_NAMESPACES, NO_SANDBOX, NO_SECCOMP, Level, list_levels
from tests.marks import needs_sandbox

pytestmark = needs_sandbox


@pytest.fixture
def campaign(tmp_path: Path, hostile: HostileAgents) -> Iterator[Campaign]:
    """Prepare the hostile agents."""
    with prepare_campaign(tmp_path, hostile) as campaign:
        yield campaign


@pytest.mark.parametrize(
    ("level", "kind", "least"),
    [
        (FULL, "library", 170),
        (FULL, "program", 170),
        (NO_NAMESPACES, "library", 170),
        (NO_NAMESPACES, "program", 170),
        (NO_LANDLOCK, "library", 1),
        (NO_SECCOMP, "program", 1),
        (NO_SANDBOX, "program", 10),
    ],
    ids=lambda value: value.name if isinstance(value, Level) else str(value),
)
def test_attempts_end_as_expected(campaign: Campaign, level: Level, kind: str, least: int) -> None:
    """Every attempt to leave the sandbox is refused, and what is allowed on purpose works."""
    if level not in list_levels():
        pytest.skip("this machine lacks namespaces")
    results = list(campaign.attack(level, [kind], behaves=False))
    assert [result for result in results if not result.is_expected] == []
    assert len(results) > least


def test_a_difference_is_found(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the host did not set up the sandbox, the campaign would report it."""
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", ("--no-sandbox",))
    files = next(battery for battery in BATTERIES if battery.subject == "files")
    results = {result.name: result for result in campaign._try_battery(FULL, "program", files)}
    secret = results[str(campaign.surroundings.secret)]
    assert (secret.expected, secret.found, secret.is_expected) == ("refused", "allowed", False)
