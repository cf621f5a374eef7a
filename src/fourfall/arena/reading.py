"""Owns the strict reading of what people write: every key is known, every value in range, every complaint one line."""

import difflib
from collections.abc import Iterable, Mapping


class SpecError(ValueError):
    """A tournament that does not make sense; the message names the file, the key and what is allowed."""


class Section:
    """A table of a spec that knows where it stands; keys are read one by one, and `close` complains of the others.

    >>> section = Section("spec.toml", "", {"pairs": 0, "sead": 1})
    >>> section.whole("pairs", 1, 1000)
    Traceback (most recent call last):
    fourfall.arena.reading.SpecError: spec.toml: pairs must be a whole number from 1 to 1000, not 0
    >>> section.whole("seed", 0, 100, 7)
    7
    >>> section.close()
    Traceback (most recent call last):
    fourfall.arena.reading.SpecError: spec.toml: unknown key sead; near ones: seed
    """

    def __init__(self, where: str, path: str, values: Mapping[str, object]) -> None:
        self.where = where
        self.path = path
        self._values = values
        self._known: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def error(self, complaint: str) -> SpecError:
        """Make an error that begins with the file."""
        return SpecError(f"{self.where}: {complaint}")

    def name(self, key: str) -> str:
        """Write a key with the path that leads to it."""
        return f"{self.path}{key}"

    def close(self) -> None:
        """Complain of the first key that nobody asked for."""
        for key in self._values:
            if key not in self._known:
                near = difflib.get_close_matches(key, self._known, n=2, cutoff=0.5)
                listed = f"near ones: {', '.join(near)}" if near else f"known ones: {', '.join(self._known)}"
                raise self.error(f"unknown key {self.name(key)}; {listed}")

    def text(self, key: str, default: str | None = None) -> str:
        """Read a line of text; without a default it must be there."""
        value = self._take(key, default)
        if not isinstance(value, str) or not value.isprintable():
            raise self._wrong(key, "a line of text", value)
        return value

    def choice(self, key: str, choices: Iterable[str], default: str) -> str:
        """Read one of several words."""
        value = self._take(key, default)
        if not isinstance(value, str) or value not in choices:
            raise self._wrong(key, f"one of {quoted(choices)}", value)
        return value

    def truth(self, key: str, default: bool) -> bool:
        """Read true or false."""
        value = self._take(key, default)
        if not isinstance(value, bool):
            raise self._wrong(key, "true or false", value)
        return value

    def whole(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """Read a whole number in a range."""
        value = self._take(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self._wrong(key, f"a whole number from {low} to {high}", value)
        return value

    def number(self, key: str, low: float, high: float, default: float | None = None) -> float:
        """Read a number in a range."""
        value = self._take(key, default)
        # Not a number is neither at least the least nor at most the greatest.
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise self._wrong(key, f"a number from {low:g} to {high:g}", value)
        return float(value)

    def rising(self, key: str, low: float, high: float) -> tuple[float, float] | None:
        """Read two numbers in a range, the lower first; a missing key is None."""
        value = self._take(key, [])
        if key not in self:
            return None
        numbers = value if isinstance(value, list) else []
        whole = len(numbers) == 2 and all(isinstance(it, int | float) and not isinstance(it, bool) for it in numbers)
        if not whole or not low <= numbers[0] < numbers[1] <= high:
            raise self._wrong(key, f"two numbers from {low:g} to {high:g}, the lower first", value)
        return float(numbers[0]), float(numbers[1])

    def texts(self, key: str, default: Iterable[str] = ()) -> tuple[str, ...]:
        """Read a list of texts; a single text is a list of one."""
        value = self._take(key, list(default))
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            raise self._wrong(key, "a list of texts", value)
        return tuple(items)

    def table(self, key: str) -> "Section":
        """Read a table; a missing one is empty."""
        value = self._take(key, {})
        if not isinstance(value, dict):
            raise self.error(f"{self.name(key)} must be a table, written [{self.name(key)}]")
        return Section(self.where, f"{self.name(key)}.", value)

    def tables(self, key: str) -> list["Section"]:
        """Read a list of tables; people count them from 1."""
        value = self._take(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.error(f"{self.name(key)} must be tables, each written [[{self.name(key)}]]")
        return [Section(self.where, f"{self.name(key)}[{at}].", item) for at, item in enumerate(value, 1)]

    def _take(self, key: str, default: object) -> object:
        self._known.append(key)
        value = self._values.get(key, default)
        if value is None:
            raise self.error(f"{self.name(key)} is missing")
        return value

    def _wrong(self, key: str, wanted: str, value: object) -> SpecError:
        return self.error(f"{self.name(key)} must be {wanted}, not {shown(value)}")


def shown(value: object) -> str:
    """Show a value in a complaint, shortened where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def quoted(words: Iterable[str]) -> str:
    """List words in quotes.

    >>> quoted(["a", "b"])
    '"a", "b"'
    """
    return ", ".join(f'"{word}"' for word in words)
