"""Owns the tests of doctor."""

import json

import pytest

from fourfall.agents import sandbox
from fourfall.agents.sandbox import Protection
from fourfall.cli.doctor import ADVICE, examine, show
from tests.cli.conftest import Fourfall

STRONG = sandbox.detect_protections()


def test_it_says_whether_foreign_code_is_accepted(fourfall: Fourfall) -> None:
    """The exit code, the words and the JSON agree with what the sandbox finds."""
    result = fourfall("doctor")
    report = json.loads(fourfall("doctor", "--json").stdout)
    accepted = not sandbox.missing_protections()
    assert result.returncode == (0 if accepted else 1)
    assert ("Foreign code is accepted and jailed" in result.stdout) is accepted
    assert report["foreign_code_accepted"] is accepted
    assert [row["name"] for row in report["protections"]] == list(ADVICE)
    assert report["machine"]["cores"] >= 1


@pytest.mark.parametrize("name", ADVICE)
def test_what_is_missing_comes_with_advice(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without any one protection the table says so, and what to do; without an essential one all is refused."""
    essential = next(protection.essential for protection in STRONG if protection.name == name)
    weak = tuple(Protection(found.name, found.name != name, found.essential, "as tried") for found in STRONG)
    monkeypatch.setattr(sandbox, "detect_protections", lambda: weak)
    show(sandbox.detect_protections(), examine())
    told = " ".join(capsys.readouterr().out.split())
    assert f"{name} {'MISSING' if essential else 'no'} " in told
    assert f"{name}: {ADVICE[name][1]}" in told
    assert ("is refused" in told) is bool(sandbox.missing_protections()) is essential
