"""Tests of ``fourfall doctor``."""

import json
from pathlib import Path

import pytest

from fourfall.agents import sandbox
from fourfall.agents.sandbox import Protection
from fourfall.cli.doctor import ADVICE, print_report, read_machine
from tests.cli.conftest import Fourfall
from tests.marks import needs_sandbox

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


@needs_sandbox
def test_permissions_of_an_agent(fourfall: Fourfall, tmp_path: Path) -> None:
    """Text and JSON list the agent's files with reasons, its scratch folder, environment and limits."""
    (tmp_path / "bot.py").write_text("raise SystemExit('must not run')")
    (tmp_path / "data").mkdir()
    arguments = ("doctor", "--agent", "python:bot.py?read=data")
    text, report = fourfall(*arguments), json.loads(fourfall(*arguments, "--json").stdout)
    assert (text.returncode, text.stderr) == (0, "")
    permissions = report["permissions"]
    reasons = {row["path"]: row["reason"] for row in permissions["read"]}
    assert reasons[f"{tmp_path}/bot.py"] == "the agent's code"
    assert reasons[f"{tmp_path}/data"] == "option read of the address"
    assert str(tmp_path) not in reasons
    assert permissions["list"] == []
    assert permissions["write"][0]["path"] == permissions["environment"]["HOME"]
    assert permissions["limits"]["open_files"] == 256
    for words in ("may read", "option read of the address", "may write", "scratch folder", "processor time (s)"):
        assert words in text.stdout
    assert "must not run" not in text.stdout


def test_permissions_of_other_addresses(fourfall: Fourfall) -> None:
    """A built-in engine has none; a wrong address is one line of error."""
    assert fourfall("doctor", "--agent", "level-3").stdout == (
        "level-3 is a built-in engine: part of Fourfall, not third-party code.\n"
    )
    assert json.loads(fourfall("doctor", "--agent", "level-3", "--json").stdout)["permissions"] is None
    failed = fourfall("doctor", "--agent", "python:none.py")
    assert (failed.returncode, failed.stderr.count("\n")) == (2, 1)
