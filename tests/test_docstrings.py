"""Tests that public names have docstrings and that the examples of the native module run.

pytest runs the examples in Python modules itself, but does not find those of nanobind functions.
"""

import doctest
import inspect
from collections.abc import Iterator

import numpy as np
import pytest

import fourfall


def list_native_names() -> Iterator[tuple[str, object]]:
    """Yield the public names of the native module and the public attributes of its classes, with their objects."""
    for name, value in vars(fourfall._core).items():
        if name.startswith("_"):
            continue
        yield name, value
        if inspect.isclass(value):
            for attribute, member in vars(value).items():
                if not attribute.startswith("_"):
                    yield f"{name}.{attribute}", member


def get_description(value: object) -> str:
    """Return the docstring without the signature line that nanobind adds."""
    text = inspect.cleandoc(value.__doc__ or "")
    signature, _, rest = text.partition("\n")
    return rest if signature.endswith(")") or ") -> " in signature else text


NATIVE = dict(list_native_names())
PUBLIC = {name: getattr(fourfall, name) for name in fourfall.__all__ if name != "__version__"}
DOCUMENTED = PUBLIC | {name: value for name, value in NATIVE.items() if name.partition(".")[0] in PUBLIC}
WITH_EXAMPLES = [name for name, value in NATIVE.items() if ">>>" in get_description(value)]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_native_examples_run(name: str) -> None:
    """The examples of a docstring give the output that it shows."""
    namespace = PUBLIC | {"np": np}
    test = doctest.DocTestParser().get_doctest(get_description(NATIVE[name]), namespace, name, None, None)
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert test.examples
    assert not report, "".join(report)


@pytest.mark.parametrize("name", ["Board", "Board.push", "Board.planes", "Geometry.mirror", "Outcome", "rollouts"])
def test_examples_are_found(name: str) -> None:
    """Examples of classes, methods, properties and functions are found."""
    assert name in WITH_EXAMPLES


@pytest.mark.parametrize("name", DOCUMENTED)
def test_public_name_has_a_docstring(name: str) -> None:
    """The docstring of every public name and of every attribute of native classes begins with a sentence."""
    assert get_description(DOCUMENTED[name]).strip().partition("\n")[0].endswith(".")
