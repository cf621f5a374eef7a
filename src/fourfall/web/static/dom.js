// Owns the making of elements: one small function for HTML, one for SVG.

/** Make an element. `on` holds listeners, `dataset` data attributes; null, undefined and false leave an attribute out. */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** Set or remove attributes so that the element looks as described. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "value") element.value = value;
    else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : value);
  }
  return element;
}

function filled(element, attributes, children) {
  set(element, attributes);
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  if (element.tagName === "SELECT" && "value" in attributes) element.value = attributes.value;
  return element;
}

/** Replace the children of an element, keeping the keyboard's focus on the control with the same `data-keep`. */
export function fill(element, ...children) {
  const kept = element.contains(document.activeElement) ? document.activeElement.dataset.keep : undefined;
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  if (kept) element.querySelector(`[data-keep="${CSS.escape(kept)}"]`)?.focus({ preventScroll: true });
}

export function prefersStillness() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
