// Types of the JSON about ladders that the server sends. Documentation: docs/page.md.

export interface LadderAgent {
  name: string;
  state: "active" | "removed" | "suspended";
  trend: number | null;
  suspension: { failed: number; played: number; game: string; ending: string; detail: string } | null;
}

/** The registered agents of a ladder, and the number of pairs at its last stored ratings. */
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
