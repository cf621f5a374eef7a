"""Owns the settled set: late positions whose every column the solver has settled, to test what engines make of them.

python benchmarks/settled.py make [--slots 2336] [--jobs 1]
python benchmarks/settled.py measure --preset seed-004-v17 [--time 0.2] [--every 1] [--jobs 1]
"""

import argparse
import multiprocessing
import random
import statistics
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from fourfall import Analysis, Board, Engine, Limit, Score, Solver, presets

FILE = Path(__file__).with_name("settled.txt")
SIZES = [(rows, cols) for rows in range(9, 13) for cols in range(9, 13)]
FEWEST, MOST = 20, 40  # free cells
BANDS = [(20, 24), (25, 29), (30, 34), (35, 40)]
PLAYERS = ["seed-002", "seed-004-v10"]
SHORTEST = 6  # plies to a win or a loss: nearer ones are seen by every engine
LASTING = 8  # plies to a loss that is not seen at a glance
GAMES = 400  # tried for a slot before it stays empty
VALUE_NODES = 1_000_000  # for a position's value; no answer, no entry
COLUMN_NODES = 20_000_000  # for all of its columns, after that

HEADER = f"""\
# Positions with {FEWEST} to {MOST} free cells on the official sizes, and what every column is worth under perfect play.
# Made by `python benchmarks/settled.py make`; `load()` there reads them.
# slot position columns
#   slot      the place in the plan, which fixes size, wanted free cells, wanted result and all random numbers
#   position  ROWSxCOLS@row,col:moves
#   columns   from the left: w17 wins in 17 plies for the side to move, this stone included; l22 loses in 22; d draws;
#             - is full
# Not a fair sample of games. Missing are positions
#   - for whose value the solver needs more than {VALUE_NODES:_} nodes, or more than {COLUMN_NODES:_} for the columns;
#   - that are won or lost in fewer than {SHORTEST} plies;
#   - with fewer than two moves that do not lose at once;
#   - that are not lost and in which fewer than a quarter of these moves spoil the result, not counting losses in fewer
#     than {LASTING} plies.
# Every tenth is to be lost and every tenth drawn, if one is found; draws come from drawn games only.
# The games are those of fast engines that often prefer an even fight to the best move; engines that have come to play
# differently make another file.
"""


@dataclass(frozen=True)
class Settled:
    """A position and the exact score of each of its columns, None where the column is full."""

    slot: int
    board: Board
    columns: tuple[Score | None, ...]

    @property
    def score(self) -> Score:
        """What the position is worth."""
        return max(score for score in self.columns if score is not None)

    def result_of(self, column: int) -> str:
        """Name what a legal column leads to."""
        score = self.columns[column]
        assert score is not None
        return result(score)

    @property
    def line(self) -> str:
        """The position as the file has it."""
        return f"{self.slot} {self.board.notation} {','.join(map(token, self.columns))}\n"


@dataclass(frozen=True)
class Trial:
    """What an engine made of a settled position."""

    free: int
    truth: str
    kept: bool
    proved: bool
    wrong: bool
    seconds: float


def main() -> None:
    """Make the set or measure an engine on it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("make", help="write the set, or go on where an earlier run ended")
    command.add_argument("--slots", type=int, default=2336, help="positions to look for; some are not found")
    command.add_argument("--jobs", type=int, default=1)
    command.set_defaults(run=lambda arguments: make(arguments.slots, arguments.jobs))
    command = commands.add_parser("measure", help="print how well an engine keeps and proves the results")
    command.add_argument("--preset", default=presets.DEFAULT)
    command.add_argument("--time", type=float, default=0.2, help="seconds a position")
    command.add_argument("--every", type=int, default=1, help="take one position in N")
    command.add_argument("--jobs", type=int, default=1)
    command.set_defaults(
        run=lambda arguments: measure(arguments.preset, arguments.time, arguments.every, arguments.jobs)
    )
    arguments = parser.parse_args()
    arguments.run(arguments)


def result(score: Score) -> str:
    """Name an exact score: 'w', 'd' or 'l'."""
    return "w" if score.is_win else "l" if score.is_loss else "d"


def free_cells(board: Board) -> int:
    """Count the cells that can still get a stone."""
    return board.geometry.cells - board.ply


# The file.


def load(path: Path = FILE) -> Iterator[Settled]:
    """Read the set."""
    with path.open() as lines:
        for line in lines:
            if not line.startswith("#"):
                slot, position, columns = line.split()
                board = Board.parse(position)
                scores = tuple(score_of(text, free_cells(board)) for text in columns.split(","))
                yield Settled(int(slot), board, scores)


def token(score: Score | None) -> str:
    """Write what a column is worth."""
    if score is None:
        return "-"
    return "d" if score.is_draw else f"{result(score)}{score.distance}"


def score_of(text: str, free: int) -> Score | None:
    """Read what a column is worth."""
    match text[0]:
        case "-":
            return None
        case "d":
            return Score.draw(free)
        case "w":
            return Score.win(int(text[1:]))
        case _:
            return Score.loss(int(text[1:]))


# Making it.


def make(slots: int, jobs: int) -> None:
    """Fill the slots in turn, from the last one in the file on."""
    first, found, started = resume(), 0, time.monotonic()
    with FILE.open("a") as file, multiprocessing.Pool(jobs) as pool:
        for slot, settled in enumerate(pool.imap(fill, range(first, slots)), first):
            if settled is not None:
                found += 1
                file.write(settled.line)
                file.flush()
            seconds = time.monotonic() - started
            print(f"\rslot {slot + 1} of {slots}, {found} found, {seconds:.0f} s", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def resume() -> int:
    """Begin the file, or drop a line of it that was not finished; the next slot."""
    lines = FILE.read_text().splitlines(keepends=True) if FILE.exists() else []
    done = [line for line in lines if line.endswith("\n")] or [HEADER]
    FILE.write_text("".join(done))
    return 0 if done[-1].startswith("#") else int(done[-1].split()[0]) + 1


def fill(slot: int) -> Settled | None:
    """Look for a position that suits a slot, one from a game.

    Sizes take turns; with every round of them the free cells and the wanted result change. One round in ten wants
    losses: no move spoils those, but they can be proved too slowly or be taken for something else. One in ten wants
    draws, which are rare. All others want wins.
    """
    turn = slot // len(SIZES)
    wanted = {0: "l", 11: "l", 5: "d", 15: "d"}.get(turn % 20, "w")
    target = FEWEST + turn % (MOST - FEWEST + 1)
    rng = random.Random(slot)  # noqa: S311
    for _ in range(GAMES):
        game = play(SIZES[slot % len(SIZES)], 1.0 if wanted == "d" else rng.uniform(0.3, 1.0), rng)
        boards = drawn(game) if wanted == "d" else near(game, target)
        for board in sorted(worth(wanted, boards), key=lambda board: abs(free_cells(board) - target)):
            columns = settle(board)
            if columns is not None and (wanted == "l" or tempting(board, columns)):
                return Settled(slot, board, columns)
    return None


def play(size: tuple[int, int], evenness: float, rng: random.Random) -> list[Board]:
    """Play a fast game with a random hole and opening; all of its positions, the last first.

    Both sides play to win, but with a chance of `evenness` at every move take the column that looks most even: the
    more of that, the more games last until few cells are free. One move in fifty is random.
    """
    rows, cols = size
    board = Board(rows, cols, hole=(rng.randrange(rows), rng.randrange(cols)))
    for _ in range(rng.randint(2, 6)):
        board.push(rng.choice(board.legal_moves))
    engines = [Engine(rng.choice(PLAYERS), seed=rng.getrandbits(32), memory_mb=16) for _ in range(2)]
    limit = Limit(simulations=rng.randint(200, 500))
    boards = [board.copy()]
    while not board.is_over:
        analysis = engines[board.turn].analyse(board, limit)
        move = most_even(board, analysis) if rng.random() < evenness else analysis.move
        if rng.random() < 0.02 and board.safe_moves:
            move = rng.choice(board.safe_moves)
        board.push(move)
        boards.append(board.copy())
    return boards[::-1]


def most_even(board: Board, analysis: Analysis) -> int:
    """Choose the most even column among those that were looked at seriously and do not lose at once."""
    most = max(column.visits for column in analysis.columns)
    serious = [
        column for column in analysis.columns if 10 * column.visits >= most and column.column in board.safe_moves
    ]
    return min(serious, key=lambda column: abs(column.value)).column if serious else analysis.move


def near(game: list[Board], target: int) -> list[Board]:
    """Pick the positions with about as many free cells as wanted."""
    return [board for board in game if abs(free_cells(board) - target) <= 2 and eligible(board)]


def drawn(game: list[Board]) -> list[Board]:
    """Pick all positions if the game was drawn, none if it was not: draws are too rare to search every game."""
    outcome = game[0].outcome()
    assert outcome is not None
    return [board for board in game if eligible(board)] if outcome.winner is None else []


def eligible(board: Board) -> bool:
    """Whether a position asks for a decision at all."""
    if board.is_over or not FEWEST <= free_cells(board) <= MOST:
        return False
    return not board.winning_moves and len(board.safe_moves) > 1


def worth(wanted: str, boards: Iterable[Board]) -> Iterator[Board]:
    """Pick the positions of a game with the wanted result, from the end on, until one is too hard."""
    for board in boards:
        score = Solver(memory_mb=16).solve(board, positions=VALUE_NODES).score
        if score is None:
            return
        if result(score) == wanted and (score.distance or 0) >= SHORTEST:
            yield board


def settle(board: Board) -> tuple[Score | None, ...] | None:
    """Solve every column, or none of them."""
    solution = Solver(memory_mb=64).solve(board, positions=COLUMN_NODES, columns=True)
    scores = {column.column: column.score for column in solution.columns}
    if None in scores.values():
        return None
    return tuple(scores.get(column) for column in range(board.cols))


def tempting(board: Board, columns: tuple[Score | None, ...]) -> bool:
    """Whether a good part of the moves spoils the result in a way that takes some search to see."""
    scores = [score for column in board.safe_moves if (score := columns[column]) is not None]
    truth = result(max(scores))
    spoiling = [score for score in scores if result(score) != truth]
    lasting = [score for score in spoiling if (score.distance or 0) >= LASTING]
    return 4 * len(lasting) >= len(scores)


# Measuring an engine.


def measure(preset: str, seconds: float, every: int, jobs: int) -> None:
    """Print how often an engine keeps the result, and how often and how soon it proves it."""
    records = list(load())
    random.Random(0).shuffle(records)  # noqa: S311 - sizes take turns in the file: every 16th would have the same one
    records = records[::every]
    with multiprocessing.Pool(jobs) as pool:
        shares = pool.map(partial(trials, preset, seconds), [records[job::jobs] for job in range(jobs)], chunksize=1)
    done = [trial for share in shares for trial in share]
    print(f"{preset}, {seconds} s a position, {len(done)} settled positions\n")
    print("| positions | number | kept | proved | wrong proofs | proved wins | median s | 90 % s |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for fewest, most in BANDS:
        print(row(f"{fewest}-{most} free", [trial for trial in done if fewest <= trial.free <= most]))
    for name, truth in (("won", "w"), ("drawn", "d"), ("lost", "l")):
        print(row(name, [trial for trial in done if trial.truth == truth]))
    print(row("all", done))
    print("\nKept: the move has the position's result; lost positions, where every move has it, do not count.")


def trials(preset: str, seconds: float, records: list[Settled]) -> list[Trial]:
    """Ask one engine about the positions, each as if it were the first."""
    engine, limit = Engine(preset, seed=1), Limit(time=seconds)
    done = []
    for record in records:
        engine.clear()
        done.append(judge(record, engine.analyse(record.board, limit)))
    return done


def judge(record: Settled, analysis: Analysis) -> Trial:
    """Compare an analysis with the truth."""
    truth, reached = result(record.score), record.result_of(analysis.move)
    claims = [(analysis.move, analysis.score), *((column.column, column.score) for column in analysis.columns)]
    return Trial(
        free=free_cells(record.board),
        truth=truth,
        kept=reached == truth,
        proved=analysis.stopped_by in ("proof", "win"),
        wrong=any(score.is_exact and result(score) != record.result_of(column) for column, score in claims),
        seconds=analysis.seconds,
    )


def row(name: str, trials: list[Trial]) -> str:
    """Write a row of the table."""
    keepable = [trial.kept for trial in trials if trial.truth != "l"]
    wins = sorted(trial.seconds for trial in trials if trial.proved and trial.truth == "w" and trial.kept)
    cells = [
        name,
        str(len(trials)),
        share(keepable),
        share([trial.proved for trial in trials]),
        str(sum(trial.wrong for trial in trials)),
        str(len(wins)),
        f"{statistics.median(wins):.4f}" if wins else "",
        f"{wins[9 * len(wins) // 10]:.4f}" if wins else "",
    ]
    return f"| {' | '.join(cells)} |"


def share(flags: list[bool]) -> str:
    """Write how many are true."""
    return f"{100 * statistics.mean(flags):.1f} %" if flags else ""


if __name__ == "__main__":
    main()
