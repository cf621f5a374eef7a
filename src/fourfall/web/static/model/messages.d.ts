// Types of the JSON that the page and the server exchange. Documentation: docs/page.md.

export type Player = 0 | 1;
export type Cell = [row: number, column: number];
export type Proof = "win" | "draw" | "loss";
export type MistakeKind = "inaccuracy" | "mistake" | "blunder";
export type Thresholds = Record<MistakeKind, number>;

/** Evaluation from the view of one player; `distance` counts plies to the end of the game. */
export interface ScoreInfo {
  win_chance: number;
  proof: Proof | null;
  distance: number | null;
}

export interface OutcomeInfo {
  winner: Player | null;
  ending: string;
  cells: Cell[];
  detail: string;
}

/** Time per player for the whole game; each move adds the increment. */
export interface ClockSettings {
  initial_s: number;
  increment_s: number;
}

export interface ClockInfo extends ClockSettings {
  /** Time left to both players when the message was sent. */
  left_ms: [number, number];
}

export interface EngineInfo {
  name: string;
  summary?: string;
  search?: string | null;
  third_party?: boolean;
}

export interface LevelInfo {
  name: string;
  preset: string;
  simulations: number;
}

export interface WelcomeReply {
  type: "welcome";
  ref?: null;
  version: string;
  engines: EngineInfo[];
  levels: LevelInfo[];
  limits: {
    move_time_s: number;
    analysis_time_s: number;
    simulations: number;
    review_move_time_s: number;
    match_games: number;
    message_bytes: number;
    messages_per_s: number;
    games: number;
  };
  defaults: {
    opponent: string;
    engine: string;
    move_time_s: number;
    review_move_time_s: number;
    thresholds: Thresholds;
  };
}

/** The complete state of one game. Arena games have `you` and `opponent` null; between two persons only `you` is. */
export interface GameReply {
  type: "game";
  ref?: string | null;
  game: string;
  position: string;
  start: string;
  moves: number[];
  redo: number[];
  turn: Player;
  you: Player | null;
  opponent: string | null;
  names: [string, string];
  move_time_s: number | null;
  simulations: number | null;
  clock: ClockInfo | null;
  thinking: boolean;
  status: "playing" | "over";
  outcome: OutcomeInfo | null;
  times_ms: (number | null)[];
  scores: (ScoreInfo | null)[];
  started: string;
  rematch_of: string | null;
}

export interface ThinkingReply {
  type: "thinking";
  ref?: null;
  game: string;
  since: string;
}

export interface HintReply {
  type: "hint";
  ref?: string | null;
  game: string;
  ply: number;
  column: number;
  score: ScoreInfo;
}

export interface QueuedReply {
  type: "queued";
  ref?: string | null;
  what: "analysis" | "review";
  place: number;
  key?: string | null;
}

/** Score of the side to move if it plays `column`; `win_chance` is null before the column has an estimate. */
export interface ColumnInfo {
  column: number;
  visits: number;
  win_chance: number | null;
  proof: Proof | null;
  distance: number | null;
  /** The expected moves, beginning with `column`; after a proven loss, `pv[1]` and the following moves refute it. */
  pv: number[];
}

export interface AnalysisReply {
  type: "analysis";
  ref?: string | null;
  key: string;
  position: string;
  engine: string;
  done: boolean;
  stopped_by: string;
  /** Whether a request with `resume` continues the search. */
  can_resume: boolean;
  move: number | null;
  score: ScoreInfo;
  columns: ColumnInfo[];
  /** Principal variation: the expected moves. */
  pv: number[];
  simulations: number;
  nodes: number;
  simulations_per_second: number;
  depth: number;
  seconds: number;
}

export interface ReviewedMove {
  ply: number;
  player: Player;
  column: number;
  best: number;
  /** Expected moves after `best`, which comes first. */
  pv: number[];
  score_before: ScoreInfo;
  score_after: ScoreInfo;
  loss: number;
  /** The player had a win and did not keep it. */
  missed_win: boolean;
  mark: "" | MistakeKind;
}

export interface ReviewReply {
  type: "review";
  ref?: string | null;
  game: string | null;
  position: string;
  start: string;
  engine: string;
  done: number;
  total: number;
  finished: boolean;
  stopped: boolean;
  moves: ReviewedMove[];
  final: ScoreInfo | null;
  accuracy: [number | null, number | null];
  turning_points: [number | null, number | null];
  thresholds: Thresholds;
  move_time_s: number;
}

export interface EventInfo {
  id: number;
  name: string;
  state: "running" | "stopped" | "complete" | "imported";
  games: number;
  planned: number | null;
  created: string;
  /** Whether the page can stop it: a running match that a page started. */
  can_stop: boolean;
}

/** Estimate with its confidence interval; an open bound is null. */
export interface Estimate {
  value: number | null;
  low: number | null;
  high: number | null;
}

export interface Standing {
  rank: number;
  agent: string;
  games: number;
  won: number;
  drawn: number;
  lost: number;
  first: [won: number, drawn: number, lost: number];
  second: [won: number, drawn: number, lost: number];
  score: Estimate;
  elo: Estimate;
  failures: Record<string, number>;
}

export interface GroupSummary {
  name: string;
  standings: Standing[];
  cross: ([number, number, number] | null)[][];
  /** Whether `elo` is the difference to the only opponent, or the rating relative to the mean. */
  elo_kind: "difference" | "rating";
  /** Sets of agents that no games connect, so that their ratings cannot be compared; empty if all can. */
  unconnected: string[][];
}

export interface LiveGame {
  number: number;
  group: string;
  names: [string, string];
  position: string;
}

export interface FinishedGameInfo {
  id: string;
  names: [string, string];
  winner: Player | null;
  ending: string;
  moves: number;
  number: number;
}

export interface EventDetails extends EventInfo {
  type: "event";
  ref?: string | null;
  groups: GroupSummary[];
  recent: FinishedGameInfo[];
  live: LiveGame[];
  ladder: import("./ladder_messages.d.ts").LadderInfo | null;
}

export interface EventList {
  type: "events";
  ref?: string | null;
  events: EventInfo[];
}

/** What an error message and a failed HTTP request have in common. */
export interface ErrorInfo {
  code: string;
  params?: Record<string, string | number>;
  message: string;
}

export interface ErrorReply extends ErrorInfo {
  type: "error";
  ref?: string | null;
}

export type PongReply = { type: "pong"; ref?: string | null };

export type ServerMessage =
  | WelcomeReply
  | GameReply
  | ThinkingReply
  | HintReply
  | QueuedReply
  | AnalysisReply
  | import("./explanation_messages.d.ts").ExplanationReply
  | ReviewReply
  | EventList
  | EventDetails
  | ErrorReply
  | PongReply;

export type MessageType = ServerMessage["type"];
export type MessageOf<T extends MessageType> = Extract<ServerMessage, { type: T }>;

export type ClientMessage =
  | {
      type: "new";
      board: string;
      opponent: string;
      side?: "first" | "second";
      move_time_s: number | null;
      clock: ClockSettings | null;
    }
  | { type: "open" | "leave" | "undo" | "redo" | "resign" | "rematch" | "hint"; game: string }
  | { type: "move"; game: string; ply: number; column: number }
  | {
      type: "analyse";
      position: string;
      engine: string;
      time_s: number | null;
      simulations?: number;
      key: string;
      resume?: boolean;
    }
  | ({ type: "review"; engine?: string; move_time_s: number; thresholds?: Thresholds; background?: boolean } & (
      | { game: string }
      | { position: string; start_ply?: number }
    ))
  | { type: "explain"; position: string; column: number }
  | { type: "watch"; event: number | null }
  | { type: "stop" | "stop_review" | "unwatch" | "ping" };

/** `GET /api/games`: one entry of the list. */
export interface GameSummary {
  id: string;
  source: "page" | "arena";
  event: number | null;
  names: [string, string];
  board: string;
  position: string;
  plies: number;
  status: "playing" | "over";
  winner: Player | null;
  ending: string | null;
  started: string;
  reviewed: boolean;
}

/** `GET /api/games` */
export interface GameList {
  games: GameSummary[];
  next: string | null;
}

/** `GET /api/games/{id}` */
export interface GameDetails extends GameSummary {
  event_name: string | null;
  start: string;
  moves: number[];
  you: Player | null;
  opponent: string | null;
  outcome: OutcomeInfo | null;
  times_ms: (number | null)[];
  scores: (ScoreInfo | null)[];
  review: ReviewReply | null;
}

/** `POST /api/import` */
export interface ImportedGame {
  kind: "position" | "moves" | "record" | "text_board";
  start: string;
  moves: number[];
  position: string;
  names: [string, string] | null;
  move_order: "given" | "reconstructed";
  /** Number of stones at which a link shows the game. */
  ply: number | null;
}

/** Number of games and their results: won by the first player, drawn, won by the second player. */
export interface ResultCounts {
  games: number;
  first: number;
  draws: number;
  second: number;
}

export interface PlayedColumn extends ResultCounts {
  column: number;
}

export interface ExampleGame {
  id: string;
  names: [string, string];
  winner: Player | null;
  started: string;
  ply: number;
  /** The column that was played next; null if the game ended. */
  column: number | null;
}

/** `GET /api/explorer` */
export interface ExplorerReply extends ResultCounts {
  position: string;
  source: "page" | "arena" | null;
  ended: number;
  columns: PlayedColumn[];
  examples: ExampleGame[];
  is_complete: boolean;
}
