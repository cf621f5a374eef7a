"""The results of a census run: one line per solved or abandoned board, appended as boards are finished."""

import lzma
from pathlib import Path

from fourfall.census import SolvedBoard
from fourfall.census.solving import SolveRecord
from fourfall.experiments.experiment import ExperimentError

RESULTS_FILE = "results.jsonl"
ARCHIVE_FILE = "results.jsonl.xz"


class CensusResults:
    """Records of a run, kept in a file to which every new record is appended at once.

    A killed run loses at most the boards that were being solved. A last line that was not written completely is
    dropped when the file is opened again.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / RESULTS_FILE
        self._records: list[SolveRecord] = []
        self._solved: dict[str, SolvedBoard] = {}
        self._limits: dict[str, int] = {}  # the greatest limit with which each board was tried
        for record in load_records(folder):
            self._remember(record)
        if self._path.is_file():
            self._drop_incomplete_line()

    def add(self, record: SolveRecord) -> None:
        """Append a record."""
        # The records of a folder that has only the archive are copied first.
        known = [] if self._path.is_file() else self._records
        with self._path.open("a", encoding="utf-8") as file:
            file.writelines(each.to_json() + "\n" for each in (*known, record))
        self._remember(record)

    def is_finished(self, board: str, limit: int) -> bool:
        """Whether a board is solved with all columns, or was already tried with this limit or a greater one."""
        solved = self._solved.get(board)
        return (solved is not None and solved.has_all_columns) or self._limits.get(board, 0) >= limit

    def is_solved(self, board: str) -> bool:
        """Whether the result of a board is known."""
        return board in self._solved

    @property
    def solved(self) -> list[SolvedBoard]:
        """The solved boards, each with as many columns as are known."""
        return list(self._solved.values())

    @property
    def records(self) -> list[SolveRecord]:
        """All records in the order of the file."""
        return list(self._records)

    def write_archive(self, folder: Path) -> None:
        """Write all records compressed."""
        text = "".join(f"{record.to_json()}\n" for record in self._records)
        (folder / ARCHIVE_FILE).write_bytes(lzma.compress(text.encode(), preset=9))

    def _remember(self, record: SolveRecord) -> None:
        self._records.append(record)
        self._limits[record.board] = max(record.limit, self._limits.get(record.board, 0))
        solved, known = record.solved, self._solved.get(record.board)
        if solved is not None and (known is None or len(solved.columns) > len(known.columns)):
            self._solved[record.board] = solved

    def _drop_incomplete_line(self) -> None:
        data = self._path.read_bytes()
        if data and not data.endswith(b"\n"):
            self._path.write_bytes(data[: data.rfind(b"\n") + 1])


def load_records(folder: Path) -> list[SolveRecord]:
    """Read the records of a run, from the file of a running run or from the archive; none if there is neither."""
    path, archive = folder / RESULTS_FILE, folder / ARCHIVE_FILE
    try:
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            return _parse(text[: text.rfind("\n") + 1], path)
        return _parse(lzma.decompress(archive.read_bytes()).decode(), archive) if archive.is_file() else []
    except (lzma.LZMAError, UnicodeDecodeError):
        raise ExperimentError(f"{archive}: not a text file compressed by xz") from None


def _parse(text: str, path: Path) -> list[SolveRecord]:
    records = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            records.append(SolveRecord.from_json(line))
        except ValueError as error:
            raise ExperimentError(f"{path}, line {number}: {error}; delete the line to solve its board again") from None
    return records
