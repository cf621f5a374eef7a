// Finds words that are similar to a misspelled one: those that Python's difflib finds.

const MIN_SIMILARITY = 0.5;

/**
 * The most similar words, the best first.
 * @param {string} word
 * @param {string[]} words
 * @param {number} count
 */
export function findSimilarWords(word, words, count) {
  return words
    .map((candidate) => ({ candidate, similarity: compare(candidate, word) }))
    .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity || (a.candidate < b.candidate ? 1 : -1))
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/**
 * Twice the number of matching characters, divided by the number of all characters.
 * @param {string} a
 * @param {string} b
 */
function compare(a, b) {
  return (2 * countMatches(a, b)) / (a.length + b.length || 1);
}

/**
 * The length of the longest common part, and of those on the left and on the right of it.
 * @param {string} a
 * @param {string} b
 * @returns {number}
 */
function countMatches(a, b) {
  for (let length = Math.min(a.length, b.length); length > 0; length -= 1) {
    for (let at = 0; at + length <= a.length; at += 1) {
      const found = b.indexOf(a.slice(at, at + length));
      if (found < 0) continue;
      const left = countMatches(a.slice(0, at), b.slice(0, found));
      return left + length + countMatches(a.slice(at + length), b.slice(found + length));
    }
  }
  return 0;
}
