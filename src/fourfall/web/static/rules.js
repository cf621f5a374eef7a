// Owns the rules of the game as the page needs them: where a stone lands, who has won, which cells threaten four.

export const NAMES = "123456789abc";
export const SMALLEST = 4;
export const LARGEST = 12;

const EMPTY = -1;
const HOLE = 2;
const WAYS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];

/** A position with the moves that led to it. It never changes: `play` gives a new one. */
export class Position {
  constructor(rows, cols, hole = null) {
    this.rows = rows;
    this.cols = cols;
    this.hole = hole;
    this.cells = new Int8Array(rows * cols).fill(EMPTY);
    if (hole) this.cells[hole[0] * cols + hole[1]] = HOLE;
    this.moves = [];
    this.last = null;
    this.four = null;
  }

  /** Read `ROWSxCOLS[@row,col][:moves]`; null where the text is no legal position. */
  static parse(text) {
    const parts = /^(\d{1,2})x(\d{1,2})(?:@(\d{1,2}),(\d{1,2}))?(?::([1-9a-c]*))?$/.exec(text.trim().toLowerCase());
    if (!parts) return null;
    const [rows, cols, row, col] = parts.slice(1, 5).map((part) => (part === undefined ? null : Number(part)));
    if ([rows, cols].some((size) => size < SMALLEST || size > LARGEST)) return null;
    if (row !== null && (row >= rows || col >= cols)) return null;
    let position = new Position(rows, cols, row === null ? null : [row, col]);
    for (const name of parts[5] ?? "") {
      if (!position.isLegal(NAMES.indexOf(name))) return null;
      position = position.play(NAMES.indexOf(name));
    }
    return position;
  }

  /** An official board: 9 to 12 rows and columns, the hole anywhere. */
  static random() {
    const any = (count) => Math.floor(Math.random() * count);
    const [rows, cols] = [9 + any(4), 9 + any(4)];
    return new Position(rows, cols, [any(rows), any(cols)]);
  }

  get text() {
    return this.boardText + (this.moves.length ? `:${this.moveText}` : "");
  }

  get boardText() {
    return `${this.rows}x${this.cols}${this.hole ? `@${this.hole}` : ""}`;
  }

  get moveText() {
    return this.moves.map((column) => NAMES[column]).join("");
  }

  get turn() {
    return this.moves.length % 2;
  }

  get isOver() {
    return this.four !== null || this.columns.length === 0;
  }

  /** The columns with room, whether or not the game is over. */
  get columns() {
    return Array.from({ length: this.cols }, (_, column) => column).filter((column) => this.landing(column) >= 0);
  }

  stone(row, column) {
    return this.cells[row * this.cols + column];
  }

  isFree(row, column) {
    return this.stone(row, column) === EMPTY;
  }

  isHole(row, column) {
    return this.stone(row, column) === HOLE;
  }

  /** The row where a stone comes to rest, past the hole if need be; -1 where the column is full. */
  landing(column) {
    let row = this.rows - 1;
    while (row >= 0 && !this.isFree(row, column)) row -= 1;
    return row;
  }

  isLegal(column) {
    return column >= 0 && column < this.cols && this.four === null && this.landing(column) >= 0;
  }

  play(column) {
    const row = this.landing(column);
    const next = Object.assign(Object.create(Position.prototype), this);
    next.cells = this.cells.slice();
    next.cells[row * this.cols + column] = this.turn;
    next.moves = [...this.moves, column];
    next.last = [row, column];
    next.four = next.lineThrough(row, column, this.turn);
    return next;
  }

  /** The position after the first `ply` moves. */
  at(ply) {
    let position = new Position(this.rows, this.cols, this.hole);
    for (const column of this.moves.slice(0, ply)) position = position.play(column);
    return position;
  }

  /** All cells of four or more in a row that a stone here makes, or null. */
  lineThrough(row, column, player) {
    const found = [];
    for (const [down, right] of WAYS) {
      const line = [...this.run(row, column, -down, -right, player), ...this.run(row, column, down, right, player)];
      if (line.length >= 3) found.push(...line);
    }
    return found.length ? [[row, column], ...found] : null;
  }

  run(row, column, down, right, player) {
    const cells = [];
    for (
      let r = row + down, c = column + right;
      this.isOn(r, c) && this.stone(r, c) === player;
      r += down, c += right
    ) {
      cells.push([r, c]);
    }
    return cells;
  }

  isOn(row, column) {
    return row >= 0 && row < this.rows && column >= 0 && column < this.cols;
  }

  /** The free cells that would complete four for a player, reachable now or later. */
  threats(player) {
    const cells = [];
    for (let row = 0; row < this.rows; row += 1) {
      for (let column = 0; column < this.cols; column += 1) {
        if (this.isFree(row, column) && this.lineThrough(row, column, player)) cells.push([row, column]);
      }
    }
    return cells;
  }

  /** The board in letters, as the command line prints it. */
  drawing() {
    const four = new Set((this.four ?? []).map(String));
    const lines = [`    ${[...NAMES.slice(0, this.cols)].join(" ")}`];
    for (let row = 0; row < this.rows; row += 1) {
      let line = `${String(row).padStart(2)} `;
      for (let column = 0; column < this.cols; column += 1) {
        const mark = four.has(`${row},${column}`)
          ? "*"
          : this.last && String(this.last) === `${row},${column}`
            ? ">"
            : " ";
        line += mark + ({ 0: "X", 1: "O", [HOLE]: "#" }[this.stone(row, column)] ?? ".");
      }
      lines.push(line);
    }
    return lines.join("\n");
  }
}
