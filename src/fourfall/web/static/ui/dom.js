// Creates HTML and SVG elements and replaces their content.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Child | Child[] | (Child | Child[])[]} Children */
/** @typedef {{[K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => unknown}} Listeners */
/**
 * `on` holds event listeners, `dataset` data attributes; null, undefined and false remove an attribute.
 * @typedef {{on?: Listeners, dataset?: Record<string, string | number>, [name: string]: unknown}} Attributes
 */

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * Create an HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Children} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...toNodes(children));
  if (element instanceof HTMLSelectElement && "value" in attributes) element.value = String(attributes.value);
  return element;
}

/**
 * Create an SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Children} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG_NAMESPACE, tag);
  setAttributes(element, attributes);
  element.append(...toNodes(children));
  return element;
}

/**
 * @param {HTMLElement | SVGElement} element
 * @param {Attributes} attributes
 */
function setAttributes(element, { on = {}, dataset = {}, ...attributes }) {
  for (const [type, listener] of Object.entries(on)) {
    element.addEventListener(type, /** @type {EventListener} */ (listener));
  }
  for (const [name, value] of Object.entries(dataset)) element.dataset[name] = String(value);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "value" && "value" in element) element.value = String(value);
    else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Flatten lists of children and leave out the empty ones.
 * @param {Children[]} children
 * @returns {(Node | string)[]}
 */
function toNodes(children) {
  const nodes = /** @type {Child[]} */ (children.flat(2)).filter(
    (child) => child !== null && child !== undefined && child !== false,
  );
  return nodes.map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * Replace the content of an element. The focus stays on the control with the same `data-focus-key`.
 * @param {Element} element
 * @param {...Children} children
 */
export function replaceContent(element, ...children) {
  const focused = document.activeElement;
  const focusKey = focused instanceof HTMLElement && element.contains(focused) ? focused.dataset.focusKey : undefined;
  element.replaceChildren(...toNodes(children));
  if (focusKey === undefined) return;
  const control = element.querySelector(`[data-focus-key="${CSS.escape(focusKey)}"]`);
  if (control instanceof HTMLElement) control.focus({ preventScroll: true });
}

/**
 * An element of index.html.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function getById(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no element #${id}`);
  return element;
}

/**
 * The closest ancestor of an event's target that matches a selector.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function findClosest(event, selector) {
  const found = event.target instanceof Element ? event.target.closest(selector) : null;
  return found instanceof HTMLElement ? found : null;
}

export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

const ICONS = {
  first: "M18 5 9 12l9 7zM6 5v14",
  back: "M16 5 7 12l9 7z",
  forward: "M8 5l9 7-9 7z",
  last: "M6 5l9 7-9 7zM18 5v14",
  moon: "M20 14.500A8 8 0 1 1 9.500 4a6.500 6.500 0 0 0 10.500 10.500Z",
  sun: "M12 3v2m0 14v2M3 12h2m14 0h2M6 6l1 1m10 10 1 1M6 18l1-1M17 7l1-1M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0Z",
};

/** @param {keyof typeof ICONS} name */
export function createIcon(name) {
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}
