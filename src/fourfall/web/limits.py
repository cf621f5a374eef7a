"""Limits of the server: sizes, rates, times and numbers."""

from dataclasses import dataclass, field

from fourfall.system.cores import count_cores


@dataclass(frozen=True)
class Limits:
    """Limits that tests and load measurements change; docs/page.md lists them for users.

    Attributes:
        body_bytes: size of a websocket message or of the body of an HTTP request.
        messages_per_s: rate of the messages of one connection; `message_burst` of them may come at once.
        requests_per_s: rate of the HTTP requests of one client address; `request_burst` of them may come at once.
        client_requests: requests for data of one client address that are carried out at the same time; others wait.
        header_bytes: size of the headers of a request.
        header_s: time for the headers of a request to arrive.
        body_s: time for the body of a request to arrive.
        unread_s: time after which the connection of a client that reads nothing is closed.
        connections: open connections, HTTP and websockets together.
        client_connections: open connections of one client address.
        client_connects_per_s: rate of new connections of one client address; `client_connect_burst` may come at once.
        websockets: open websockets.
        client_websockets: open websockets of one client address.
        frames_per_s: rate of the frames of one websocket, pings included; `frame_burst` of them may come at once.
        token_attempts: wrong tokens of one client address before it is locked.
        token_lock_s: time of the first lock; it doubles with each further wrong token, up to 5 minutes.
        token_memory_s: time without a wrong token after which earlier ones are forgotten.
        unsent_messages: messages that wait for a slow connection before it is closed.
        new_games_per_s: rate of new games of one client address; `new_game_burst` of them may be started at once.
        games: games of which one connection receives the changes.
        abandoned_search_s: time after which the search of an opponent stops when no page shows the game any more.
        idle_game_s: time after which a game without subscribers is removed from memory.
        move_threads: threads in which opponents choose their moves.
        analysis_threads: threads in which analyses and reviews run.
        queued_analyses: analyses and reviews that run or wait.
        client_analyses: analyses and reviews of one client address that run or wait.
        turn_s: time after which an analysis gives its thread to the next one in the queue.
        snapshot_s: time between two messages of an analysis.
        hint_s: time of the search for a hint.
        explain_s: time of the search for an explanation, if it needs one.
        kept_agents: games whose opponent keeps its search tree between two moves.
        kept_analyses: analyses that reached the limit of time and keep their search tree, so that they can continue.
        move_memory_mb: memory of an opponent's search.
        analysis_memory_mb: memory of the search of an analysis or a review.
    """

    body_bytes: int = 16 << 10
    messages_per_s: float = 20.0
    message_burst: int = 60
    requests_per_s: float = 100.0
    request_burst: int = 300
    client_requests: int = 6
    header_bytes: int = 16 << 10
    header_s: float = 10.0
    body_s: float = 10.0
    unread_s: float = 30.0
    connections: int = 512
    client_connections: int = 128
    client_connects_per_s: float = 30.0
    client_connect_burst: int = 200
    websockets: int = 256
    client_websockets: int = 64
    frames_per_s: float = 100.0
    frame_burst: int = 300
    token_attempts: int = 5
    token_lock_s: float = 1.0
    token_memory_s: float = 900.0
    unsent_messages: int = 200
    new_games_per_s: float = 2.0
    new_game_burst: int = 40
    games: int = 8
    abandoned_search_s: float = 3.0
    idle_game_s: float = 600.0
    move_threads: int = field(default_factory=lambda: max(4, 2 * count_cores()))
    analysis_threads: int = field(default_factory=count_cores)
    queued_analyses: int = 32
    client_analyses: int = 8
    turn_s: float = 1.0
    snapshot_s: float = 0.12
    hint_s: float = 1.0
    explain_s: float = 0.2
    kept_agents: int = 16
    kept_analyses: int = 4
    move_memory_mb: int = 32
    analysis_memory_mb: int = 64


MAX_MOVE_TIME_S = 30.0
MAX_ANALYSIS_TIME_S = 120.0
MAX_REVIEW_MOVE_TIME_S = 2.0
"""Maximum time per position of a review."""
MAX_LEVEL_TIME_S = 5.0
"""Maximum time per move of a level, which normally stops earlier: after its number of simulations."""
MAX_CLOCK_S = 3 * 3600.0
"""Maximum time of a player for a whole game."""
MAX_INCREMENT_S = 60.0
MAX_SIMULATIONS = 50_000_000
MAX_MATCH_GAMES = 200
MAX_MATCH_MOVE_TIME_S = 10.0
THIRD_PARTY_MEMORY_MB = 512
MAX_TEXT_BYTES = 16 << 10
"""Maximum length of a pasted text."""
MAX_POSITION_LENGTH = 200
"""Longer than the notation of a full board of 12 x 12 cells."""
MAX_EXPLORER_STEPS = 20_000
"""Maximum number of different openings that one request of the opening explorer compares with the position."""
