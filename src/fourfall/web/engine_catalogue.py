"""Engines and third-party agents that requests may name."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from fourfall import Analysis, Board, Preset, __version__, presets
from fourfall.agents.address import parse_address
from fourfall.agents.base import Conditions
from fourfall.agents.levels import LEVELS
from fourfall.agents.native import EngineAgent
from fourfall.agents.registry import AddressError, check_address
from fourfall.agents.sandbox import require_system_support
from fourfall.engine import find_known_analysis
from fourfall.web import limits
from fourfall.web.errors import ErrorCode, RequestError, shorten
from fourfall.web.messages import schemas

_FILE_SUFFIXES = (".toml", ".so", ".py")
_MAX_NAME_LENGTH = 60


@dataclass(frozen=True)
class BuiltinEngine:
    """A preset or a level; only a level has a fixed number of simulations per move."""

    name: str
    preset: Preset
    simulations: int | None = None

    @property
    def can_resume(self) -> bool:
        """Whether a second search of the same position continues the first one."""
        return self.preset.search == "graph" or bool(getattr(self.preset.config, "reuse", False))

    def find_known_analysis(self, board: Board) -> Analysis | None:
        """Return the exact analysis of an empty board if the engine knows it without a search; a level knows none."""
        return find_known_analysis(self.preset, board) if self.simulations is None else None

    def create_agent(self, memory_mb: int, seed: int = 0) -> EngineAgent:
        """Create an agent that searches in one thread."""
        conditions = Conditions(seed=seed)
        return EngineAgent(self.preset, conditions, simulations=self.simulations, threads=1, memory_mb=memory_mb)


class EngineCatalogue:
    """The built-in engines, and the third-party agents that `--agent` allows.

    >>> catalogue = EngineCatalogue()
    >>> catalogue.find_engine("level-2").simulations
    1
    >>> catalogue.require("seed-999")
    Traceback (most recent call last):
    fourfall.web.errors.RequestError: there is no engine seed-999
    """

    def __init__(self, agents: Sequence[str] = (), *, sandbox: bool = True) -> None:
        """Check the agents; SandboxUnavailable if this system cannot run them. `sandbox` isolates their code."""
        for address in agents:
            check_address(address)
        require_system_support(agents, is_sandboxed=sandbox)
        self.sandbox = sandbox
        self.agents = tuple(dict.fromkeys(address for address in agents if address not in _list_builtin_names()))

    def require(self, name: str) -> None:
        """Raise RequestError if a request must not name this engine."""
        if name in self.agents or name in _list_builtin_names():
            return
        code: ErrorCode = "third_party_engine" if _is_address_or_file(name) else "unknown_engine"
        raise RequestError(code, engine=shorten(name, _MAX_NAME_LENGTH))

    def is_third_party(self, name: str) -> bool:
        """Whether a name is the address of a third-party agent."""
        return name in self.agents

    def find_engine(self, name: str) -> BuiltinEngine:
        """Return a built-in engine."""
        self.require(name)
        if self.is_third_party(name):
            raise RequestError("cannot_analyse", engine=shorten(name, _MAX_NAME_LENGTH))
        return _load_engine(name)

    def describe(self, server_limits: limits.Limits) -> schemas.ServerInfo:
        """Describe everything that a page can choose."""
        loaded = [presets.load(name) for name in presets.list_names()]
        engines = [
            schemas.EngineInfo(
                name=preset.name,
                summary=preset.summary,
                search="graph" if preset.search == "graph" else "tree",
                third_party=False,
            )
            for preset in loaded
        ]
        engines += [schemas.EngineInfo(name=name, summary="", search=None, third_party=True) for name in self.agents]
        return schemas.ServerInfo(
            version=__version__,
            engines=engines,
            levels=[
                schemas.LevelInfo(name=name, preset=level.preset, simulations=level.simulations)
                for name, level in LEVELS.items()
            ],
            limits=schemas.LimitsInfo(
                move_time_s=limits.MAX_MOVE_TIME_S,
                analysis_time_s=limits.MAX_ANALYSIS_TIME_S,
                simulations=limits.MAX_SIMULATIONS,
                review_move_time_s=limits.MAX_REVIEW_MOVE_TIME_S,
                match_games=limits.MAX_MATCH_GAMES,
                message_bytes=server_limits.body_bytes,
                messages_per_s=server_limits.messages_per_s,
                games=server_limits.games,
            ),
            defaults=schemas.Defaults(),
        )


def _list_builtin_names() -> tuple[str, ...]:
    return (*presets.list_names(), *LEVELS)


def _is_address_or_file(name: str) -> bool:
    """Whether a name has a kind, options or a path, which no request may use."""
    try:
        address = parse_address(name)
    except AddressError:
        return True
    return bool(address.kind or address.options) or "/" in name or name.endswith(_FILE_SUFFIXES)


@cache
def _load_engine(name: str) -> BuiltinEngine:
    level = LEVELS.get(name)
    if level is not None:
        return BuiltinEngine(name, presets.load(level.preset), level.simulations)
    return BuiltinEngine(name, presets.load(name))
