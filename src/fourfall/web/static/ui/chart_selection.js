// Selection of a point in a chart: the keys of a slider, and the place of the tooltip.

const PAGE_STEP = 10;
const TOOLTIP_MARGIN = 4;

/**
 * The point that a key selects, from 0 to `last`; null for other keys. The key then has no other effect.
 * @param {KeyboardEvent} event
 * @param {number} point selected now
 * @param {number} last
 */
export function selectByKey(event, point, last) {
  /** @type {Record<string, number>} */
  const targets = {
    ArrowLeft: point - 1,
    ArrowDown: point - 1,
    ArrowRight: point + 1,
    ArrowUp: point + 1,
    Home: 0,
    End: last,
    PageDown: point - PAGE_STEP,
    PageUp: point + PAGE_STEP,
  };
  const target = targets[event.key];
  if (target === undefined) return null;
  event.preventDefault();
  event.stopPropagation();
  return Math.min(Math.max(target, 0), last);
}

/**
 * Move a visible tooltip as near to the wanted place as the width of its chart allows.
 * @param {HTMLElement} tooltip
 * @param {number} left wanted distance from the left edge of the chart
 * @param {number} width of the chart
 */
export function placeTooltip(tooltip, left, width) {
  const free = Math.max(width - tooltip.offsetWidth - TOOLTIP_MARGIN, TOOLTIP_MARGIN);
  tooltip.style.left = `${Math.min(Math.max(left, TOOLTIP_MARGIN), free)}px`;
}
