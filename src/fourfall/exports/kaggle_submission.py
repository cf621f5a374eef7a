"""Exports Fourfall as a submission for Kaggle's ConnectX: one Python file that needs only NumPy."""

import ast
import errno
import re
from collections.abc import Iterator
from pathlib import Path

from fourfall import _core
from fourfall.arena.output_file import open_output
from fourfall.exports import kaggle
from fourfall.exports.kaggle_weights import encode_weights
from fourfall.exports.single_file import SOURCES
from fourfall.weights.tensors import WeightsTensors, read_tensors

MODULES = ("rules", "planes", "network", "alpha_beta", "graph_search", "player", "embedded_weights", "agent")
"""Modules of the submission, each after those that it imports; Kaggle plays with the last function of the file."""

STRENGTH = "about level 98 on 6x7 at 2 s a move (95 % confidence: level 94 to above 100; 60 games)"
"""Measured strength of a submission with the packaged network; docs/kaggle.md has the games."""

_LITERAL_WIDTH = 112  # characters per line of the embedded weights
_THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


def export_kaggle(path: Path, weights: Path | None = None, *, overwrite: bool = False) -> int:
    """Write a submission with the network of a weights file, by default the packaged one; return its size in bytes.

    The file appears only when it is complete. Raises FileExistsError if the file exists and `overwrite` is false, and
    WeightsError for an invalid weights file.
    """
    if path.exists() and not overwrite:
        raise FileExistsError(errno.EEXIST, "the file exists", str(path))
    source = generate_submission(read_tensors(weights))
    with open_output(path, newline="\n") as file:
        file.write(source)
    return len(source.encode())


def generate_submission(network: WeightsTensors | None) -> str:
    """Return the source of a submission; without a network it plays by alpha-beta search alone.

    >>> source = generate_submission(None)
    >>> source.startswith("# Fourfall"), "from fourfall" in source
    (True, False)
    """
    folder = Path(kaggle.__file__).parent
    imports: set[str] = set()
    names: set[str] = set()
    body: list[str] = []
    for module in MODULES:
        source = (folder / f"{module}.py").read_text(encoding="utf-8")
        if module == "embedded_weights" and network is not None:
            source = '"""The weights of the network as text."""\n\n' + "\n".join(
                _write_literal(encode_weights(network))
            )
        body += ["", "", *_convert_module(module, source, imports, names)]
    return "\n".join([*_make_header(network), "", *_order_imports(imports), *body, ""])


def _make_header(network: WeightsTensors | None) -> list[str]:
    notice = (SOURCES / "LICENSE").read_text(encoding="utf-8").strip().splitlines()
    return [
        f"# Fourfall {_core.version}: an agent for Kaggle's ConnectX. It needs Python 3.10 or newer and NumPy.",
        f"# Network: {'none' if network is None else 'weights file with SHA-256 ' + network.digest}.",
        "#",
        *(f"# {line}".rstrip() for line in notice),
        "",
        "import os",
        "",
        "# Small matrix products are fastest in one thread. This has an effect only before NumPy is first imported.",
        f"for _variable in {_THREAD_VARIABLES!r}:".replace("'", '"'),
        '    os.environ.setdefault(_variable, "1")',
    ]


def _convert_module(name: str, source: str, imports: set[str], names: set[str]) -> Iterator[str]:
    """Yield the lines of a module without its imports, which are added to `imports`; its docstring becomes a comment.

    Raises ValueError if the module defines a name that is already in `names`: all modules share one namespace.
    """
    tree, lines = ast.parse(source), source.splitlines()
    start = 0
    for statement in tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            if not (isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith("fourfall")):
                imports.add(ast.unparse(statement))
            start = max(start, statement.end_lineno or 0)
        for defined in _list_names(statement):
            if defined in names:
                raise ValueError(f"{name}.py defines {defined}, which another module of the submission defines, too")
            names.add(defined)
    docstring = ast.get_docstring(tree)
    if docstring is None:
        raise ValueError(f"{name}.py has no docstring")
    yield from (f"# {line}".rstrip() for line in docstring.splitlines())
    yield ""
    rest = lines[max(start, tree.body[0].end_lineno or 0) :]
    text = re.sub(r" *# noqa:.*", "", "\n".join(rest)).strip("\n")
    yield from text.splitlines()


def _list_names(statement: ast.stmt) -> list[str]:
    """Return the names that a statement of a module defines."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = list(statement.targets)
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]


def _order_imports(imports: set[str]) -> list[str]:
    """Return the import statements in the usual order: the standard library, then NumPy."""
    order = sorted(imports, key=lambda line: (line.startswith("from"), line))
    numpy = [line for line in order if line.split()[1].startswith("numpy")]
    return [*(line for line in order if line not in numpy), "", *numpy]


def _write_literal(text: str) -> Iterator[str]:
    yield "WEIGHTS = ("
    yield from (f'    "{text[at : at + _LITERAL_WIDTH]}"' for at in range(0, len(text), _LITERAL_WIDTH))
    yield ")"
