"""Parses addresses, the short texts `[kind:]target[?key=value[&key=value]]` that name agents."""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from fourfall.system.command_line import has_drive

KINDS = ("kaggle", "library", "program", "program+json", "python", "ugi")
"""What may come before the colon; without a colon the target is a built-in engine."""


class AddressError(ValueError):
    """An address that names no agent; the message says what is wrong."""


@dataclass(frozen=True)
class Address:
    """The parts of an address; `kind` is empty for a built-in engine.

    `read` has the paths of the options `read`, which may be repeated; they are not in `options`.
    """

    kind: str
    target: str
    options: Mapping[str, str]
    read: tuple[str, ...] = ()

    def __str__(self) -> str:
        pairs = [*self.options.items(), *(("read", quote_path(path)) for path in self.read)]
        options = "&".join(f"{key}={value}" for key, value in pairs)
        return (f"{self.kind}:" if self.kind else "") + self.target + (f"?{options}" if options else "")

    def make_error(self, text: str) -> AddressError:
        """Return an error whose message begins with the address."""
        return AddressError(f"{str(self)!r}: {text}")


def parse_address(address: str) -> Address:
    """Split an address into its parts.

    >>> parse_address("program:./bot --fast")
    Address(kind='program', target='./bot --fast', options={}, read=())
    >>> parse_address("seed-002?time=0.5&memory_mb=64").options
    {'time': '0.5', 'memory_mb': '64'}
    >>> parse_address("library:bot.so?read=book.bin&read=data").read
    ('book.bin', 'data')
    """
    kind, colon, rest = address.partition(":")
    if not colon or not re.fullmatch(r"[\w+-]*", kind) or has_drive(address):
        kind, rest = "", address
    elif kind not in KINDS:
        near = difflib.get_close_matches(kind, KINDS, n=2, cutoff=0.5)
        listed = f"similar: {', '.join(near)}" if near else f"available: {', '.join(KINDS)}"
        raise AddressError(f"{address!r}: unknown kind {kind!r}; {listed}")
    target, question_mark, tail = rest.partition("?")
    if not target.strip() or "\0" in target:
        raise AddressError(f"{address!r}: the name of the agent is missing or invalid")
    options: dict[str, str] = {}
    read: list[str] = []
    for pair in tail.split("&") if question_mark else []:
        key, equals, value = pair.partition("=")
        if key == "read":
            if not value or "\0" in value:
                raise AddressError(f"{address!r}: the option read needs the path of a file or folder")
            read.append(unquote_path(value))
            continue
        if not key or not equals or key in options:
            raise AddressError(
                f"{address!r}: options after '?' must be different key=value pairs separated by '&', not {pair!r}"
            )
        options[key] = value
    return Address(kind, target.strip(), options, tuple(read))


def parse_integer_options(address: Address, ranges: Mapping[str, tuple[int, int]]) -> dict[str, int]:
    """Return the options of an address that are integers in a range."""
    numbers = {}
    for key in address.options.keys() & ranges.keys():
        low, high = ranges[key]
        text = address.options[key]
        if not re.fullmatch(r"[0-9]{1,20}", text) or not low <= int(text) <= high:
            raise address.make_error(f"{key} must be an integer from {low} to {high}, not {text!r}")
        numbers[key] = int(text)
    return numbers


def parse_seconds_option(address: Address, key: str, max_s: float) -> float | None:
    """Return an option of an address that is a number of seconds, or None if it is not given."""
    if key not in address.options:
        return None
    text = address.options[key]
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= max_s:
        raise address.make_error(f"{key} must be a number of seconds from 0 to {max_s:g}, not {text!r}")
    return seconds


def quote_path(path: str) -> str:
    """Return a path as the value of an option: % and & are written as %25 and %26.

    >>> quote_path("/srv/R&D")
    '/srv/R%26D'
    """
    return path.replace("%", "%25").replace("&", "%26")


def unquote_path(value: str) -> str:
    """Return the path that is the value of an option.

    >>> unquote_path("/srv/R%26D")
    '/srv/R&D'
    """
    return value.replace("%26", "&").replace("%25", "%")


def reject_unknown_options(address: Address, *known: str) -> None:
    """Raise AddressError if the address has other options than the known ones."""
    for key in (*address.options, *(["read"] if address.read else [])):
        if key not in known:
            raise address.make_error(f"unknown option {key!r}; allowed: {', '.join(known)}")
