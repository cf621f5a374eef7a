"""Rates a bot: plays a quick gauntlet against the levels of Fourfall and prints the level of the bot.

The bot is a Python file with a function `play(board, limit)`; examples/my_bot.py is one to start from. Run it with:

    python examples/rate_your_bot.py
    python examples/rate_your_bot.py --bot path/to/bot.py --games 100

Any other agent can be rated too: --bot library:./bot.so, --bot "program:./bot" (docs/agents.md). The bot runs in the
sandbox, in a process of its own. The opponents are chosen game by game, so that each tells as much as possible. The
command `fourfall gauntlet python:bot.py --quick` does the same with a progress display.
"""

import argparse
from contextlib import closing
from pathlib import Path

from fourfall.agents.levels import LEVELS
from fourfall.agents.registry import AddressError, check_address, is_third_party
from fourfall.agents.sandbox import find_missing_protections
from fourfall.arena.cores import find_free_cores
from fourfall.arena.event_runner import run_event
from fourfall.arena.grading import find_start_failure, format_level_estimate, get_opponent
from fourfall.arena.quick_gauntlet import QuickSchedule, make_quick_spec
from fourfall.arena.record import GameRecord
from fourfall.arena.spec import Entrant, Spec, SpecError
from fourfall.arena.store import Store, StoreError, StoreFailure
from fourfall.arena.tables import replace_control_characters

BOT = Path(__file__).with_name("my_bot.py")


def rate_bot(spec: Spec, games: int, database: Path, workers: int | None) -> None:
    """Play the games and print each result, then the level of the bot."""
    bot = spec.groups[0].challengers[0]
    schedule = QuickSchedule(spec, games)
    played: list[GameRecord] = []
    with Store(database) as store:
        event = store.create_event(spec, games)
        with closing(run_event(store, event, find_free_cores()[:workers], games=schedule)) as records:
            for record in records:
                schedule.add(record)
                played.append(record)
                print(f"{len(played)} of {games}: {describe_result(record, bot)}", flush=True)
                if (failed := find_start_failure(played, bot)) is not None:
                    raise SystemExit(f"The bot makes no move. Find out why with: {failed.reproducer}")
    print(f"Strength of your bot: {format_level_estimate(schedule.posterior.estimate())}")
    print(f"Report about its games: fourfall report {database} --event {event} --html report.html")


def describe_result(record: GameRecord, bot: str) -> str:
    """Return the opponent and the result of a game, and the reason if the bot failed."""
    seat = record.names.index(bot)
    result = {1: "won", 0.5: "draw", 0: "lost"}[record.get_points(seat)]
    failure = f" ({record.ending}: {record.detail})" if record.culprit == seat else ""
    return replace_control_characters(f"{result} against {get_opponent(record, bot)}{failure}")


def main() -> None:
    """Run the example."""
    parser = argparse.ArgumentParser(description="Find the level of a bot.")
    parser.add_argument("--bot", default=str(BOT), help="Python file or address of the bot (default: my_bot.py)")
    parser.add_argument("--games", type=int, default=60, help="number of games, even (default: 60)")
    parser.add_argument("--time", type=float, default=1.0, help="time per move in seconds (default: 1)")
    parser.add_argument("--workers", type=int, help="games played at the same time (default: one per free core)")
    parser.add_argument("--seed", type=int, default=0, help="random seed of boards and levels (default: 0)")
    parser.add_argument("--db", type=Path, default=Path("arena.db"), help="database (default: arena.db)")
    parser.add_argument("--no-sandbox", action="store_true", help="run the bot without protection; only your own code")
    arguments = parser.parse_args()
    if arguments.games < 2 or arguments.games % 2 == 1:
        parser.error("--games must be even and at least 2")
    address = arguments.bot if is_address(arguments.bot) else f"python:{Path(arguments.bot).absolute()}"
    try:
        check_address(address)
        bot = Entrant(Path(arguments.bot).stem, address, arguments.time)
        spec = Spec.gauntlet(bot, list(LEVELS), pairs=1, seed=arguments.seed, sandbox=not arguments.no_sandbox)
    except (AddressError, SpecError) as error:
        parser.error(str(error))
    if spec.sandbox and is_third_party(address) and find_missing_protections():
        parser.error("this machine lacks protections of the sandbox (fourfall doctor lists them); use --no-sandbox")
    try:
        rate_bot(make_quick_spec(spec, arguments.games), arguments.games, arguments.db, arguments.workers)
    except (StoreError, StoreFailure) as error:
        raise SystemExit(str(error)) from None
    except KeyboardInterrupt:
        raise SystemExit("Stopped; the finished games are stored.") from None


def is_address(text: str) -> bool:
    """Return whether a text is an address rather than the path of a Python file."""
    return not text.endswith(".py") or ":" in text


if __name__ == "__main__":
    main()
