"""Compiles exported engines and checks that they play the same moves as the engine in the package."""

import base64
import ctypes
import random
import shlex
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from fourfall import Board, Engine, Limit, weights
from fourfall.agents import protocol
from fourfall.agents.base import Conditions
from fourfall.agents.registry import open_agent
from fourfall.arena.game import ScheduledGame, Seat, play_game
from fourfall.arena.judge import Ending
from fourfall.arena.record import GameRecord
from fourfall.exports.platform_submission import COMPILE_COMMAND

FOURFALL = str(Path(sys.executable).with_name("fourfall"))
SIMULATIONS = {"tree": 200, "graph": 50}
MEMORY_MB = 64
# Holes on the bottom and on the top row, positions in the middle of a game, no hole, the smallest and largest boards.
BOARDS = ("10x11@9,3", "9x10@0,4:5566", "11x9@5,5:5555666", "6x7", "4x4@1,1", "12x12@11,11:667788")


@dataclass(frozen=True)
class Exports:
    """Folder with a tree search as a library, a graph search with a network as a program, and their presets."""

    folder: Path

    @property
    def library(self) -> str:
        """Agent address of the library."""
        return f"library:{self.folder / 'library' / 'tree.so'}"

    def make_engine(self, name: str) -> Engine:
        """Return the engine of the package with the exported preset."""
        return Engine(self.folder / f"{name}.toml", memory_mb=MEMORY_MB)

    def play_new_engine(self, name: str, board: Board) -> int:
        """Return the move of a new engine with the exported preset."""
        return self.make_engine(name).play(board, Limit(simulations=SIMULATIONS[name]))


@pytest.fixture(scope="session")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Exports:
    """Export a library and a submission and compile the submission as the platform does, at the same time."""
    folder = tmp_path_factory.mktemp("exports")
    for name, base in (("tree", "seed-004-v12"), ("graph", "fourfall")):
        (folder / f"{name}.toml").write_text(f'base = "{base}"\n[limits]\nsimulations = {SIMULATIONS[name]}\n')
    options = ["--time", "2.9", "--memory-mb", str(MEMORY_MB)]
    with subprocess.Popen(
        [FOURFALL, "export", "library", "library", "-e", "tree.toml", *options],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    ) as compilation:
        subprocess.run(
            [FOURFALL, "export", "platform", "out.zip", "-e", "graph.toml", *options], cwd=folder, check=True
        )
        zipfile.ZipFile(folder / "out.zip").extractall(folder)
        subprocess.run([*shlex.split(COMPILE_COMMAND), "-DONLINE_JUDGE"], cwd=folder, check=True)
        printed, _ = compilation.communicate()
    assert printed == "c++ -std=c++20 -O3 -shared -fPIC -o tree.so tree.cpp\nlibrary/tree.so\n"
    assert compilation.returncode == 0
    return Exports(folder)


def play_to_end(first: str, second: str, board: str, *, sandbox: bool = True) -> GameRecord:
    """Play a game between two agents and check that it ends by a win or a tie."""
    seats = tuple(Seat(name, address, Conditions(sandbox=sandbox)) for name, address in (("A", first), ("B", second)))
    record = play_game(ScheduledGame(0, 0, (seats[0], seats[1]), board, seed=1), open_agent)
    assert record.ending in (Ending.WIN, Ending.TIE), record
    return record


def find_cell(board: Board, column: int) -> tuple[int, int]:
    """Return the cell on which the next stone in a column lands."""
    row = board.landing_row(column)
    assert row is not None
    return row, column


def compare_moves(exports: Exports, name: str, player: int, record: GameRecord) -> list[tuple[int, int]]:
    """Return each move of a player in a recorded game with the move of the package's engine."""
    board, engine = Board.parse(record.board), exports.make_engine(name)
    answers = []
    for column in record.final_board.moves[board.ply :]:
        if board.turn == player:
            answers.append((column, engine.play(board, Limit(simulations=SIMULATIONS[name]))))
        board.push(column)
    return answers


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("kind", ["library", "program", "program+json"])
def test_export_plays_the_moves_of_the_engine(exports: Exports, kind: str, board: str) -> None:
    """In complete games every move equals that of the engine, including the reuse of its search tree."""
    address = exports.library if kind == "library" else f"{kind}:{exports.folder / 'main'}"
    for player in (0, 1):
        record = play_to_end(address, "level-4", board) if player == 0 else play_to_end("level-4", address, board)
        answers = compare_moves(exports, "tree" if kind == "library" else "graph", player, record)
        assert answers
        assert [move for move, _ in answers] == [move for _, move in answers]


def test_library_plays_against_submission(exports: Exports) -> None:
    """The two exports play each other to the end, with either as the first player."""
    program = f"program:{exports.folder / 'main'}"
    play_to_end(exports.library, program, "9x9@4,4")
    play_to_end(program, exports.library, "9x9@4,4")


class Point(ctypes.Structure):
    """Cell of the strategy interface."""

    _fields_ = (("x", ctypes.c_int), ("y", ctypes.c_int))


class Strategy:
    """Strategy library loaded into this process, as the classic judge loads it."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))
        self._library.getPoint.restype = ctypes.POINTER(Point)
        self._library.clearPoint.argtypes = [ctypes.POINTER(Point)]

    def choose_move(self, board: Board) -> int:
        """Return the library's move on a board and check that it is legal."""
        question = protocol.make_question(board)
        hole, last = board.hole or (-1, -1), question.last or (-1, -1)
        row, column = self.call_get_point(board.rows, board.cols, question.top, question.cells, last, hole)
        assert board.is_legal(column)
        assert row == board.landing_row(column)
        return column

    def call_get_point(
        self,
        rows: int,
        cols: int,
        top: tuple[int, ...],
        view: tuple[int, ...],
        last: tuple[int, int] = (-1, -1),
        hole: tuple[int, int] = (-1, -1),
    ) -> tuple[int, int]:
        """Call getPoint with any arrays and return its cell."""
        arrays = (ctypes.c_int * len(top))(*top), (ctypes.c_int * len(view))(*view)
        point = self._library.getPoint(rows, cols, *arrays, *last, *hole)
        cell = point.contents.x, point.contents.y
        self._library.clearPoint(point)
        return cell


@pytest.fixture(scope="module")
def strategy(exports: Exports) -> Strategy:
    """Load the exported library."""
    return Strategy(exports.folder / "library" / "tree.so")


def test_library_accepts_positions_in_any_order(exports: Exports, strategy: Strategy) -> None:
    """Positions of different games and boards in one process get the move of a new engine."""
    positions = ("9x9@4,4:5566", "6x7", "9x9@4,4", "12x9@0,0:111111111112345", "9x9@4,4:5566", "9x9@4,4:6655")
    for position in positions:
        board = Board.parse(position)
        assert strategy.choose_move(board) == exports.play_new_engine("tree", board), position


def test_library_reconstructs_the_moves_of_a_position(exports: Exports, strategy: Strategy) -> None:
    """Positions from random games, some with long one-coloured columns, get the engine's move, not the fallback."""
    rng = random.Random(5)  # noqa: S311 (a game, not a secret)
    for number in range(150):
        board = Board.random(rng.getrandbits(32))
        repeat_probability, column = rng.choice((0.0, 0.7)), 0
        for _ in range(rng.randrange(board.geometry.cells - 10)):
            if rng.random() >= repeat_probability or not board.is_legal(column):
                column = rng.choice(board.legal_moves)
            board.push(column)
            if board.is_over:
                board.pop()
                break
        assert strategy.choose_move(board) == exports.play_new_engine("tree", board), (number, board)


def test_one_library_plays_for_both_sides(exports: Exports, strategy: Strategy) -> None:
    """If a judge loads one file for both sides, it plays like one engine that moves for both, game after game."""
    for position in ("9x9@4,4", "9x9@4,4", "9x9@8,0"):
        board, engine = Board.parse(position), exports.make_engine("tree")
        while not board.is_over:
            column = strategy.choose_move(board)
            assert column == engine.play(board, Limit(simulations=SIMULATIONS["tree"]))
            board.push(column)


def test_inconsistent_arrays_get_a_legal_column(strategy: Strategy) -> None:
    """Floating stones, an unknown board size and a finished game get the open column nearest to the centre."""
    floating = [0] * 36
    floating[14] = 1
    assert strategy.call_get_point(6, 6, (6, 6, 6, 0, 6, 6), tuple(floating)) == (5, 2)
    assert strategy.call_get_point(3, 3, (3, 0, 2), (0,) * 9) == (2, 0)
    assert strategy.call_get_point(4, 4, (4, 4, 4, 0), (1, 0, 0, 2) * 4) == (3, 1)
    assert strategy.call_get_point(4, 4, (0, 0, 0, 0), (1, 2, 1, 2) * 4) == (-2, -2)


def run_program(exports: Exports, stdin: bytes, program: str = "main") -> subprocess.CompletedProcess[bytes]:
    """Run the compiled submission with this input."""
    return subprocess.run([exports.folder / program], input=stdin, capture_output=True, timeout=20, check=False)


def test_program_prints_only_its_moves(exports: Exports) -> None:
    """Standard output contains exactly the framed moves, in both protocols."""
    boards = [Board.parse(text) for text in ("9x10@4,4", "9x10@4,4:5566")]
    columns = [exports.play_new_engine("graph", board) for board in boards]
    cells = [find_cell(board, column) for board, column in zip(boards, columns, strict=True)]
    text = run_program(
        exports, b"".join([protocol.write_start(boards[0].geometry), *map(protocol.write_question, boards)])
    )
    assert text.stdout == b"".join(protocol.frame_message(protocol.format_cell(cell)) for cell in cells)
    start = protocol.write_json_start(boards[0].geometry)
    older = run_program(
        exports, b"".join([start, *map(protocol.write_json_question, boards), protocol.JSON_END, b"ignored"])
    )
    assert older.stdout == b"".join(protocol.frame_message(protocol.format_json_cell(cell)) for cell in cells)
    assert (text.returncode, text.stderr, older.returncode, older.stderr) == (0, b"", 0, b"")


@pytest.mark.parametrize(
    ("offset", "letters", "message"),
    [
        (0, b"A", "not a weights file: the first four bytes are not F4W1"),
        (400_000, b"AAAAAAAA", "wrong checksum: the file is damaged"),
        (500_000, b"!", "not in base 64"),
        (700_000, b"=", "the file is truncated: it ends before the last tensor or the checksum"),
    ],
)
def test_program_with_damaged_weights_plays_without_network(
    exports: Exports, offset: int, letters: bytes, message: str
) -> None:
    """The program contains the whole weights file; if it is damaged, one line says so and fourfall-classic plays."""
    boards = [Board.parse(f"9x10@4,4:{moves}") for moves in ("5", "6", "55", "56", "5566", "5655", "3728", "a1a1")]
    program = bytearray((exports.folder / "main").read_bytes())
    place = program.index(base64.b64encode(weights.read("fourfall.f4w") or b"")) + offset
    program[place : place + len(letters)] = letters
    (exports.folder / "damaged").write_bytes(program)
    (exports.folder / "damaged").chmod(0o755)
    stdin = b"".join([protocol.write_start(boards[0].geometry), *map(protocol.write_question, boards)])
    result = run_program(exports, stdin, "damaged")
    assert result.returncode == 0
    assert result.stderr.decode() == (
        f"fourfall: the weights in this program: {message}; playing without a network, as fourfall-classic\n"
    )
    limit = Limit(simulations=SIMULATIONS["graph"])
    columns = [Engine("fourfall-classic", memory_mb=MEMORY_MB).play(board, limit) for board in boards]
    cells = [find_cell(board, column) for board, column in zip(boards, columns, strict=True)]
    assert result.stdout == b"".join(protocol.frame_message(protocol.format_cell(cell)) for cell in cells)
    assert result.stdout != run_program(exports, stdin).stdout, "the network must play different moves"


@pytest.mark.parametrize(
    ("stdin", "message"),
    [
        (b"hello\n", "expected a number"),
        (b"3 9 1 1\n", "a board has 4 to 12 rows and columns, not 3 rows and 9 columns"),
        (b"9 9 1 1\n-1 -1 9 9", "the input ended inside a message"),
        (b"0005", "the input ended inside a message"),
        (b'0010{"type":5 }0x', "a message must begin with its length in four digits"),
        (b'0010{"type":1 }', "a move is requested before the start of the game"),
        (b'0014{"type":0,"row', "a message has no key row"),
        (b'0014{"type":"none"', "the value of type is not a number"),
    ],
)
def test_program_reports_protocol_errors(exports: Exports, stdin: bytes, message: str) -> None:
    """Malformed input ends the program with one line on standard error and exit code 1."""
    result = run_program(exports, stdin)
    assert (result.returncode, result.stdout) == (1, b"")
    assert result.stderr.decode() == f"fourfall: standard input: {message}\n"


def test_program_exits_normally_without_requests(exports: Exports) -> None:
    """The end of the input before or between requests is not an error."""
    assert run_program(exports, b"").returncode == 0
    assert run_program(exports, b"9 9 1 1\n").returncode == 0


def test_older_cpp_standard_is_reported(exports: Exports) -> None:
    """A compiler without C++20 stops with one error that names the right command."""
    result = subprocess.run(
        ["g++", "-std=gnu++17", "-O2", "main.cpp"], cwd=exports.folder, capture_output=True, text=True, check=False
    )
    assert result.returncode != 0
    errors = [line for line in result.stderr.splitlines() if "error:" in line]
    assert len(errors) == 1
    assert COMPILE_COMMAND in errors[0]
