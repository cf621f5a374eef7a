"""Data sets: positions from games or random openings with exact or estimated labels, as Parquet files."""

from fourfall.datasets.check import CheckResult, check_dataset
from fourfall.datasets.errors import DatasetError, DatasetFailure
from fourfall.datasets.make import Progress, make_dataset
from fourfall.datasets.parquet_file import Metadata
from fourfall.datasets.reader import Dataset, read, read_batches
from fourfall.datasets.schema import COLUMNS, Column
from fourfall.datasets.settings import Settings, StoneRange
from fourfall.datasets.summary import Summary, summarise

__all__ = [
    "COLUMNS",
    "CheckResult",
    "Column",
    "Dataset",
    "DatasetError",
    "DatasetFailure",
    "Metadata",
    "Progress",
    "Settings",
    "StoneRange",
    "Summary",
    "check_dataset",
    "make_dataset",
    "read",
    "read_batches",
    "summarise",
]
