// Plays the games and reviews of the test data with the rules in JavaScript: JSON from standard input to standard output.

import { readFileSync } from "node:fs";

const folder = new URL("../../src/fourfall/web/static/", import.meta.url);
/** @param {string} path */
const load = (path) => import(new URL(path, folder).href);

const { Position } = await load("model/position.js");
const { GameReviewer } = await load("local/analysis/game_reviewer.js");
const { computeMoveTimeS } = await load("local/play/clock.js");
const { Game } = await load("local/play/game.js");

/** Carry out one action and describe the game after it, or the error. */
function act(game, [action, ...values]) {
  let error = null;
  try {
    game[action](...values);
  } catch (caught) {
    error = caught.toInfo();
  }
  const turn = { isThinking: false, turnMs: 5 };
  const state = game.describe(turn);
  const restored = Game.fromStored(JSON.parse(JSON.stringify(game.toStored()))).describe(turn);
  return { error: error && { code: error.code, params: error.params }, state, restored };
}

function playGame({ settings, actions }) {
  const game = new Game(settings, "p0123456789abcdef");
  return actions.map((action) => act(game, action));
}

function review({ position, start, thresholds, results }) {
  const reviewer = new GameReviewer(Position.parse(position), start, thresholds);
  for (const result of results) reviewer.add(result);
  return {
    moves: reviewer.moves,
    final: reviewer.final,
    accuracy: reviewer.computeAccuracies(),
    turning_points: reviewer.findTurningPoints(),
    finished: reviewer.isComplete,
  };
}

const { games, reviews, times } = JSON.parse(readFileSync(0, "utf8"));
const result = {
  games: games.map(playGame),
  reviews: reviews.map(review),
  times: times.map((values) => computeMoveTimeS(...values)),
};
process.stdout.write(JSON.stringify(result));
