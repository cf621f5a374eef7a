"""Selects a bounded number of games to embed: failures and lost games first, spread over the opponents."""

from itertools import chain, zip_longest

from fourfall.report.game_rows import GameRow


class GameSelection:
    """Remembers the numbers of games while they are read; `choose` returns the ones to embed.

    Games that an agent in focus lost come first (without focus every decided game counts), then other games. Of each
    kind the pairings take turns, so that a few opponents do not displace the others.
    """

    def __init__(self, focus: str | None, maximum: int) -> None:
        self._focus = focus
        self._maximum = maximum
        self._failed: dict[tuple[str, str], list[int]] = {}
        self._lost: dict[tuple[str, str], list[int]] = {}
        self._others: dict[tuple[str, str], list[int]] = {}
        self.lost_total = 0

    def add(self, row: GameRow) -> None:
        """Consider a game."""
        if self._focus is not None and self._focus not in row.names:
            return
        kind = self._others
        if self._is_lost(row):
            self.lost_total += 1
            kind = self._lost if row.culprit is None else self._failed
        games = kind.setdefault(row.names, [])
        if len(games) < self._maximum:
            games.append(row.id)

    def _is_lost(self, row: GameRow) -> bool:
        if row.winner is None:
            return False
        return self._focus is None or row.names[1 - row.winner] == self._focus

    def choose(self) -> list[int]:
        """Return the numbers of the games to embed, in the order of the database."""
        kinds = (self._lost, self._failed, self._others)
        in_turn = chain.from_iterable(chain.from_iterable(zip_longest(*kind.values())) for kind in kinds)
        return sorted([game for game in in_turn if game is not None][: self._maximum])
