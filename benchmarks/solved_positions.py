"""Measures engines on solved positions: late positions with the exact score of every column, from the solver.

python benchmarks/solved_positions.py make [--slots 2336] [--jobs 1]
python benchmarks/solved_positions.py measure --preset seed-004-v17 [--time 0.2] [--every 1] [--jobs 1]
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

FILE = Path(__file__).with_name("solved_positions.txt")
SIZES = [(rows, cols) for rows in range(9, 13) for cols in range(9, 13)]
MIN_FREE, MAX_FREE = 20, 40  # free cells
BANDS = [(20, 24), (25, 29), (30, 34), (35, 40)]
PLAYERS = ["seed-002", "seed-004-v10"]
MIN_DISTANCE = 6  # plies to a win or a loss: every engine sees nearer ones
MIN_HIDDEN_DISTANCE = 8  # plies to a loss that needs some search to be seen
MAX_GAMES = 400  # games played for a slot before it stays empty
VALUE_POSITIONS = 1_000_000  # solver limit for a position's value; unsolved positions are left out
COLUMN_POSITIONS = 20_000_000  # solver limit for the scores of all of its columns

HEADER = f"""\
# Positions with {MIN_FREE} to {MAX_FREE} free cells on the official sizes, with the exact result of every column.
# Written by `python benchmarks/solved_positions.py make`; `load()` in that file reads them.
# slot position columns
#   slot      number in the plan, which determines the size, the wanted free cells and result, and all random numbers
#   position  ROWSxCOLS@row,col:moves
#   columns   from the left: w17 wins in 17 plies for the side to move, including this stone; l22 loses in 22; d draws;
#             - is full
# This is not a representative sample of games. The following positions are left out:
#   - the solver needs more than {VALUE_POSITIONS:_} positions for the value, or {COLUMN_POSITIONS:_} for the columns;
#   - the position is won or lost in fewer than {MIN_DISTANCE} plies;
#   - fewer than two moves do not lose at once;
#   - the position is not lost, and fewer than a quarter of these moves change the result, not counting losses in fewer
#     than {MIN_HIDDEN_DISTANCE} plies.
# Every tenth position is lost and every tenth drawn, if one is found; draws come only from drawn games.
# The games are played by fast engines that often prefer an even position to the best move. When these engines change,
# `make` writes different positions.
"""


@dataclass(frozen=True)
class SolvedPosition:
    """A position and the exact score of each of its columns, None where the column is full."""

    slot: int
    board: Board
    columns: tuple[Score | None, ...]

    @property
    def score(self) -> Score:
        """Exact score of the position."""
        return max(score for score in self.columns if score is not None)

    def get_result(self, column: int) -> str:
        """Return the result after a legal column: 'w', 'd' or 'l'."""
        score = self.columns[column]
        assert score is not None
        return to_result(score)

    @property
    def text(self) -> str:
        """The position as a line of the file."""
        return f"{self.slot} {self.board.notation} {','.join(map(format_score, self.columns))}\n"


@dataclass(frozen=True)
class Trial:
    """Result of an engine on a solved position."""

    free: int
    truth: str
    has_kept_result: bool
    is_proven: bool
    has_wrong_proof: bool
    seconds: float


def main() -> None:
    """Create the positions or measure an engine on them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("make", help="create the positions, or continue an interrupted run")
    command.add_argument("--slots", type=int, default=2336, help="number of positions to look for; some are not found")
    command.add_argument("--jobs", type=int, default=1, help="parallel processes")
    command.set_defaults(run=lambda arguments: make(arguments.slots, arguments.jobs))
    command = commands.add_parser("measure", help="print how often an engine keeps and proves the results")
    command.add_argument("--preset", default=presets.DEFAULT, help="preset to measure")
    command.add_argument("--time", type=float, default=0.2, help="time per position in seconds")
    command.add_argument("--every", type=int, default=1, help="use only every N-th position")
    command.add_argument("--jobs", type=int, default=1, help="parallel processes")
    command.set_defaults(
        run=lambda arguments: measure(arguments.preset, arguments.time, arguments.every, arguments.jobs)
    )
    arguments = parser.parse_args()
    arguments.run(arguments)


def to_result(score: Score) -> str:
    """Return the result of an exact score: 'w', 'd' or 'l'."""
    return "w" if score.is_win else "l" if score.is_loss else "d"


def free_cells(board: Board) -> int:
    """Return the number of cells that can still get a stone."""
    return board.geometry.cells - board.ply


# Reading and writing the file


def load(path: Path = FILE) -> Iterator[SolvedPosition]:
    """Read the positions."""
    with path.open() as lines:
        for line in lines:
            if not line.startswith("#"):
                slot, position, columns = line.split()
                board = Board.parse(position)
                scores = tuple(parse_score(text, free_cells(board)) for text in columns.split(","))
                yield SolvedPosition(int(slot), board, scores)


def format_score(score: Score | None) -> str:
    """Format the exact score of a column."""
    if score is None:
        return "-"
    return "d" if score.is_draw else f"{to_result(score)}{score.distance}"


def parse_score(text: str, free: int) -> Score | None:
    """Parse the exact score of a column."""
    match text[0]:
        case "-":
            return None
        case "d":
            return Score.draw(free)
        case "w":
            return Score.win(int(text[1:]))
        case _:
            return Score.loss(int(text[1:]))


# Creating the positions


def make(slots: int, jobs: int) -> None:
    """Fill the slots in order, starting after the last one in the file."""
    first, found, started = prepare_file(), 0, time.monotonic()
    with FILE.open("a") as file, multiprocessing.Pool(jobs) as pool:
        for slot, solved in enumerate(pool.imap(fill_slot, range(first, slots)), first):
            if solved is not None:
                found += 1
                file.write(solved.text)
                file.flush()
            seconds = time.monotonic() - started
            print(f"\rslot {slot + 1} of {slots}, {found} found, {seconds:.0f} s", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def prepare_file() -> int:
    """Create the file, or remove an incomplete last line; return the next slot."""
    lines = FILE.read_text().splitlines(keepends=True) if FILE.exists() else []
    done = [line for line in lines if line.endswith("\n")] or [HEADER]
    FILE.write_text("".join(done))
    return 0 if done[-1].startswith("#") else int(done[-1].split()[0]) + 1


def fill_slot(slot: int) -> SolvedPosition | None:
    """Look for a position for a slot, at most one from each game.

    Consecutive slots have different sizes; after each round of sizes the number of free cells and the wanted result
    change. One round in ten wants losses: no move can change their result, but an engine can prove them slowly or
    evaluate them wrongly. One in ten wants draws, which are rare. All others want wins.
    """
    turn = slot // len(SIZES)
    wanted = {0: "l", 11: "l", 5: "d", 15: "d"}.get(turn % 20, "w")
    target = MIN_FREE + turn % (MAX_FREE - MIN_FREE + 1)
    rng = random.Random(slot)  # noqa: S311
    for _ in range(MAX_GAMES):
        game = play_game(SIZES[slot % len(SIZES)], 1.0 if wanted == "d" else rng.uniform(0.3, 1.0), rng)
        boards = select_drawn(game) if wanted == "d" else select_near(game, target)
        for board in sorted(select_by_result(wanted, boards), key=lambda board: abs(free_cells(board) - target)):
            columns = solve_columns(board)
            if columns is not None and (wanted == "l" or is_difficult(board, columns)):
                return SolvedPosition(slot, board, columns)
    return None


def play_game(size: tuple[int, int], evenness: float, rng: random.Random) -> list[Board]:
    """Play a fast game with a random hole and opening; return all of its positions, the last one first.

    Both sides play to win, but with probability `evenness` per move they choose the column with the most even value:
    the higher it is, the more games last until few cells are free. One move in fifty is random.
    """
    rows, cols = size
    board = Board(rows, cols, hole=(rng.randrange(rows), rng.randrange(cols)))
    for _ in range(rng.randint(2, 6)):
        board.push(rng.choice(board.legal_moves))
    engines = [Engine(rng.choice(PLAYERS), seed=rng.getrandbits(32), memory_mb=16) for _ in range(2)]
    limit = Limit(simulations=rng.randint(200, 500))
    boards = [board.copy()]
    while not board.is_over:
        analysis = engines[board.turn].search(board, limit)
        move = choose_most_even(board, analysis) if rng.random() < evenness else analysis.move
        if rng.random() < 0.02 and board.safe_moves:
            move = rng.choice(board.safe_moves)
        board.push(move)
        boards.append(board.copy())
    return boards[::-1]


def choose_most_even(board: Board, analysis: Analysis) -> int:
    """Return the column with the most even value among those with many visits that do not lose at once."""
    most = max(column.visits for column in analysis.columns)
    candidates = [
        column for column in analysis.columns if 10 * column.visits >= most and column.column in board.safe_moves
    ]
    return min(candidates, key=lambda column: abs(column.value)).column if candidates else analysis.move


def select_near(game: list[Board], target: int) -> list[Board]:
    """Return the positions with about as many free cells as wanted."""
    return [board for board in game if abs(free_cells(board) - target) <= 2 and is_eligible(board)]


def select_drawn(game: list[Board]) -> list[Board]:
    """Return all positions if the game was drawn, else none: draws are too rare to solve every game."""
    outcome = game[0].outcome()
    assert outcome is not None
    return [board for board in game if is_eligible(board)] if outcome.winner is None else []


def is_eligible(board: Board) -> bool:
    """Return whether a position has a suitable number of free cells and a choice of moves."""
    if board.is_over or not MIN_FREE <= free_cells(board) <= MAX_FREE:
        return False
    return not board.winning_moves and len(board.safe_moves) > 1


def select_by_result(wanted: str, boards: Iterable[Board]) -> Iterator[Board]:
    """Yield the positions with the wanted result, from the end of the game, until the solver reaches its limit."""
    for board in boards:
        score = Solver(memory_mb=16).solve(board, positions=VALUE_POSITIONS).score
        if score is None:
            return
        if to_result(score) == wanted and (score.distance or 0) >= MIN_DISTANCE:
            yield board


def solve_columns(board: Board) -> tuple[Score | None, ...] | None:
    """Return the exact score of every column, or None if the solver reaches its limit."""
    solution = Solver(memory_mb=64).solve(board, positions=COLUMN_POSITIONS, columns=True)
    scores = {column.column: column.score for column in solution.columns}
    if None in scores.values():
        return None
    return tuple(scores.get(column) for column in range(board.cols))


def is_difficult(board: Board, columns: tuple[Score | None, ...]) -> bool:
    """Return whether a quarter of the moves change the result in a way that needs some search to be seen."""
    scores = [score for column in board.safe_moves if (score := columns[column]) is not None]
    truth = to_result(max(scores))
    mistakes = [score for score in scores if to_result(score) != truth]
    hidden = [score for score in mistakes if (score.distance or 0) >= MIN_HIDDEN_DISTANCE]
    return 4 * len(hidden) >= len(scores)


# Measuring an engine


def measure(preset: str, seconds: float, every: int, jobs: int) -> None:
    """Print how often an engine keeps the result, and how often and how fast it proves it."""
    records = list(load())
    random.Random(0).shuffle(records)  # noqa: S311 (in the file every 16th position has the same size)
    records = records[::every]
    with multiprocessing.Pool(jobs) as pool:
        shares = pool.map(
            partial(run_trials, preset, seconds), [records[job::jobs] for job in range(jobs)], chunksize=1
        )
    done = [trial for share in shares for trial in share]
    print(f"{preset}, {seconds} s per position, {len(done)} solved positions\n")
    print("| positions | number | kept | proven | wrong proofs | proven wins | median s | 90 % s |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for low, high in BANDS:
        print(format_row(f"{low}-{high} free", [trial for trial in done if low <= trial.free <= high]))
    for name, truth in (("won", "w"), ("drawn", "d"), ("lost", "l")):
        print(format_row(name, [trial for trial in done if trial.truth == truth]))
    print(format_row("all", done))
    print("\nKept: the move has the position's result; lost positions, where every move has it, are not counted.")
    print("Proven: the search ended with a proof. Times: seconds until the proof of a win.")


def run_trials(preset: str, seconds: float, records: list[SolvedPosition]) -> list[Trial]:
    """Analyse the positions with one engine, which is cleared before each."""
    engine, limit = Engine(preset, seed=1), Limit(time=seconds)
    done = []
    for record in records:
        engine.clear()
        done.append(compare(record, engine.search(record.board, limit)))
    return done


def compare(record: SolvedPosition, analysis: Analysis) -> Trial:
    """Compare an analysis with the exact scores."""
    truth, reached = to_result(record.score), record.get_result(analysis.move)
    claims = [(analysis.move, analysis.score), *((column.column, column.score) for column in analysis.columns)]
    return Trial(
        free=free_cells(record.board),
        truth=truth,
        has_kept_result=reached == truth,
        is_proven=analysis.stopped_by in ("proof", "win"),
        has_wrong_proof=any(
            score.is_exact and to_result(score) != record.get_result(column) for column, score in claims
        ),
        seconds=analysis.seconds,
    )


def format_row(name: str, trials: list[Trial]) -> str:
    """Format a row of the table."""
    kept = [trial.has_kept_result for trial in trials if trial.truth != "l"]
    wins = sorted(trial.seconds for trial in trials if trial.is_proven and trial.truth == "w" and trial.has_kept_result)
    cells = [
        name,
        str(len(trials)),
        format_share(kept),
        format_share([trial.is_proven for trial in trials]),
        str(sum(trial.has_wrong_proof for trial in trials)),
        str(len(wins)),
        f"{statistics.median(wins):.4f}" if wins else "",
        f"{wins[9 * len(wins) // 10]:.4f}" if wins else "",
    ]
    return f"| {' | '.join(cells)} |"


def format_share(flags: list[bool]) -> str:
    """Format the percentage of true values."""
    return f"{100 * statistics.mean(flags):.1f} %" if flags else ""


if __name__ == "__main__":
    main()
