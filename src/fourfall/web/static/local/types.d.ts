// Types of the modules that run in the worker of the page without a server.

import type {
  Cell,
  ClockSettings,
  ColumnInfo,
  ExplorerReply,
  GameList,
  OutcomeInfo,
  Player,
  ReviewReply,
  ScoreInfo,
  WelcomeReply,
} from "../model/messages.d.ts";
import type { Position } from "../model/position.js";
import type { PuzzleDetails, PuzzleInfo, ThemeInfo } from "../model/puzzle_messages.d.ts";
import type { GameFilter } from "./games/game_list.js";

/** What `welcome` and `GET /api/engines` send. */
export type ServerInfo = Omit<WelcomeReply, "type" | "ref">;

/**
 * An entry of `engines.json`: a preset, or a level (then `simulations` is its number of simulations per move).
 * `config` has all attributes of Python's TreeConfig or GraphConfig under their names; enumerations are the number of
 * the choice, `weights` and `network` are left out.
 */
export interface EngineEntry {
  name: string;
  search: "tree" | "graph";
  config: Record<string, number | boolean | null>;
  simulations: number | null;
  /** Whether a second search of the same position continues the first one. */
  can_resume: boolean;
  /** Whether the engine needs the weights of the network. */
  needs_network: boolean;
  /** Whether the engine analyses the empty boards of the census without a search. */
  knows_census: boolean;
}

/** `engines.json`, which `make site` writes. `engines` are presets and levels by name. */
export interface EngineFile {
  server_info: ServerInfo;
  engines: Record<string, EngineEntry>;
}

/** `census.json`, which `make site` writes: exact analyses of empty boards by position. */
export type CensusFile = Record<string, SearchAnalysis>;

/** `puzzles.json`, which `make site` writes: the puzzles with their hints and reasons. */
export interface PuzzleFile {
  puzzles: (PuzzleInfo & Pick<PuzzleDetails, "hints" | "reasons">)[];
  themes: ThemeInfo[];
  /** Names and first hints of all themes, also those that no shipped puzzle has. */
  theme_texts: Record<string, ThemeText>;
}

/** `hint` is empty for themes of which there is nothing to look for. */
export interface ThemeText {
  name: { en: string; zh: string };
  hint: { en: string; zh: string };
}

/** `GET /api/position` */
export interface PositionInfo {
  position: string;
  rows: number;
  cols: number;
  hole: Cell | null;
  ply: number;
  turn: Player;
  moves: number[];
  legal: number[];
  last: Cell | null;
  outcome: OutcomeInfo | null;
  threats: [Cell[], Cell[]];
}

export interface StonesRequest {
  rows: number;
  cols: number;
  hole: Cell | null;
  first: Cell[];
  second: Cell[];
  /** The stone of the last move, if it is known. */
  last?: Cell | null;
}

/** The fields of AnalysisReply that come from the search. `score` and `columns` are for the side to move. */
export interface SearchAnalysis {
  move: number;
  score: ScoreInfo;
  columns: ColumnInfo[];
  pv: number[];
  simulations: number;
  nodes: number;
  simulations_per_second: number;
  depth: number;
  seconds: number;
  /** Why the search ended: `time`, `simulations`, `proof` …; empty while it runs. */
  stopped_by: string;
}

export interface SearchLimits {
  position: string;
  time_s?: number | null;
  simulations?: number | null;
  /** Whether every column gets a score (analysis), or only the best move counts (a move of an opponent). */
  every_column: boolean;
}

/** A search of one engine, which keeps its tree or graph from one position to the next. */
export interface Search {
  /** Start a search; it continues its graph if the position is the same or follows. */
  begin(limits: SearchLimits): void;
  /** Search for about so many milliseconds. */
  step(milliseconds: number): { done: boolean; stopped_by: string };
  analysis(): SearchAnalysis;
  /** Free the memory. */
  release(): void;
}

export interface SolveRequest {
  position: string;
  /** Maximum number of positions. */
  positions?: number;
  /** Whether every column is solved. */
  columns?: boolean;
  memory_mb?: number;
}

/** The proven bounds have `proof` and `distance`, as in `fourfall.solve`; `score` is null if it is not solved. */
export interface SolvedColumn {
  column: number;
  score: ScoreInfo | null;
  lower: ScoreInfo;
  upper: ScoreInfo;
}

export interface SolveResult {
  score: ScoreInfo | null;
  lower: ScoreInfo;
  upper: ScoreInfo;
  /** Principal variation under perfect play; empty unless the position is solved. */
  pv: number[];
  columns: SolvedColumn[];
  positions: number;
}

/** What wasm_engine.js implements. All methods are synchronous. */
export interface Engine {
  describePosition(text: string): PositionInfo;
  findStones(stones: StonesRequest): PositionInfo;
  createSearch(options: { engine: EngineEntry; seed?: number; memory_mb?: number }): Search;
  solve(request: SolveRequest): SolveResult;
}

export interface StoredClock extends ClockSettings {
  used_ms: [number, number];
}

/**
 * A game of the page as the database of the browser keeps it. `moves` are those after `start`, `redo` the undone ones;
 * the lists `times_ms`, `scores`, `redo_times_ms` and `redo_scores` belong to them.
 */
export interface StoredGame {
  /** `p` and 16 letters and digits. */
  id: string;
  start: string;
  moves: number[];
  redo: number[];
  times_ms: number[];
  scores: (ScoreInfo | null)[];
  redo_times_ms: number[];
  redo_scores: (ScoreInfo | null)[];
  /** Notation after all moves. */
  position: string;
  you: Player | null;
  opponent: string;
  names: [string, string];
  move_time_s: number | null;
  simulations: number | null;
  clock: StoredClock | null;
  /** Time at which the turn of the side to move began, for games with a clock. */
  turn_started: string | null;
  /** How the game ended, on the board or otherwise; null while it is played. */
  outcome: OutcomeInfo | null;
  /** ISO 8601 in UTC with milliseconds. */
  started: string;
  rematch_of: string | null;
  /** Written only by `GameStore.saveReview`; `save` keeps the stored one. */
  review?: ReviewReply | null;
}

export type StorageProblem = "storage_denied" | "storage_full";

/** What games/game_store.js implements. `find` does not return deleted games. */
export interface Games {
  readonly isPersistent: boolean;
  onProblem(listener: (problem: StorageProblem | null) => void): void;
  save(game: StoredGame): Promise<void>;
  find(id: string): Promise<StoredGame | null>;
  delete(id: string): Promise<void>;
  restore(id: string): Promise<void>;
  /** Store a review, unless the game has changed since the review started. */
  saveReview(id: string, review: ReviewReply): Promise<void>;
  /** `before` is the `next` of an earlier list. */
  list(filter: GameFilter & { limit?: number; before?: string | null }): Promise<GameList>;
  explore(position: Position, source: "page" | "arena" | null): Promise<ExplorerReply>;
}

/** A request of the page: `path` has the query. `body` is the parsed JSON, or null. */
export interface LocalRequest {
  method: string;
  path: string;
  body: unknown;
}

/** `body` is text or bytes; null for status 204. `type` is the media type. */
export interface LocalResponse {
  status: number;
  body: string | Uint8Array | null;
  type: string;
}

/** What the handlers of requests use. Engine and puzzles are loaded when a request needs them. */
export interface Services {
  loadEngine(): Promise<Engine>;
  loadPuzzles(): Promise<PuzzleFile>;
  games: Games;
  serverInfo: ServerInfo;
  /** Called before a game is deleted, so that its running search ends. */
  onDelete?: (id: string) => void;
}

/** What the worker tells the page apart from messages and responses. */
export type WorkerStatus =
  | { kind: "progress"; loaded: number; total: number }
  | { kind: "ready"; has_simd: boolean }
  | { kind: "storage"; problem: StorageProblem | null }
  | { kind: "failed"; reason: "worker" | "download" | "wasm" };
