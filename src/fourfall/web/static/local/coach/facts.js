// Facts about a move: what the sentences of an explanation state and what a board can draw of them.

/** @import { Cell, Player, ScoreInfo } from "../../model/messages.d.ts" */

/** @typedef {{ row: number, col: number, player: Player }} Stone */

/** The kinds of facts in the order of `FactKind` in Python; docs/coach.md defines them. */
export const FACT_KINDS = /** @type {const} */ ([
  "wins",
  "misses_win",
  "blocks",
  "cannot_block",
  "misses_block",
  "opens_win",
  "double_threat",
  "stacked_threat",
  "no_safe_reply",
  "forced_sequence",
  "allows_sequence",
  "misses_sequence",
  "no_defence",
  "allows_attack",
  "misses_attack",
  "only_move",
  "few_replies",
  "allows_few_replies",
  "gives_up_cell",
  "parity",
  "allows_parity",
  "misses_parity",
  "hole_parity",
  "hole_line",
  "threat",
  "winning_cell",
  "prevents_double_threat",
  "takes_cell",
  "allows_cell",
  "misses_cell",
  "expected_cell",
  "misses_expected_cell",
  "leaves_cell",
  "fewer_lines",
  "open_lines",
  "result",
  "comparison",
]);

/** @typedef {typeof FACT_KINDS[number]} FactKind */

/**
 * A statement about a move that was checked.
 * @typedef {object} Fact
 * @property {FactKind} kind
 * @property {Player} player who has the advantage that the fact states
 * @property {Cell[]} cells the cells that the statement names
 * @property {Cell[][]} lines lines that a stone on one of the cells completes, or that the hole breaks
 * @property {Stone[]} moves stones of a sequence; the first one is a move in the explained position
 * @property {number | null} column the column that the statement names besides the explained one
 * @property {number | null} other the better move, if `column` is a reply
 * @property {number | null} count stones of the winner in a sequence, cells in kinds about parity, or lines
 * @property {number | null} otherCount lines of the other player, or of the better move
 * @property {boolean} isAbove in kinds about parity: the winner answers every stone directly above it
 * @property {FactKind | null} ending how a sequence ends: the kind of fact after the last move but two
 * @property {ScoreInfo | null} score score of the explained column for the side to move
 * @property {ScoreInfo | null} otherScore score of `column`
 */

/**
 * @param {FactKind} kind
 * @param {Player} player
 * @param {Partial<Fact>} [fields]
 * @returns {Fact}
 */
export function makeFact(kind, player, fields = {}) {
  return {
    kind,
    player,
    cells: [],
    lines: [],
    moves: [],
    column: null,
    other: null,
    count: null,
    otherCount: null,
    isAbove: false,
    ending: null,
    score: null,
    otherScore: null,
    ...fields,
  };
}
