"""Models from which websocket replies (replies.py) and HTTP responses are built."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from fourfall import ColumnAnalysis, Score
from fourfall.arena.event_summary import Estimate, EventState, GroupSummary
from fourfall.arena.game_review import MoveReview
from fourfall.arena.ladder.registry import AgentState
from fourfall.arena.live_games import LiveGame
from fourfall.arena.mistakes import MistakeKind
from fourfall.coach import FactKind
from fourfall.web.errors import ErrorCode, Parameter, RequestError
from fourfall.web.messages.requests import Thresholds

Cell = tuple[int, int]
Proof = Literal["win", "draw", "loss"]


class ErrorInfo(BaseModel):
    """Why a request failed."""

    code: ErrorCode
    params: dict[str, Parameter]
    message: str

    @classmethod
    def from_error(cls, error: RequestError) -> "ErrorInfo":
        """Convert an error."""
        return cls(code=error.code, params=error.params, message=str(error))


class ScoreInfo(BaseModel):
    """A score of one player, by default the side to move; `distance` is in plies."""

    win_chance: float
    proof: Proof | None = None
    distance: int | None = None

    @classmethod
    def from_score(cls, score: Score) -> "ScoreInfo":
        """Convert a score of a search.

        >>> ScoreInfo.from_score(Score.win(3))
        ScoreInfo(win_chance=1.0, proof='win', distance=3)
        """
        return cls(win_chance=round(score.win_chance, 4), proof=score.proof, distance=score.distance)


class EngineInfo(BaseModel):
    """An engine or third-party agent that can be chosen."""

    name: str
    summary: str
    search: Literal["tree", "graph"] | None
    third_party: bool


class LevelInfo(BaseModel):
    """A playing strength that can be chosen."""

    name: str
    preset: str
    simulations: int


class LimitsInfo(BaseModel):
    """Limits of requests."""

    move_time_s: float
    analysis_time_s: float
    simulations: int
    review_move_time_s: float
    match_games: int
    message_bytes: int
    messages_per_s: float
    games: int


class Defaults(BaseModel):
    """Values of fields that a request leaves out."""

    opponent: str = "level-30"
    engine: str = "fourfall"
    move_time_s: float = 1.0
    review_move_time_s: float = 0.2
    thresholds: Thresholds = Thresholds()


class ServerInfo(BaseModel):
    """Version, engines, levels, limits and defaults of the server."""

    version: str
    engines: list[EngineInfo]
    levels: list[LevelInfo]
    limits: LimitsInfo
    defaults: Defaults


class OutcomeInfo(BaseModel):
    """How a game ended; `cells` are the stones of all winning lines."""

    winner: Literal[0, 1] | None
    ending: str
    cells: list[Cell]
    detail: str = ""


class ClockInfo(BaseModel):
    """The clock of a game; `left_ms` is the time left to both players when the message is sent."""

    initial_s: float
    increment_s: float
    left_ms: tuple[float, float]


class PositionInfo(BaseModel):
    """A position with its legal moves and the threats of the first and the second player."""

    position: str
    rows: int
    cols: int
    hole: Cell | None
    ply: int
    turn: int
    moves: list[int]
    legal: list[int]
    last: Cell | None
    outcome: OutcomeInfo | None
    threats: tuple[list[Cell], list[Cell]]


class ColumnInfo(BaseModel):
    """The score of one column in an analysis, for the side to move, and the expected moves after it.

    `win_chance` is None in the first moments of an analysis, before the column has an estimate. `pv` begins with the
    column; after a proven loss it continues with the refutation.
    """

    column: int
    visits: int
    win_chance: float | None
    proof: Proof | None
    distance: int | None
    pv: list[int]

    @classmethod
    def from_analysis(cls, column: ColumnAnalysis) -> "ColumnInfo":
        """Convert the analysis of a column."""
        score = ScoreInfo.from_score(column.score)
        return cls(
            column=column.column,
            visits=column.visits,
            win_chance=score.win_chance if column.has_score else None,
            proof=score.proof,
            distance=score.distance,
            pv=column.pv,
        )


class SentencesInfo(BaseModel):
    """Sentences in English and Chinese."""

    en: list[str]
    zh: list[str]


class StoneInfo(BaseModel):
    """A stone of a sequence of moves."""

    row: int
    col: int
    player: Literal[0, 1]


class FactInfo(BaseModel):
    """A checked statement about a move with what a board can draw of it; `docs/coach.md` defines the kinds.

    `player` has the advantage that the fact states. `moves` are stones that the board numbers from 1, beginning at the
    position before the move. `column` is another column that the fact names. `text` are those sentences of the
    explanation that are about this fact; empty if the explanation leaves it out.
    """

    kind: FactKind
    player: Literal[0, 1]
    cells: list[Cell]
    lines: list[list[Cell]]
    moves: list[StoneInfo]
    column: int | None
    text: SentencesInfo


class ReviewedMove(BaseModel):
    """A move, the best move and its principal variation; both scores are of the player who moves."""

    ply: int
    player: Literal[0, 1]
    column: int
    best: int
    pv: list[int]
    score_before: ScoreInfo
    score_after: ScoreInfo
    loss: float
    missed_win: bool = False
    mark: MistakeKind

    @classmethod
    def from_review(cls, move: MoveReview) -> "ReviewedMove":
        """Convert the review of a move."""
        return cls(
            ply=move.ply,
            player=0 if move.player == 0 else 1,
            column=move.column,
            best=move.best,
            pv=list(move.pv),
            score_before=ScoreInfo.from_score(move.score_before),
            score_after=ScoreInfo.from_score(move.score_after),
            loss=move.loss,
            missed_win=move.missed_win,
            mark=move.mark,
        )


class GameSummary(BaseModel):
    """A game in a list."""

    id: str
    source: Literal["page", "arena"]
    event: int | None
    names: tuple[str, str]
    board: str
    position: str
    plies: int
    status: Literal["playing", "over"]
    winner: Literal[0, 1] | None
    ending: str | None
    started: str
    reviewed: bool


class GameList(BaseModel):
    """Games, newest first; `next` is the value of `before` that requests the rest, or None."""

    games: list[GameSummary]
    next: str | None


class ImportedGame(BaseModel):
    """The game in a pasted text; a text board has no move order, so one is reconstructed.

    `ply` is the number of stones at which a link shows the game.
    """

    kind: Literal["position", "moves", "record", "text_board"]
    start: str
    moves: list[int]
    position: str
    names: tuple[str, str] | None = None
    move_order: Literal["given", "reconstructed"] = "given"
    ply: int | None = None


class EventInfo(BaseModel):
    """An event in a list; `can_stop` says whether this server runs it."""

    id: int
    name: str
    state: EventState
    games: int
    planned: int | None
    created: str
    can_stop: bool


class EventList(BaseModel):
    """All events, newest first."""

    events: list[EventInfo]


class FinishedGameInfo(BaseModel):
    """A finished game of an event."""

    id: str
    number: int
    names: tuple[str, str]
    winner: Literal[0, 1] | None
    ending: str
    moves: int


class SuspensionInfo(BaseModel):
    """Why an agent of a ladder is suspended: failures in its last games, and the last game that it lost so."""

    failed: int
    played: int
    game: str
    ending: str
    detail: str


class LadderAgentInfo(BaseModel):
    """An agent of a ladder.

    `rank` is None for agents that are not active, `elo` for agents that games do not connect with the others. `trend`
    is the change of the rating over about the last 100 games of the ladder.
    """

    rank: int | None
    agent: str
    state: AgentState
    games: int
    won: int
    drawn: int
    lost: int
    elo: Estimate | None
    trend: float | None
    failures: dict[str, int]
    suspension: SuspensionInfo | None


class LadderInfo(BaseModel):
    """The registered agents of a ladder, active ones first; when `history_pairs` changes, there is new history."""

    agents: list[LadderAgentInfo]
    history_pairs: int


class LadderHistory(BaseModel):
    """Ratings of a ladder over time: for each agent one rating per point, or null before its first game."""

    games: list[int]
    times: list[str]
    ratings: dict[str, list[float | None]]


class EventDetails(EventInfo):
    """An event with its standings, its last finished games and its live games; `ladder` is null for other events."""

    groups: list[GroupSummary]
    recent: list[FinishedGameInfo]
    live: list[LiveGame]
    ladder: LadderInfo | None = None


class StartedMatch(BaseModel):
    """The event of a match that was started."""

    event: Annotated[int, Field(ge=1)]
