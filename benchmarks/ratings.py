"""Measures the rating model: coverage of its intervals in simulations, and time and memory for many games.

python -m benchmarks.ratings coverage [--repeats 400]
python -m benchmarks.ratings residuals [--repeats 200]
python -m benchmarks.ratings speed [--games 10000 100000 1000000]
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from typer.testing import CliRunner

from benchmarks.rating_simulation import make_round_robin, simulate_results, write_simulated_games
from fourfall.arena.rating_input import RatingInput
from fourfall.arena.rating_model import RatingModel, fit_rating_model
from fourfall.arena.rating_summary import UNUSUAL
from fourfall.arena.ratings import ELO_PER_UNIT, Interval
from fourfall.cli import app

_TRUTH_GAMES = 400_000
_NO_DRAWS = 1e-9


@dataclass(frozen=True)
class Setting:
    """A kind of event: pairings of agents with strengths spread evenly over a range in Elo, and its results."""

    name: str
    pairings: list[tuple[int, int]]
    agents: int
    spread: float
    pairs: int
    advantage: float = 0.4
    draws: float = 0.2
    boards: float = 0.0
    anchors: tuple[int, ...] = ()
    is_mixed: bool = False
    """Whether the boards do not matter in games between agents of the stronger half."""

    def simulate(self, pairs: int, source: np.random.Generator) -> RatingInput:
        """Simulate an event with this number of pairs per pairing."""
        strengths = (np.linspace(-0.5, 0.5, self.agents) * self.spread / ELO_PER_UNIT).tolist()
        half = self.agents // 2
        boards = [0.0 if self.is_mixed and min(pairing) >= half else self.boards for pairing in self.pairings]
        return simulate_results(
            strengths, self.pairings, pairs, source, advantage=self.advantage, draws=self.draws, boards=boards
        )


def list_settings() -> Iterator[Setting]:
    """List the settings of the table."""
    for agents, spread in ((2, 200), (3, 200), (6, 800), (12, 1500)):
        name, pairings = f"round robin, {spread} Elo", make_round_robin(agents)
        for pairs in (2, 5, 20):
            yield Setting(name, pairings, agents, spread, pairs)
        yield Setting(name, pairings, agents, spread, 5, advantage=0.0, draws=_NO_DRAWS)
        yield Setting(name, pairings, agents, spread, 5, draws=2.0)
        yield Setting(name, pairings, agents, spread, 5, advantage=1.5, boards=2.0)
    for pairs in (5, 20):
        yield Setting("mixed pairings, 400 Elo", make_round_robin(6), 6, 400, pairs, boards=5.0, is_mixed=True)
    star = [(0, opponent) for opponent in range(1, 11)]
    yield Setting("gauntlet, 800 Elo", star, 11, 800, 10)
    yield Setting("gauntlet, 800 Elo", star, 11, 800, 10, boards=2.0)
    yield Setting("neighbours, 1500 Elo", [(at, at + 1) for at in range(11)], 12, 1500, 10)
    split = [(one, other) for one, other in make_round_robin(8) if (one < 4) == (other < 4)]
    yield Setting("two unconnected sets, 600 Elo", split, 8, 600, 10)
    yield Setting("one anchor, 800 Elo", make_round_robin(6), 6, 800, 5, anchors=(2,))
    yield Setting("two anchors, 800 Elo", make_round_robin(6), 6, 800, 5, anchors=(0, 5))


def measure_coverage(setting: Setting, repeats: int) -> dict[str, list[bool]]:
    """Return whether each interval of simulated events contains the value that the model finds in very many games."""
    source = np.random.default_rng(7)
    free = _fit_truth(setting, source, {})
    anchors = {f"a{at}": free.ratings[f"a{at}"].value for at in setting.anchors}
    truth = free if not anchors else _fit_truth(setting, source, anchors)
    covered: dict[str, list[bool]] = {"rating": [], "difference": [], "advantage": [], "draws": []}
    for _ in range(repeats):
        model = fit_rating_model(setting.simulate(setting.pairs, source), anchors)
        for name, rating in model.ratings.items():
            if name not in anchors:
                covered["rating"].append(_contains(rating, truth.ratings[name].value))
        for names in truth.components:
            for one, other in pairwise(names):
                true = truth.ratings[one].value - truth.ratings[other].value
                covered["difference"].append(_contains(model.compute_difference(one, other), true))
        covered["advantage"].append(_contains(model.first_advantage, truth.first_advantage.value))
        covered["draws"].append(_contains(model.draw_rate, truth.draw_rate.value if setting.draws > _NO_DRAWS else 0.0))
    return covered


def _fit_truth(setting: Setting, source: np.random.Generator, anchors: dict[str, float]) -> RatingModel:
    """Fit the model to so many games that its values count as true."""
    return fit_rating_model(setting.simulate(_TRUTH_GAMES // 2 // len(setting.pairings), source), anchors)


def _contains(interval: Interval, value: float) -> bool:
    return interval.low - 1e-9 <= value <= interval.high + 1e-9


def print_coverage(repeats: int) -> None:
    """Print the coverage of every setting as a Markdown table."""
    print(f"Share of 95 % intervals that contain the true value, in per cent; {repeats} simulated events each.\n")
    print("| agents and pairings | agents | pairs | first-move advantage | draws | boards | ", end="")
    print("ratings | worst agent | differences | worst difference | advantage | draw rate |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for setting in list_settings():
        covered = measure_coverage(setting, repeats)
        drawn = 0.0 if setting.draws == _NO_DRAWS else setting.draws
        options = (f"{value:g}" for value in (setting.advantage, drawn, setting.boards))
        shares = []
        for kind in ("rating", "difference"):
            each = np.array(covered[kind]).reshape(repeats, -1).mean(axis=0)
            shares += [each.mean(), each.min()]
        shares += [np.mean(covered["advantage"]), np.mean(covered["draws"])]
        cells = [setting.name, str(setting.agents), str(setting.pairs), *options]
        print("| " + " | ".join([*cells, *(f"{100 * share:.1f}" for share in shares)]) + " |", flush=True)


def print_residuals(repeats: int) -> None:
    """Print how often a pairing of a simulated event is called unusual although strength alone decides."""
    print(f"Share of {repeats} simulated events in which a pairing has p below 5 %, in per cent.\n")
    print("| agents and pairings | agents | pairs | boards | unusual |")
    print("|---|---|---|---|---|")
    for agents, spread, pairs, boards in (
        (6, 350, 10, 0.0),
        (6, 350, 30, 3.0),
        (12, 1400, 2, 0.0),
        (12, 1400, 10, 0.0),
    ):
        source = np.random.default_rng(7)
        setting = Setting(f"round robin, {spread} Elo", make_round_robin(agents), agents, spread, pairs, boards=boards)
        events = (fit_rating_model(setting.simulate(pairs, source)).list_residuals()[0] for _ in range(repeats))
        share = np.mean([largest.family_probability < UNUSUAL for largest in events])
        print(f"| {setting.name} | {agents} | {pairs} | {boards:g} | {100 * share:.1f} |", flush=True)


def print_speed(sizes: list[int], agents: int) -> None:
    """Print time and peak memory of rating databases of several sizes."""
    print(f"{agents} agents. Processor time in seconds without the start of the interpreter, memory in MiB.\n")
    print("| games | size of the database | read | fit | whole command | elapsed time of the command | peak memory |")
    print("|---|---|---|---|---|---|---|")
    for games in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "arena.db"
            write_simulated_games(path, games, agents)
            size = path.stat().st_size / 2**20
            call = [sys.executable, "-m", "benchmarks.ratings", "rate", str(path)]
            done = subprocess.run(call, capture_output=True, text=True, check=True)
            print(f"| {games} | {size:.0f} | " + " | ".join(done.stdout.split()) + " |", flush=True)


def measure_rate(path: Path) -> None:
    """Print the seconds of reading, fitting and the whole command, its elapsed time, and the peak memory in MiB."""
    start = time.process_time()
    results = RatingInput.from_stores([path])
    read = time.process_time()
    fit_rating_model(results)
    fitted = time.process_time()
    before, wall = time.process_time(), time.perf_counter()
    done = CliRunner().invoke(app, ["rate", str(path)])
    assert done.exit_code == 0, done.output
    command, elapsed = time.process_time() - before, time.perf_counter() - wall
    # The maximum of getrusage would include the parent process, which has written the database.
    [memory] = (line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line)
    print(f"{read - start:.2f} {fitted - read:.2f} {command:.2f} {elapsed:.2f} {int(memory) / 1024:.0f}")


def main() -> None:
    """Run the selected measurement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    coverage = commands.add_parser("coverage", help="coverage of the intervals in simulated events")
    coverage.add_argument("--repeats", type=int, default=400, help="simulated events per setting")
    residuals = commands.add_parser("residuals", help="share of simulated events with results called unusual")
    residuals.add_argument("--repeats", type=int, default=200, help="simulated events per setting")
    speed = commands.add_parser("speed", help="time and memory for databases of simulated games")
    speed.add_argument("--games", type=int, nargs="+", default=[10_000, 100_000, 1_000_000], help="numbers of games")
    speed.add_argument("--agents", type=int, default=50, help="number of agents")
    rate = commands.add_parser("rate", help="time and memory of rating one database")
    rate.add_argument("path", type=Path, help="database")
    arguments = parser.parse_args()
    if arguments.command == "coverage":
        print_coverage(arguments.repeats)
    elif arguments.command == "residuals":
        print_residuals(arguments.repeats)
    elif arguments.command == "speed":
        print_speed(arguments.games, arguments.agents)
    else:
        measure_rate(arguments.path)


if __name__ == "__main__":
    main()
