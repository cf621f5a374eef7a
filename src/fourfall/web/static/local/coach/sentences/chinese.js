// Sentences in Chinese.

import { getOpponent } from "../board.js";
import {
  countWinnerMoves,
  getColumn,
  getOtherColumn,
  getScore,
  listColumns,
  listMoves,
  nameColumn,
  percent,
} from "./writer.js";

/** @import { Cell } from "../../../model/messages.d.ts" */
/** @import { Fact } from "../facts.js" */
/** @import { MoveNames, SentenceTable } from "./writer.js" */

/** Names of the players. @type {[string, string]} */
export const COLOURS = ["蓝方", "橙方"];

/** The sentence about a move without facts. */
export const NOTHING = "这一手暂时没有可以证明的结论：没有找到任何一方的必胜走法。";

/** @type {SentenceTable} */
export const SENTENCES = {
  wins: (names) => `${names.mover}下第 ${names.here} 列，当即连成四子获胜。`,
  misses_win: (names, fact) => `${names.mover}下${nameColumns(fact.cells, "或")}本可以当即获胜。`,
  blocks: (names) => `${names.mover}必须下在这里，否则${names.opponent}下一手就在这一列连成四子。`,
  misses_block: (names, fact) =>
    `${names.opponent}接下来在第 ${getColumn(fact)} 列连成四子，${names.mover}本应挡在那里。`,
  cannot_block: (names, fact) =>
    `${names.opponent}在${nameColumns(fact.cells, "和")}都能连成四子，${names.mover}一手挡不住。`,
  opens_win: (names, fact) => {
    if (names.isAboveHole(fact.cells[0]))
      return `第 ${names.here} 列的下一枚棋子会落在禁点上方，${names.opponent}正好在那里连成四子。`;
    return `这枚棋子替对方垫了脚：${names.opponent}接着下在它上面一格，连成四子。`;
  },
  double_threat: (names, fact) =>
    `${names.mover}同时要在${nameColumns(fact.cells, "和")}连成四子，${names.opponent}只能挡住一处。`,
  stacked_threat: (names, fact) => `${names.mover}在同一列有一上一下两个制胜点：${describeStack(names, fact)}。`,
  no_safe_reply: (names) => `无论${names.opponent}下哪一列，${names.mover}下一手都能连成四子。`,
  forced_sequence: (names, fact) => [
    `${names.mover}可以一路紧逼，${fact.count} 手内必胜：${listMoves(fact)}。`,
    `除最后一手外，${names.opponent}每一手都只有这一种应法，否则立即输棋。`,
  ],
  allows_sequence: (names, fact) => {
    const reply = `${names.opponent}应在第 ${getColumn(fact)} 列`;
    if (fact.count === 2) return [`${reply}，再下一手就能获胜：${describeEnding(names, fact, names.mover)}。`];
    return [
      `${reply}，一路紧逼，${fact.count} 手内必胜：${listMoves(fact, 1)}。`,
      `此后除最后一手外，${names.mover}每一手都只有这一种应法，否则立即输棋。`,
    ];
  },
  misses_sequence: (names, fact) => {
    const start = `${names.mover}下第 ${getColumn(fact)} 列本可以 ${fact.count} 手内必胜`;
    if (fact.count === 2) return `${start}：${describeEnding(names, fact, names.opponent)}。`;
    return `${start}：${listMoves(fact)}。`;
  },
  no_defence: (names) => `${names.opponent}怎么应都守不住，${names.mover}接下来都有必胜走法。`,
  few_replies: (names, fact) => `${names.opponent}只能应在${nameColumns(fact.cells, "或")}，下别处都必败。`,
  allows_attack: (names, fact) => `${names.opponent}应在第 ${getColumn(fact)} 列之后，${names.mover}下哪一列都必败。`,
  misses_attack: (names, fact) => `如果下第 ${getColumn(fact)} 列，${names.opponent}怎么应都必败。`,
  allows_few_replies: (names, fact) =>
    `${names.opponent}可以应在第 ${getColumn(fact)} 列，此后${names.mover}除了${nameColumns(fact.cells, "和")}，下别处都必败。`,
  only_move: () => "下其他任何一列都必败。",
  gives_up_cell: (names, fact) =>
    `这枚棋子垫在了${names.mover}自己的制胜点（第 ${names.here} 列第 ${names.nameRow(fact.cells[0])} 行）下面，${names.opponent}可以随即占掉它。`,
  parity: (names, fact) => [
    `其他格子下满后，轮到${names.opponent}垫在${nameWinningCells(names, fact)}下面，在此之前${names.opponent}赢不了。`,
    describeFollowUp(names, fact),
  ],
  allows_parity: (names, fact) => [
    `${names.opponent}应在第 ${getColumn(fact)} 列；其他格子下满后，轮到${names.mover}垫在${nameWinningCells(names, fact)}下面，在此之前${names.mover}赢不了。`,
    describeFollowUp(names, fact),
  ],
  misses_parity: (names, fact) =>
    `如果下第 ${getColumn(fact)} 列，其他格子下满后轮到${names.opponent}垫在${nameWinningCells(names, fact)}下面，在此之前${names.opponent}赢不了。`,
  hole_parity: (names) => `禁点起了决定作用：没有它，其余空格就是奇数，最后要由${names.mover}自己去垫。`,
  hole_line: (names) => `禁点断开了${names.mover}这三枚棋子的连线，它们连不成四子。`,
  threat: (names, fact) => `${names.mover}威胁在第 ${getColumn(fact)} 列连成四子，${names.opponent}必须挡在那里。`,
  winning_cell: (names, fact) => `${names.mover}得到制胜点：${nameCells(names, fact.cells)}。`,
  prevents_double_threat: (names, fact) =>
    `这一格如果让${names.opponent}占去，${names.opponent}就能同时威胁${nameColumns(fact.cells, "和")}。`,
  takes_cell: (names, fact) =>
    `这一格如果让${names.opponent}占去，${names.opponent}会得到制胜点：${nameCells(names, fact.cells)}。`,
  allows_cell: (names, fact) =>
    `${names.opponent}可以应在第 ${getColumn(fact)} 列，得到制胜点：${nameCells(names, fact.cells)}；如果这一手下第 ${getOtherColumn(fact)} 列，就不会这样。`,
  misses_cell: (names, fact) =>
    `${names.mover}下第 ${getColumn(fact)} 列可以得到制胜点：${nameCells(names, fact.cells)}。`,
  expected_cell: (names, fact) =>
    `引擎预计接下来是 ${listMoves(fact)}，届时${names.opponent}得到制胜点：${nameCells(names, fact.cells)}。`,
  misses_expected_cell: (names, fact) =>
    `如果下第 ${getColumn(fact)} 列，引擎预计是 ${listMoves(fact)}，届时${names.mover}得到制胜点：${nameCells(names, fact.cells)}。`,
  leaves_cell: (names, fact) =>
    `第 ${getColumn(fact)} 列的这一格让给了${names.opponent}：经过它，${names.opponent}还有 ${fact.count} 条、${names.mover}还有 ${fact.otherCount} 条可能的四连。`,
  fewer_lines: (names, fact) =>
    `经过这一格，${names.mover}只有 ${fact.count} 条可能的四连，而第 ${getColumn(fact)} 列那一格有 ${fact.otherCount} 条。`,
  open_lines: (names, fact) => `经过这一格，${names.mover}还有 ${fact.count} 条可能的四连，其他各列都不比它多。`,
  result: (names, fact) => {
    const score = getScore(fact.score);
    if (score.proof === "draw") return "已证明：此后双方都走最佳着法则为和棋。";
    return `已证明：此后${names.namePlayer(fact.player)} ${countWinnerMoves(score)} 手内必胜。`;
  },
  comparison: (names, fact) => {
    const [own, best, column] = [getScore(fact.score), getScore(fact.otherScore), getColumn(fact)];
    if (best.proof === "win") return `已证明：下第 ${column} 列 ${countWinnerMoves(best)} 手内必胜。`;
    if (best.proof === "draw" && own.proof === "loss") return `已证明：下第 ${column} 列可以守和。`;
    if (own.proof) return `第 ${column} 列更好：引擎估计${names.mover}在那里的胜率为 ${percent(best)}。`;
    if (best.proof) {
      const result = best.proof === "draw" ? "是和棋" : "必败";
      return `引擎估计${names.mover}胜率为 ${percent(own)}；已证明下第 ${column} 列${result}。`;
    }
    if (own.win_chance < best.win_chance) {
      return `引擎更倾向第 ${column} 列：估计${names.mover}胜率为 ${percent(best)}，而这一手为 ${percent(own)}。`;
    }
    return `引擎估计这一手${names.mover}胜率为 ${percent(own)}，其次是第 ${column} 列，为 ${percent(best)}。`;
  },
};

/**
 * @param {MoveNames} names
 * @param {Fact} fact
 */
function describeFollowUp(names, fact) {
  const [winner, loser] = [names.namePlayer(fact.player), names.namePlayer(getOpponent(fact.player))];
  if (fact.isAbove) return `在那之前，${loser}下哪一列，${winner}就跟着下在它的正上方。`;
  return `在那之前还有 ${fact.count} 格，是偶数，${loser}的每一手${winner}都有应手。`;
}

/**
 * @param {MoveNames} names
 * @param {Fact} fact
 */
function nameWinningCells(names, fact) {
  const oneOf = fact.cells.length === 1 ? "" : "之一";
  return `${names.namePlayer(fact.player)}的制胜点（${nameCells(names, fact.cells)}）${oneOf}`;
}

/**
 * @param {MoveNames} names
 * @param {Cell[]} cells
 */
function nameCells(names, cells) {
  return cells.map((cell) => `第 ${nameColumn(cell)} 列第 ${names.nameRow(cell)} 行`).join("、");
}

/**
 * The double threat at the end of a sequence.
 * @param {MoveNames} names
 * @param {Fact} fact
 * @param {string} defender
 */
function describeEnding(names, fact, defender) {
  if (fact.ending === "double_threat") return `${nameColumns(fact.cells, "和")}，${defender}只能挡住一处`;
  return fact.ending === "stacked_threat" ? describeStack(names, fact) : `${defender}怎么应都立即输棋`;
}

/**
 * @param {MoveNames} names
 * @param {Fact} fact
 */
function describeStack(names, fact) {
  const [lower, upper] = fact.cells;
  const [attacker, defender] = [names.namePlayer(fact.player), names.namePlayer(getOpponent(fact.player))];
  const block = `${defender}挡住第 ${nameColumn(lower)} 列第 ${names.nameRow(lower)} 行`;
  return `${block}，${attacker}就在第 ${names.nameRow(upper)} 行连成四子`;
}

/**
 * @param {Cell[]} cells
 * @param {"和" | "或"} conjunction
 */
function nameColumns(cells, conjunction) {
  const names = listColumns(cells).map((name) => `第 ${name} 列`);
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join("、")}${conjunction}${names.at(-1)}`;
}
