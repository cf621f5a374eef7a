// Types of the JSON about puzzles that the server sends. Documentation: docs/page.md.

/** Sentences in both languages of the page. */
export interface Texts {
  en: string[];
  zh: string[];
}

/** A kind of fact that the coach states about the solution, with its names. */
export interface ThemeInfo {
  kind: string;
  en: string;
  zh: string;
}

/** The side to move solves the puzzle; `solution` alternates with the opponent's replies; `rating` null: not rated. */
export interface PuzzleInfo {
  id: string;
  position: string;
  solution: number[];
  result: "win" | "draw";
  distance: number;
  level: string | null;
  rating: number | null;
  themes: string[];
}

export interface PuzzleList {
  puzzles: PuzzleInfo[];
  themes: ThemeInfo[];
}

export interface PuzzleDetails extends PuzzleInfo {
  hints: Texts;
  reasons: Texts;
}

/** What follows a move: `columns` begins with it. `text` says what is wrong with it; empty if it is not refuted. */
export interface MoveCheck {
  position: string;
  columns: number[];
  verdict: "wins" | "does_not_win" | "loses" | "unknown";
  text: Texts;
}
