// Owns the first sketch of a game's evaluation: a quick look at every position, so that the graph is not empty.

import { forFirst } from "./scores.js";

const PAUSE_MS = 700;
const PER_POSITION_S = 0.05;

export class Sketch {
  /** `onChange()` hears when the graph has more to show. */
  constructor(app, onChange) {
    this.app = app;
    this.onChange = onChange;
    this.tree = null;
    this.running = false;
  }

  /** Look at the game of a tree, once, where less than half of its positions are known. */
  begin(tree) {
    const game = tree.game;
    if (this.tree === tree || game.length < 3 || game.filter((node) => node.score).length > game.length / 2) return;
    this.stop();
    this.timer = setTimeout(() => this.ask(tree, game), PAUSE_MS);
  }

  ask(tree, game) {
    if (this.app.views.review.run) return;
    this.tree = tree;
    const message = { type: "review", position: game.at(-1).position.text, time_s: PER_POSITION_S };
    this.running = this.app.connection.send(message, { reply: (answer) => this.arrived(answer, game) }) !== null;
  }

  /** Fill in what nobody knew better; false: more answers will come. */
  arrived(answer, game) {
    if (answer.type === "error") this.running = false;
    if (answer.type !== "review") return answer.type === "error";
    for (const move of answer.moves) game[move.ply].score ??= forFirst(move.score_before, move.player);
    const last = game.at(-1);
    if (answer.final) last.score ??= forFirst(answer.final, last.position.turn);
    this.running = !(answer.finished || answer.stopped);
    this.onChange();
    return !this.running;
  }

  stop() {
    clearTimeout(this.timer);
    if (this.running) this.app.connection.send({ type: "stop_review" });
    this.running = false;
  }
}
