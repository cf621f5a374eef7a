"""Owns the grammar of addresses: the short texts `[kind:]target[?key=value[&key=value]]` that name agents."""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass

KINDS = ("library", "program", "program+json", "python", "ugi")
"""What may stand before the colon; without it the target is a built-in engine."""


class AddressError(ValueError):
    """An address that names no agent; the message says what is wrong with it."""


@dataclass(frozen=True)
class Address:
    """An address in its parts; the kind of a built-in engine is empty."""

    kind: str
    target: str
    options: Mapping[str, str]

    def __str__(self) -> str:
        options = "&".join(f"{key}={value}" for key, value in self.options.items())
        return (f"{self.kind}:" if self.kind else "") + self.target + (f"?{options}" if options else "")

    def complaint(self, text: str) -> AddressError:
        """Make an error that begins with the address."""
        return AddressError(f"{str(self)!r}: {text}")


def parse(address: str) -> Address:
    """Take an address apart.

    >>> parse("program:./bot --fast")
    Address(kind='program', target='./bot --fast', options={})
    >>> parse("seed-002?time=0.5&memory_mb=64").options
    {'time': '0.5', 'memory_mb': '64'}
    """
    kind, colon, rest = address.partition(":")
    if not colon or not re.fullmatch(r"[\w+-]*", kind):
        kind, rest = "", address
    elif kind not in KINDS:
        near = difflib.get_close_matches(kind, KINDS, n=2, cutoff=0.5) or KINDS
        raise AddressError(f"{address!r}: unknown kind {kind!r}; near ones: {', '.join(near)}")
    target, question_mark, tail = rest.partition("?")
    if not target.strip() or "\0" in target:
        raise AddressError(f"{address!r}: this address names nothing")
    options: dict[str, str] = {}
    for pair in tail.split("&") if question_mark else []:
        key, equals, value = pair.partition("=")
        if not key or not equals or key in options:
            raise AddressError(f"{address!r}: after the '?' come key=value pairs joined by '&', not {pair!r}")
        options[key] = value
    return Address(kind, target.strip(), options)


def whole_options(address: Address, ranges: Mapping[str, tuple[int, int]]) -> dict[str, int]:
    """Read those options of an address that are whole numbers in a range."""
    numbers = {}
    for key in address.options.keys() & ranges.keys():
        low, high = ranges[key]
        text = address.options[key]
        if not re.fullmatch(r"[0-9]{1,20}", text) or not low <= int(text) <= high:
            raise address.complaint(f"{key} must be a whole number from {low} to {high}, not {text!r}")
        numbers[key] = int(text)
    return numbers


def seconds_option(address: Address, key: str, most: float) -> float | None:
    """Read an option of an address that is a number of seconds, if it is given."""
    if key not in address.options:
        return None
    text = address.options[key]
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= most:
        raise address.complaint(f"{key} must be a number of seconds from 0 to {most:g}, not {text!r}")
    return seconds


def refuse_others(address: Address, *known: str) -> None:
    """Complain about options other than the known ones."""
    for key in address.options:
        if key not in known:
            listed = f"known ones: {', '.join(known)}" if known else f"{address.kind} has none"
            raise address.complaint(f"unknown option {key!r}; {listed}")
