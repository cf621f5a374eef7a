"""The columns of a data set, and the rows as a table of Apache Arrow."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fourfall._core import Board
from fourfall.datasets.errors import DatasetFailure
from fourfall.datasets.labels import SCORE_BASE, Bounds, Label
from fourfall.datasets.staging import StagedPosition
from fourfall.datasets.stones import SET_BYTES, SIZE, choose_split, get_stone_sets
from fourfall.extras import describe_missing_package

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT = 1
"""Version of the schema, in the metadata of the file."""
METADATA_KEY = b"fourfall"


@dataclass(frozen=True)
class Column:
    """A column of a data set: `type` is the name of an Arrow type, `per_column` a list with one value per column."""

    name: str
    type: str
    meaning: str
    is_nullable: bool = False
    per_column: bool = False


COLUMNS = (
    Column("position", "string", "the position in text, `ROWSxCOLS[@row,col][:moves]`"),
    Column("rows", "int8", "rows of the board, 4 to 12"),
    Column("cols", "int8", "columns of the board, 4 to 12"),
    Column("hole_row", "int8", "row of the hole from the top; null without a hole", is_nullable=True),
    Column("hole_col", "int8", "column of the hole from the left; null without a hole", is_nullable=True),
    Column("stones", "int16", "number of stones on the board"),
    Column("player", "int8", "player to move: 0 or 1"),
    Column("own_stones", "stones", "stones of the player to move, a bit set of 18 bytes"),
    Column("opposing_stones", "stones", "stones of the opponent, a bit set of 18 bytes"),
    Column("legal", "bool", "whether a stone can be dropped into the column", per_column=True),
    Column("hash", "int64", "hash of the position, equal for its mirror image"),
    Column("split", "string", "`train`, `validation` or `test`"),
    Column("source", "int64", "number of the game, or of the attempt of the random opening"),
    Column("game_wins", "int32", "games with the position that the player to move won", is_nullable=True),
    Column("game_draws", "int32", "games with the position that were drawn", is_nullable=True),
    Column("game_losses", "int32", "games with the position that the player to move lost", is_nullable=True),
    Column("outcome", "int8", "proven result for the player to move: 1, 0 or -1; null if unknown", is_nullable=True),
    Column("distance", "int16", "plies to an exact win or loss; null for draws and bounds", is_nullable=True),
    Column("exact", "bool", "whether the score of the position is exact: `lower` equals `upper`"),
    Column("lower", "int16", "proven lower bound of the score", is_nullable=True),
    Column("upper", "int16", "proven upper bound of the score", is_nullable=True),
    Column("column_outcome", "int8", "proven result of the column: 1, 0 or -1", is_nullable=True, per_column=True),
    Column("column_lower", "int16", "proven lower bound of the score", is_nullable=True, per_column=True),
    Column("column_upper", "int16", "proven upper bound of the score", is_nullable=True, per_column=True),
    Column("value", "float32", "expected result, -1 to 1, of the engine", is_nullable=True),
    Column("column_value", "float32", "expected result of the engine", is_nullable=True, per_column=True),
    Column("policy", "float32", "share of the visits of the engine", is_nullable=True, per_column=True),
    Column("simulations", "int32", "simulations of the engine", is_nullable=True),
    Column("solver_positions", "int64", "positions that the solver searched", is_nullable=True),
)


def import_pyarrow() -> Any:  # noqa: ANN401 (a module)
    """Return the module pyarrow with pyarrow.parquet; DatasetFailure says how to install it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError as missing:
        raise DatasetFailure(describe_missing_package("a data set", "data", missing)) from None
    return pyarrow


def make_schema() -> "pa.Schema":
    """Return the Arrow schema of `COLUMNS`; lists have twelve values."""
    pa = import_pyarrow()
    types = {name: getattr(pa, name)() for name in ("string", "int16", "int32", "int64", "float32", "int8")}
    types |= {"bool": pa.bool_(), "stones": pa.binary(SET_BYTES)}
    fields = []
    for column in COLUMNS:
        kind = types[column.type]
        fields.append(pa.field(column.name, pa.list_(kind, SIZE) if column.per_column else kind, column.is_nullable))
    return pa.schema(fields)


def make_table(rows: Sequence[tuple[StagedPosition, Label | None]], schema: "pa.Schema") -> "pa.Table":
    """Return positions with their labels as a table."""
    pa = import_pyarrow()
    made = [{**describe_position(position), **describe_label(label)} for position, label in rows]
    return pa.Table.from_pylist(made, schema=schema)


def describe_position(staged: StagedPosition) -> dict[str, object]:
    """Return the columns of a row that do not depend on its label."""
    board = Board.parse(staged.position)
    sets = get_stone_sets(board)
    own, opposing = (sets.first, sets.second)[:: -1 if board.turn else 1]
    hole_row, hole_col = board.hole or (None, None)
    wins, draws, losses = staged.results or (None, None, None)
    return {
        "position": staged.position,
        "rows": board.rows,
        "cols": board.cols,
        "hole_row": hole_row,
        "hole_col": hole_col,
        "stones": board.ply,
        "player": board.turn,
        "own_stones": own.to_bytes(SET_BYTES, "little"),
        "opposing_stones": opposing.to_bytes(SET_BYTES, "little"),
        "legal": [column < board.cols and board.is_legal(column) for column in range(SIZE)],
        "hash": staged.hash,
        "split": choose_split(staged.hash),
        "source": staged.source,
        "game_wins": wins,
        "game_draws": draws,
        "game_losses": losses,
    }


def describe_label(label: Label | None) -> dict[str, object]:
    """Return the columns of a row that depend on its label."""
    if label is None:
        return {"exact": False}
    lower, upper = label.bounds
    return {
        "outcome": _get_outcome(label.bounds),
        "distance": SCORE_BASE - abs(lower) if lower == upper and lower else None,
        "exact": lower == upper,
        "lower": lower,
        "upper": upper,
        "column_outcome": [None if bounds is None else _get_outcome(bounds) for bounds in label.column_bounds],
        "column_lower": [None if bounds is None else bounds[0] for bounds in label.column_bounds],
        "column_upper": [None if bounds is None else bounds[1] for bounds in label.column_bounds],
        "value": label.value,
        "column_value": label.column_values,
        "policy": label.policy,
        "simulations": label.simulations,
        "solver_positions": label.solver_positions,
    }


def _get_outcome(bounds: Bounds) -> int | None:
    """Return the sign that both bounds share; None if they differ."""
    lower, upper = ((score > 0) - (score < 0) for score in bounds)
    return lower if lower == upper else None
