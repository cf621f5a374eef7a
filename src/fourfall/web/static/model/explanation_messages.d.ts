// Types of the JSON of explanations. Documentation: docs/page.md.

import type { Cell, Player } from "./messages.d.ts";

/** Sentences by language. */
export type Sentences = Record<"en" | "zh", string[]>;

/** A checked statement about a move. Coordinates are those of the position before the move. */
export interface FactInfo {
  kind: string;
  /** Who has the advantage that the fact states. */
  player: Player;
  cells: Cell[];
  /** Lines of four or more cells. */
  lines: Cell[][];
  /** Stones of a sequence; the first one is a move at the position before the explained move. */
  moves: { row: number; col: number; player: Player }[];
  column: number | null;
  /** The sentences of the explanation that are about this fact; none if the explanation leaves it out. */
  text: Sentences;
}

export interface ExplanationReply {
  type: "explanation";
  ref?: string | null;
  position: string;
  column: number;
  facts: FactInfo[];
  text: Sentences;
}
