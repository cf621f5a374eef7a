"""Tests of ``fourfall doctor``."""

import json

import pytest

from fourfall.agents import sandbox
from fourfall.agents.sandbox import Protection
from fourfall.cli.doctor import ADVICE, print_report, read_machine
from tests.cli.conftest import Fourfall

STRONG = sandbox.detect_protections()


def test_report_agrees_with_the_sandbox(fourfall: Fourfall) -> None:
    """Exit code, text and JSON agree with the protections that the sandbox reports."""
    result = fourfall("doctor")
    report = json.loads(fourfall("doctor", "--json").stdout)
    accepted = not sandbox.find_missing_protections()
    assert result.returncode == (0 if accepted else 1)
    assert ("Third-party code is sandboxed" in result.stdout) is accepted
    assert report["third_party_code_accepted"] is accepted
    assert [row["name"] for row in report["protections"]] == list(ADVICE)
    assert report["machine"]["cores"] >= 1


@pytest.mark.parametrize("name", ADVICE)
def test_missing_protection_is_listed_with_advice(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table marks a missing protection and prints advice; without an essential one third-party code is refused."""
    essential = next(protection.is_essential for protection in STRONG if protection.name == name)
    weak = tuple(Protection(found.name, found.name != name, found.is_essential, "as tried") for found in STRONG)
    monkeypatch.setattr(sandbox, "detect_protections", lambda: weak)
    print_report(sandbox.detect_protections(), read_machine())
    output = " ".join(capsys.readouterr().out.split())
    assert f"{name} {'MISSING' if essential else 'no'} " in output
    assert f"{name}: {ADVICE[name][1]}" in output
    assert ("is refused" in output) is bool(sandbox.find_missing_protections()) is essential
