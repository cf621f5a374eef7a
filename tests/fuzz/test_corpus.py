"""Tests that every kept input of the fuzzer, and every first input, passes the checks of its target."""

import pytest

from tests.fuzz.corpus import read_corpus
from tests.fuzz.seeds import list_seeds
from tests.fuzz.targets import TARGETS


@pytest.mark.parametrize("target", TARGETS)
def test_kept_inputs_pass(target: str) -> None:
    """No input makes a parser fail in an undocumented way."""
    for data in [*list_seeds(target), *read_corpus(target)]:
        try:
            TARGETS[target](data)
        except Exception as error:
            raise AssertionError(f"{target}: the input {data!r} fails") from error


@pytest.mark.parametrize("target", TARGETS)
def test_a_first_input_is_accepted(target: str) -> None:
    """Without a valid first input, the fuzzer would mostly see how inputs are rejected."""
    assert any(TARGETS[target](data) for data in list_seeds(target))
