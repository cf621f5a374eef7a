// Types of the JSON about ladders that the server sends. Documentation: docs/page.md.

import type { Estimate } from "./messages.d.ts";

export interface LadderAgent {
  rank: number | null;
  agent: string;
  state: "active" | "removed" | "suspended";
  games: number;
  won: number;
  drawn: number;
  lost: number;
  elo: Estimate | null;
  trend: number | null;
  failures: Record<string, number>;
  suspension: { failed: number; played: number; game: string; ending: string; detail: string } | null;
}

/** The registered agents of a ladder, active ones first, best first, and the number of pairs at its last stored ratings. */
export interface LadderInfo {
  agents: LadderAgent[];
  history_pairs: number;
}

/** `GET /api/events/{id}/history` */
export interface LadderHistory {
  games: number[];
  times: string[];
  ratings: Record<string, (number | null)[]>;
}
