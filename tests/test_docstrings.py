"""Owns the docstrings of the public names: all have one, and the examples of the native ones run.

The examples in Python modules are found by pytest itself; those of the native module are not, because the standard
finder does not know nanobind's functions.
"""

import doctest
import inspect
from collections.abc import Iterator

import numpy as np
import pytest

import fourfall


def native_names() -> Iterator[tuple[str, object]]:
    """Yield every public name of the native module, and every public attribute of its classes, with its dotted path."""
    for name, thing in vars(fourfall._core).items():
        if name.startswith("_"):
            continue
        yield name, thing
        if inspect.isclass(thing):
            for attribute, member in vars(thing).items():
                if not attribute.startswith("_"):
                    yield f"{name}.{attribute}", member


def prose(thing: object) -> str:
    """Return the docstring without the line with which nanobind repeats the signature."""
    text = inspect.cleandoc(thing.__doc__ or "")
    signature, _, rest = text.partition("\n")
    return rest if signature.endswith(")") or ") -> " in signature else text


NATIVE = dict(native_names())
PUBLIC = {name: getattr(fourfall, name) for name in fourfall.__all__ if name != "__version__"}
DOCUMENTED = PUBLIC | {name: thing for name, thing in NATIVE.items() if name.partition(".")[0] in PUBLIC}
WITH_EXAMPLES = [name for name, thing in NATIVE.items() if ">>>" in prose(thing)]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_of_a_native_name_run(name: str) -> None:
    """What a docstring shows is what happens."""
    namespace = PUBLIC | {"np": np}
    test = doctest.DocTestParser().get_doctest(prose(NATIVE[name]), namespace, name, None, None)
    report: list[str] = []
    doctest.DocTestRunner().run(test, out=report.append)
    assert test.examples
    assert not report, "".join(report)


@pytest.mark.parametrize("name", ["Board", "Board.push", "Board.planes", "Geometry.mirror", "Outcome", "rollouts"])
def test_examples_are_found(name: str) -> None:
    """The search for examples reaches classes, methods, properties and functions."""
    assert name in WITH_EXAMPLES


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_public_name_has_a_docstring(name: str) -> None:
    """Every public name, and every public attribute of the native classes among them, says what it is in a sentence."""
    assert prose(DOCUMENTED[name]).strip().partition("\n")[0].endswith(".")
