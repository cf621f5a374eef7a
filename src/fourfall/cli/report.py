"""The command ``fourfall report``: a report about an event as HTML, CSV, JSON, SVG or text."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from fourfall.arena.store import Event, Store
from fourfall.arena.tables import format_standings, replace_control_characters
from fourfall.cli.database import DEFAULT_DATABASE, DatabaseArgument, EventOption, print_grid
from fourfall.report.words import LANGUAGES
