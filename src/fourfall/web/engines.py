"""Owns which engines a page may name, and what thinking with one of them means."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from fourfall import Engine, Preset, presets
from fourfall import __version__ as VERSION  # noqa: N812 (a constant)
from fourfall.agents.address import parse_address
from fourfall.agents.levels import LEVELS
from fourfall.agents.registry import AddressError, check_address
from fourfall.web import limits, shapes
from fourfall.web.refusal import Refusal


@dataclass(frozen=True)
class Mind:
    """A built-in engine: its preset, and the simulations of a level."""

    name: str
    preset: Preset
    simulations: int | None = None

    @property
    def resumes(self) -> bool:
        """Whether a search of the same position goes on where the last one ended."""
        return self.preset.search == "graph" or bool(getattr(self.preset.config, "reuse", False))

    def engine(self, memory_mb: int, seed: int = 0) -> Engine:
        """Make an engine that thinks in one thread."""
        return Engine(self.preset, seed=seed, memory_mb=memory_mb, threads=1)


class Catalogue:
    """The built-in engines, and the bots that whoever started the server allows.

    >>> catalogue = Catalogue([])
    >>> catalogue.mind("level-4").simulations
    120
    >>> catalogue.require("library:./bot.so")
    Traceback (most recent call last):
    fourfall.web.refusal.Refusal: 'library:./bot.so' is not built in; bots are named on the command line, with --agent
    """

    def __init__(self, agents: Sequence[str] = ()) -> None:
        for address in agents:
            check_address(address)
        self.agents = tuple(dict.fromkeys(address for address in agents if address not in self._builtin()))

    @staticmethod
    def _builtin() -> tuple[str, ...]:
        return (*presets.names(), *LEVELS)

    def require(self, name: str) -> None:
        """Complain of a name that is neither built in nor allowed."""
        if name in self.agents or name in self._builtin():
            return
        try:
            parsed = parse_address(name)
        except AddressError:
            parsed = None
        if parsed is None or parsed.kind or parsed.options or "/" in name or name.endswith((".toml", ".so", ".py")):
            shown = name if len(name) <= 60 else f"{name[:57]}..."
            raise Refusal(
                "foreign_engine", f"{shown!r} is not built in; bots are named on the command line, with --agent"
            )
        raise Refusal("unknown_engine", f"there is no engine {name[:60]!r}")

    def is_bot(self, name: str) -> bool:
        """Whether a name is that of a bot, which runs outside this process."""
        return name in self.agents

    def mind(self, name: str) -> Mind:
        """Return a built-in engine by its name."""
        self.require(name)
        if self.is_bot(name):
            raise Refusal("unknown_engine", f"{name[:60]!r} plays, but cannot analyse")
        return _mind(name)

    def choices(self, allowed: limits.Limits) -> shapes.Choices:
        """List everything that there is to choose from."""
        loaded = [presets.load(name) for name in presets.names()]
        engines = [
            shapes.Engine(
                name=preset.name,
                summary=preset.summary,
                search="graph" if preset.search == "graph" else "tree",
                foreign=False,
            )
            for preset in loaded
        ]
        engines += [shapes.Engine(name=name, summary="", search=None, foreign=True) for name in self.agents]
        return shapes.Choices(
            version=VERSION,
            engines=engines,
            levels=[
                shapes.Level(name=name, preset=level.preset, simulations=level.simulations)
                for name, level in LEVELS.items()
            ],
            limits=shapes.Allowed(
                time_s=limits.MOVE_S,
                analysis_s=limits.ANALYSIS_S,
                nodes=limits.NODES,
                review_s=limits.REVIEW_S,
                match_games=limits.MATCH_GAMES,
                message_bytes=allowed.body_bytes,
                messages_per_s=allowed.messages_per_s,
                games=allowed.games,
            ),
            defaults=shapes.Defaults(),
        )


@cache
def _mind(name: str) -> Mind:
    level = LEVELS.get(name)
    if level is not None:
        return Mind(name, presets.load(level.preset), level.simulations)
    return Mind(name, presets.load(name))


class KeptEngines:
    """The engines of the games that were played last, so that an opponent remembers what it thought before.

    An engine that thinks is taken out; so it is never dropped, and never asked twice at once.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._engines: OrderedDict[str, Engine] = OrderedDict()

    def take(self, game: str) -> Engine | None:
        """Take a game's engine out, if it is still there."""
        return self._engines.pop(game, None)

    def keep(self, game: str, engine: Engine) -> None:
        """Keep a game's engine, and drop the one that was not used for longest."""
        self._engines[game] = engine
        while len(self._engines) > self._most:
            self._engines.popitem(last=False)

    def drop(self, game: str) -> None:
        """Forget a game's engine."""
        self._engines.pop(game, None)
