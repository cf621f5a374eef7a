/**
 * Drives the engine from JavaScript over the Universal Game Interface (docs/ugi.md): prints the value of every move of
 * a position, then lets the engine play the game to its end. Any language that can start a process can do the same.
 *
 * Run it with Node:
 *
 *     node examples/ugi_client.mjs
 *     node examples/ugi_client.mjs --position 10x11@4,7:6655 --movetime 500
 *     node examples/ugi_client.mjs -- fourfall ugi --engine level-60
 */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

const USAGE = `usage: node ugi_client.mjs [--position POSITION] [--movetime MS] [-- COMMAND ...]

  --position POSITION  position in text (default: 6x7:44)
  --movetime MS        time per search in milliseconds (default: 300)
  COMMAND ...          command that starts the engine (default: fourfall ugi)`;

/** A running engine: sends commands and reads the lines of its replies. */
class Engine {
  #process;
  #lines;

  constructor([program, ...words]) {
    this.#process = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
    this.#process.on("error", (error) => fail(`${program} cannot be started: ${error.message}`));
    this.#process.stdin.on("error", () => {}); // an engine that has ended: `ask` reports it
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  send(command) {
    this.#process.stdin.write(`${command}\n`);
  }

  /** Sends a command; returns the lines of the reply up to the one that begins with `last`. */
  async ask(command, last) {
    this.send(command);
    const reply = [];
    for (;;) {
      const { value: line, done } = await this.#lines.next();
      if (done) fail(`the engine ended before it sent ${last}`);
      if (line.startsWith("info string error")) fail(line);
      reply.push(line);
      if (line.split(" ")[0] === last) return reply;
    }
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Returns the move of an info line and its score in words, for example ["4", "wins in 3"]. */
function describeMove(info) {
  const words = info.split(" ");
  const [kind, number] = words.slice(words.indexOf("score") + 1);
  const move = words[words.indexOf("pv") + 1];
  if (kind === "mate") return [move, number > 0 ? `wins in ${number}` : `loses in ${-number}`];
  const chance = 100 / (1 + 10 ** (-number / 400));
  return [move, `${chance.toFixed(1)} %`];
}

async function printValues(engine, position, movetime) {
  engine.send("setoption name MultiPV value 12");
  engine.send(`position fen ${position}`);
  const reply = await engine.ask(`go movetime ${movetime}`, "bestmove");
  // The last info lines, one for each move from the best to the worst, are the result.
  const first = reply.findLastIndex((line) => line.includes(" multipv 1 "));
  for (const info of reply.slice(first, -1)) console.log("column %s  %s", ...describeMove(info));
}

async function playGame(engine, position, movetime) {
  engine.send("setoption name MultiPV value 1");
  const moves = [];
  for (;;) {
    engine.send(`position fen ${position}${moves.length > 0 ? ` moves ${moves.join(" ")}` : ""}`);
    const [answer] = await engine.ask("query result", "response");
    if (answer !== "response none") {
      console.log(`moves ${moves.join(" ")}`);
      console.log(`result ${answer.split(" ")[1]}`);
      return;
    }
    const reply = await engine.ask(`go movetime ${movetime}`, "bestmove");
    moves.push(reply.at(-1).split(" ")[1]);
  }
}

/** Reads the command line; ends the program with exit code 2 if it is wrong. */
function readArguments() {
  try {
    return parseArgs({
      options: {
        help: { type: "boolean", short: "h" },
        position: { type: "string", default: "6x7:44" },
        movetime: { type: "string", default: "300" },
      },
      allowPositionals: true,
    });
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    process.exit(2);
  }
}

const { values, positionals } = readArguments();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const engine = new Engine(positionals.length > 0 ? positionals : ["fourfall", "ugi"]);
const identification = await engine.ask("ugi", "ugiok");
console.log(identification[0].replace("id name", "engine"));
await engine.ask("isready", "readyok");
await printValues(engine, values.position, values.movetime);
await playGame(engine, values.position, values.movetime);
engine.send("quit");
