"""Tests that need Linux: other systems do not collect them."""

from pathlib import Path

TESTS = Path(__file__).parent
LINUX_ONLY = {
    "agents": "the sandbox and the native host exist only on Linux",
    "arena/test_compete.py": "strategy libraries need the native host",
    "arena/test_event_runner.py": "worker processes are killed by signals",
    "arena/test_fairness.py": "processes are pinned, stopped and measured with the means of Linux",
    "arena/test_ladder.py": "worker processes play third-party agents in the sandbox",
    "arena/test_live_games.py": "worker processes play third-party agents in the sandbox",
    "arena/test_misbehaving_agents.py": "the sandbox exists only on Linux",
    "arena/test_store.py": "processes are killed by signals, and files belong to other users",
    "attack": "the sandbox exists only on Linux",
    "cli": "a server of the tests forks a process for each command",
    "cluster": "processes of a cluster are stopped and killed by signals",
    "docs": "the commands of the documentation are those of a shell",
    "ecosystem": "the frameworks have environments of their own, which make creates",
    "examples": "the commands are those of a shell",
    "experiments": "strategy libraries need the native host",
    "fuzz": "the fuzzers are compiled with make",
    "game/test_board_batch.py": "a test forks a process",
    "kits": "starter kits are built with make and run in the sandbox",
    "programs": "exported strategy libraries need the native host",
    "report/test_files.py": "a test depends on the rights of the user",
    "report/test_report_in_browser.py": "needs Chromium",
    "search/test_memory.py": "memory is measured with the means of Linux",
    "site": "the page without a server is built with make",
    "test_container.py": "needs a Dockerfile and a shell",
    "test_svg_in_browser.py": "needs Chromium",
    "training": "the training runs on Linux",
    "tutorial": "the commands are those of a shell",
    "ugi": "processes are measured with the means of Linux",
    "web/access/test_protocols.py": "memory is measured with the means of Linux",
    "web/browser": "needs Chromium",
    "web/events": "strategy libraries need the native host",
    "wheels": "the wheels are those of Linux",
}
"""Folders and files of tests with the reason why they need Linux."""


def find_reason(path: Path) -> str | None:
    """Return why a folder or file of tests needs Linux, or None."""
    if not path.is_relative_to(TESTS):
        return None
    inside = path.relative_to(TESTS)
    for place in (inside, *inside.parents):
        if place.as_posix() in LINUX_ONLY:
            return LINUX_ONLY[place.as_posix()]
    return None
