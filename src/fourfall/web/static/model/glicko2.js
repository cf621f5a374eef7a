// Glicko-2 ratings with the formulas of Mark E. Glickman, "Example of the Glicko-2 system" (revised 2022).

/** @typedef {{rating: number, deviation: number, volatility: number}} Rating */
/** A game against an opponent; `score` is 1 for a win, 0.5 for a draw, 0 for a loss. @typedef {{rating: number, deviation: number, score: number}} RatedGame */

export const MAX_DEVIATION = 350;
/** @type {Rating} */
export const NEW_RATING = { rating: 1500, deviation: MAX_DEVIATION, volatility: 0.06 };

/** The paper's tau: how much volatilities change over time. */
const SYSTEM_CONSTANT = 0.5;
const SCALE = 173.7178;
const TOLERANCE = 1e-6;

/**
 * The rating after one rating period with these games, at least one.
 * @param {Rating} player
 * @param {RatedGame[]} games
 * @returns {Rating}
 */
export function updateRating(player, games) {
  const mu = (player.rating - 1500) / SCALE;
  const phi = player.deviation / SCALE;
  let information = 0;
  let improvement = 0;
  for (const { rating, deviation, score } of games) {
    const weight = 1 / Math.sqrt(1 + (3 * (deviation / SCALE) ** 2) / Math.PI ** 2);
    const expected = 1 / (1 + Math.exp(-weight * (mu - (rating - 1500) / SCALE)));
    information += weight ** 2 * expected * (1 - expected);
    improvement += weight * (score - expected);
  }
  const variance = 1 / information;
  const volatility = updateVolatility(phi, player.volatility, variance, variance * improvement);
  const newPhi = 1 / Math.sqrt(1 / (phi ** 2 + volatility ** 2) + information);
  return {
    rating: 1500 + SCALE * (mu + newPhi ** 2 * improvement),
    deviation: Math.min(MAX_DEVIATION, SCALE * newPhi),
    volatility,
  };
}

/**
 * Step 5 of the paper: the root of f by the Illinois algorithm.
 * @param {number} phi
 * @param {number} sigma
 * @param {number} variance
 * @param {number} delta
 */
function updateVolatility(phi, sigma, variance, delta) {
  const start = Math.log(sigma ** 2);
  /** @param {number} x */
  const f = (x) => {
    const total = phi ** 2 + variance + Math.exp(x);
    return (Math.exp(x) * (delta ** 2 - total)) / (2 * total ** 2) - (x - start) / SYSTEM_CONSTANT ** 2;
  };
  let left = start;
  let right = Math.log(delta ** 2 - phi ** 2 - variance);
  if (delta ** 2 <= phi ** 2 + variance) {
    right = start - SYSTEM_CONSTANT;
    while (f(right) < 0) right -= SYSTEM_CONSTANT;
  }
  let fLeft = f(left);
  let fRight = f(right);
  while (Math.abs(right - left) > TOLERANCE) {
    const middle = left + ((left - right) * fLeft) / (fRight - fLeft);
    const fMiddle = f(middle);
    if (fMiddle * fRight <= 0) {
      left = right;
      fLeft = fRight;
    } else {
      fLeft /= 2;
    }
    right = middle;
    fRight = fMiddle;
  }
  return Math.exp(left / 2);
}
