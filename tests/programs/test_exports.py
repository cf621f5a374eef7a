"""Owns the proof that our engine, exported, plays through the judges' interfaces what it plays at home."""

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
from fourfall.adapters.submission import COMPILE
from fourfall.agents import protocol
from fourfall.agents.base import Conditions
from fourfall.agents.registry import open_agent
from fourfall.arena.game import ScheduledGame, Seat, play_game
from fourfall.arena.judge import Ending, landing_row
from fourfall.arena.record import GameRecord

FOURFALL = str(Path(sys.executable).with_name("fourfall"))
SIMULATIONS = {"tree": 200, "graph": 50}
MEMORY_MB = 64
# A hole on the bottom row, on the top row, in the middle of a game, none at all, and the smallest and largest boards.
BOARDS = ("10x11@9,3", "9x10@0,4:5566", "11x9@5,5:5555666", "6x7", "4x4@1,1", "12x12@11,11:667788")


@dataclass(frozen=True)
class Exports:
    """A folder with a tree search as a library, a graph search with a network as a program, and their presets."""

    folder: Path

    @property
    def library(self) -> str:
        """The address of the library."""
        return f"library:{self.folder / 'library' / 'tree.so'}"

    def engine(self, name: str) -> Engine:
        """Make the engine that was exported."""
        return Engine(self.folder / f"{name}.toml", memory_mb=MEMORY_MB)

    def move(self, name: str, board: Board) -> int:
        """Ask the engine that was exported, made anew, for a move."""
        return self.engine(name).play(board, Limit(simulations=SIMULATIONS[name]))


@pytest.fixture(scope="session")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Exports:
    """Export a library and a submission, and compile that as the platform does, both at the same time."""
    folder = tmp_path_factory.mktemp("exports")
    for name, base in (("tree", "seed-004-v12"), ("graph", "fourfall")):
        (folder / f"{name}.toml").write_text(f'base = "{base}"\n[limits]\nsimulations = {SIMULATIONS[name]}\n')
    options = ["--time", "2.9", "--memory-mb", str(MEMORY_MB)]
    with subprocess.Popen(
        [FOURFALL, "export", "library", "library", "-e", "tree.toml", *options],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    ) as building:
        subprocess.run(
            [FOURFALL, "export", "platform", "out.zip", "-e", "graph.toml", *options], cwd=folder, check=True
        )
        zipfile.ZipFile(folder / "out.zip").extractall(folder)
        subprocess.run([*shlex.split(COMPILE), "-DONLINE_JUDGE"], cwd=folder, check=True)
        printed, _ = building.communicate()
    assert printed == "c++ -std=c++20 -O3 -shared -fPIC -o tree.so tree.cpp\nlibrary/tree.so\n"
    assert building.returncode == 0
    return Exports(folder)


def played(first: str, second: str, board: str, *, sandbox: bool = True) -> GameRecord:
    """Play a game through our judge, in the platform's memory, and expect an honest end."""
    seats = tuple(Seat(name, address, Conditions(sandbox=sandbox)) for name, address in (("A", first), ("B", second)))
    record = play_game(ScheduledGame(0, 0, (seats[0], seats[1]), board, seed=1), open_agent)
    assert record.ending in (Ending.WIN, Ending.TIE), record
    return record


def moves_of(exports: Exports, name: str, player: int, record: GameRecord) -> list[tuple[int, int]]:
    """Ask an engine for every move of a player in a recorded game; each with the move that was played."""
    board, engine = Board.parse(record.board), exports.engine(name)
    answers = []
    for column in record.final.moves[board.ply :]:
        if board.turn == player:
            answers.append((column, engine.play(board, Limit(simulations=SIMULATIONS[name]))))
        board.push(column)
    return answers


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("kind", ["library", "program", "program+json"])
def test_an_export_plays_what_the_engine_plays(exports: Exports, kind: str, board: str) -> None:
    """Through our judge, whole games hold exactly the engine's moves, which takes its memory of the game too."""
    address = exports.library if kind == "library" else f"{kind}:{exports.folder / 'main'}"
    for player in (0, 1):
        record = played(address, "level-2", board) if player == 0 else played("level-2", address, board)
        answers = moves_of(exports, "tree" if kind == "library" else "graph", player, record)
        assert answers
        assert [move for move, _ in answers] == [move for _, move in answers]


def test_library_and_submission_meet(exports: Exports) -> None:
    """Both exports play each other, either first."""
    program = f"program:{exports.folder / 'main'}"
    played(exports.library, program, "9x9@4,4")
    played(program, exports.library, "9x9@4,4")


class Point(ctypes.Structure):
    """A cell of the strategy interface."""

    _fields_ = (("x", ctypes.c_int), ("y", ctypes.c_int))


class Strategy:
    """A strategy library loaded into this process, as the classic judge does."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))
        self._library.getPoint.restype = ctypes.POINTER(Point)
        self._library.clearPoint.argtypes = [ctypes.POINTER(Point)]

    def ask(self, board: Board) -> int:
        """Ask for a move on a board; it has to be legal."""
        question = protocol.make_question(board)
        hole, last = board.hole or (-1, -1), question.last or (-1, -1)
        row, column = self.ask_arrays(board.rows, board.cols, question.top, question.cells, last, hole)
        assert board.is_legal(column)
        assert row == landing_row(board, column)
        return column

    def ask_arrays(
        self,
        rows: int,
        cols: int,
        top: tuple[int, ...],
        view: tuple[int, ...],
        last: tuple[int, int] = (-1, -1),
        hole: tuple[int, int] = (-1, -1),
    ) -> tuple[int, int]:
        """Ask with any arrays."""
        arrays = (ctypes.c_int * len(top))(*top), (ctypes.c_int * len(view))(*view)
        point = self._library.getPoint(rows, cols, *arrays, *last, *hole)
        cell = point.contents.x, point.contents.y
        self._library.clearPoint(point)
        return cell


@pytest.fixture(scope="module")
def strategy(exports: Exports) -> Strategy:
    """Load the exported library."""
    return Strategy(exports.folder / "library" / "tree.so")


def test_a_library_survives_any_order_of_positions(exports: Exports, strategy: Strategy) -> None:
    """Positions of different games and boards in one process are answered as if each were the first question."""
    positions = ("9x9@4,4:5566", "6x7", "9x9@4,4", "12x9@0,0:111111111112345", "9x9@4,4:5566", "9x9@4,4:6655")
    for position in positions:
        board = Board.parse(position)
        assert strategy.ask(board) == exports.move("tree", board), position


def test_a_library_finds_a_past_for_every_position(exports: Exports, strategy: Strategy) -> None:
    """Boards from the middle of random games, with towers of one colour too, get the engine's move, not just any."""
    chance = random.Random(5)  # noqa: S311 (a game, not a secret)
    for number in range(150):
        board = Board.random(chance.getrandbits(32))
        habit, column = chance.choice((0.0, 0.7)), 0
        for _ in range(chance.randrange(board.geometry.cells - 10)):
            if chance.random() >= habit or not board.is_legal(column):
                column = chance.choice(board.legal_moves)
            board.push(column)
            if board.is_over:
                board.pop()
                break
        assert strategy.ask(board) == exports.move("tree", board), (number, board)


def test_one_library_may_play_for_both_sides(exports: Exports, strategy: Strategy) -> None:
    """Where a judge loads one file for both sides, it goes on as one player who moves for both, game after game."""
    for position in ("9x9@4,4", "9x9@4,4", "9x9@8,0"):
        board, engine = Board.parse(position), exports.engine("tree")
        while not board.is_over:
            column = strategy.ask(board)
            assert column == engine.play(board, Limit(simulations=SIMULATIONS["tree"]))
            board.push(column)


def test_nonsense_is_answered_by_the_heights(strategy: Strategy) -> None:
    """Stones in the air, a board of no known size and a finished game get the open column nearest to the centre."""
    floating = [0] * 36
    floating[14] = 1
    assert strategy.ask_arrays(6, 6, (6, 6, 6, 0, 6, 6), tuple(floating)) == (5, 2)
    assert strategy.ask_arrays(3, 3, (3, 0, 2), (0,) * 9) == (2, 0)
    assert strategy.ask_arrays(4, 4, (4, 4, 4, 0), (1, 0, 0, 2) * 4) == (3, 1)
    assert strategy.ask_arrays(4, 4, (0, 0, 0, 0), (1, 2, 1, 2) * 4) == (-2, -2)


def run(exports: Exports, said: bytes, program: str = "main") -> subprocess.CompletedProcess[bytes]:
    """Run the compiled submission with a judge's words."""
    return subprocess.run([exports.folder / program], input=said, capture_output=True, timeout=20, check=False)


def test_a_program_says_nothing_but_its_answers(exports: Exports) -> None:
    """Standard output holds the framed answers and not a byte more, in both forms of the protocol."""
    boards = [Board.parse(text) for text in ("9x10@4,4", "9x10@4,4:5566")]
    columns = [exports.move("graph", board) for board in boards]
    cells = [(landing_row(board, column), column) for board, column in zip(boards, columns, strict=True)]
    text = run(exports, b"".join([protocol.write_start(boards[0].geometry), *map(protocol.write_question, boards)]))
    assert text.stdout == b"".join(protocol.frame_message(protocol.format_cell(cell)) for cell in cells)
    start = protocol.write_json_start(boards[0].geometry)
    older = run(exports, b"".join([start, *map(protocol.write_json_question, boards), protocol.JSON_END, b"ignored"]))
    assert older.stdout == b"".join(protocol.frame_message(protocol.format_json_cell(cell)) for cell in cells)
    assert (text.returncode, text.stderr, older.returncode, older.stderr) == (0, b"", 0, b"")


@pytest.mark.parametrize(
    ("at", "letters", "complaint"),
    [
        (0, b"A", "not a weights file: it does not begin with F4W1"),
        (400_000, b"AAAAAAAA", "the checksum does not fit: the file is damaged"),
        (500_000, b"!", "not in base 64"),
        (700_000, b"=", "shorter than its header says: the file is truncated"),
    ],
)
def test_damaged_weights_are_told_and_done_without(exports: Exports, at: int, letters: bytes, complaint: str) -> None:
    """The program holds the whole weights file; where it is wrong, one line says so and fourfall-classic plays."""
    boards = [Board.parse(f"9x10@4,4:{moves}") for moves in ("5", "6", "55", "56", "5566", "5655", "3728", "a1a1")]
    program = bytearray((exports.folder / "main").read_bytes())
    place = program.index(base64.b64encode(weights.read("fourfall.f4w") or b"")) + at
    program[place : place + len(letters)] = letters
    (exports.folder / "damaged").write_bytes(program)
    (exports.folder / "damaged").chmod(0o755)
    said = b"".join([protocol.write_start(boards[0].geometry), *map(protocol.write_question, boards)])
    result = run(exports, said, "damaged")
    assert result.returncode == 0
    assert result.stderr.decode() == (
        f"fourfall: the weights in this program: {complaint}; playing without a network, as fourfall-classic\n"
    )
    limit = Limit(simulations=SIMULATIONS["graph"])
    columns = [Engine("fourfall-classic", memory_mb=MEMORY_MB).play(board, limit) for board in boards]
    cells = [(landing_row(board, column), column) for board, column in zip(boards, columns, strict=True)]
    assert result.stdout == b"".join(protocol.frame_message(protocol.format_cell(cell)) for cell in cells)
    assert result.stdout != run(exports, said).stdout, "the network plays otherwise"


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        (b"hello\n", "something that is no number"),
        (b"3 9 1 1\n", "a board of 3 rows and 9 columns"),
        (b"9 9 1 1\n-1 -1 9 9", "the input ended within a message"),
        (b"0005", "the input ended within a message"),
        (b'0010{"type":5 }0x', "a length of four digits is missing"),
        (b'0010{"type":1 }', "a question before the game has begun"),
        (b'0014{"type":0,"row', "there is no row in a message"),
        (b'0014{"type":"none"', "the type of a message is no number"),
    ],
)
def test_a_program_names_what_is_wrong(exports: Exports, said: bytes, complaint: str) -> None:
    """What is not the protocol ends the program with one line and code 1."""
    result = run(exports, said)
    assert (result.returncode, result.stdout) == (1, b"")
    assert result.stderr.decode() == f"fourfall: standard input: {complaint}\n"


def test_a_program_leaves_quietly_when_nobody_asks(exports: Exports) -> None:
    """The end of the input, before or between questions, is no failure."""
    assert run(exports, b"").returncode == 0
    assert run(exports, b"9 9 1 1\n").returncode == 0


def test_an_older_standard_is_told_what_is_needed(exports: Exports) -> None:
    """A compiler that is not told to take C++20 stops at one sentence that says how."""
    result = subprocess.run(
        ["g++", "-std=gnu++17", "-O2", "main.cpp"], cwd=exports.folder, capture_output=True, text=True, check=False
    )
    assert result.returncode != 0
    errors = [line for line in result.stderr.splitlines() if "error:" in line]
    assert len(errors) == 1
    assert COMPILE in errors[0]
