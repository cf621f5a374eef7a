"""Options that make the commands of the documentation quick, and the exit codes that the commands document.

The options come after those of the page and replace them, so that a command takes a fraction of a second.
"""

import re
from itertools import pairwise

from tests.docs.commands import Command

_NO_SANDBOX = ("--no-sandbox",)
_QUICK_GAMES = ("--games", "2", "--workers", "1", *_NO_SANDBOX)
_SMALL_BOARD = ("--board", "4x4")

# Agents that use all their time; the others answer at once and get a time that is enough on a busy machine.
_TIMED_AGENT = re.compile(r"fourfall|seed|mine\.toml|kaggle:submission|ugi:")

PLAYING = {("compare",), ("gauntlet",), ("ladder", "run"), ("match",), ("tournament",), ("watch-bot",)}
"""Commands that play games and print how many an agent lost by a failure."""

WAITING = {("play",), ("platform",), ("puzzles",), ("serve",), ("ugi",)}
"""Commands that wait for a person or a client; test_waiting_commands.py starts them, talks to them and stops them."""

_TOY_OPTIONS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("analyse",): ("--time", "0.02"),
    ("ask",): ("--time", "10", *_NO_SANDBOX),
    ("board",): (),
    ("compare",): (*_QUICK_GAMES, *_SMALL_BOARD, "--positions", "1", "--analysis-time", "0.05"),
    ("compete",): _NO_SANDBOX,
    ("dataset", "check"): ("--count", "2", "--workers", "1"),
    ("dataset", "info"): (),
    ("dataset", "make"): ("--count", "8", "--workers", "1"),
    ("doctor",): (),
    ("engines",): (),
    ("engines", "show"): (),
    ("events",): (),
    ("experiments", "list"): (),
    ("experiments", "run"): ("--quick", "--workers", "1", *_NO_SANDBOX),
    ("experiments", "show"): (),
    ("explain",): (),
    ("export", "games"): (),
    ("export", "kaggle"): (),
    ("export", "library"): (),
    ("export", "onnx"): (),
    ("export", "platform"): (),
    ("games",): (),
    ("gauntlet",): _QUICK_GAMES,
    ("import",): (),
    ("ladder", "add"): ("--time", "0.01"),
    ("ladder", "remove"): (),
    ("ladder", "resume"): (),
    ("ladder", "run"): ("--games", "2", "--workers", "1", *_NO_SANDBOX),
    ("ladder", "show"): (),
    ("match",): _QUICK_GAMES,
    ("new",): (),
    ("puzzles", "make"): ("--count", "2"),
    ("rate",): (),
    ("report",): ("--analysis-time", "0"),
    ("show",): ("--time", "0.01"),
    ("solve",): ("--time", "0.1"),
    ("tournament",): ("--workers", "1", *_NO_SANDBOX),
    ("watch-bot",): ("--once", "--pairs", "1", "--time", "0.1", "--workers", "1", *_NO_SANDBOX),
}


def get_toy_options(command: Command) -> tuple[str, ...]:
    """Return the options with which a command is run."""
    assert command.path in _TOY_OPTIONS, f"add options that make this command quick to toy_options.py: {command}"
    options = _TOY_OPTIONS[command.path]
    if command.path in {("compare",), ("gauntlet",), ("match",)}:
        options += ("--time", "0.02" if any(map(_TIMED_AGENT.match, command.words[1:])) else "10")
    if command.path in {("match",), ("gauntlet",)} and "--board" not in command.words:
        options += _SMALL_BOARD
    if command.path == ("gauntlet",) and not {"--quick", "--field"} & set(command.words):
        options += ("--field", "level-2")
    if command.path == ("experiments", "run") and "census" in command.words:
        options += ("--max-cells", "16")
    if command.path == ("dataset", "make"):
        labels = {label for word, label in pairwise(command.words) if word == "--label"} or {"solver"}
        options += ("--positions", "1000") if "solver" in labels else ()
        options += ("--simulations", "10") if "engine" in labels else ()
    if "--move" in command.words:
        options += ("--move", "2")
    return options


def list_toy_words(command: Command) -> list[str]:
    """Return the words with which a command is run, with its toy options.

    A cluster on this machine gets one worker. The tests have no scheduler of another address, so such a command is run
    without it.
    """
    words, options = list(command.words), list(get_toy_options(command))
    if "--cluster" not in words:
        return words + options
    at = words.index("--cluster")
    if not words[at + 1].startswith("local:"):
        return words[:at] + words[at + 2 :] + options
    if "--workers" in options:
        options = options[: options.index("--workers")] + options[options.index("--workers") + 2 :]
    return [*words, *options, "--cluster", "local:1"]


def list_exit_codes(command: Command) -> set[int]:
    """Return the exit codes of success: of a comparison the three decisions of its test."""
    return {0, 3, 4} if command.path == ("compare",) else {0}
