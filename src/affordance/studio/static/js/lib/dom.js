/** Making elements. Text is only ever put in as text. */

/**
 * An element. Attributes that are null, undefined or false are left out; functions at `onclick` and the like listen;
 * `dataset` takes an object. Children are nodes, texts, numbers or lists of them; null and false are left out.
 * @param {string} tag
 * @param {Record<string, any> | null} [attributes]
 * @param {...any} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = null, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * Say something to people who listen to the page.
 * @param {string} text
 */
export function announce(text) {
  const place = document.getElementById("announcer");
  if (!place) return;
  // The same words twice are read twice only if they were gone in between.
  place.textContent = "";
  requestAnimationFrame(() => {
    place.textContent = text;
  });
}

/**
 * Take the focus from a field in a place, so that what was typed there is saved while its subject is still open.
 * @param {HTMLElement} place
 */
export function leaveField(place) {
  const held = document.activeElement;
  if (held instanceof HTMLElement && place.contains(held)) held.blur();
}

/**
 * A line of which parts are commands, in backticks.
 * @param {string} line
 * @returns {(string | HTMLElement)[]}
 */
export function withCode(line) {
  return line.split("`").map((part, index) => (index % 2 === 1 ? el("code", null, part) : part));
}

/**
 * What the shell says in a meta element, or "".
 * @param {string} name
 */
export function meta(name) {
  /** @type {HTMLMetaElement | null} */
  const found = document.querySelector(`meta[name="${name}"]`);
  return found?.content ?? "";
}

/**
 * @param {HTMLElement} element
 * @param {Record<string, any> | null} attributes
 * @param {any[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "style") throw new TypeError("expected a class: the page's policy allows no style attribute");
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((one) => one !== null && one !== undefined && one !== false));
  return element;
}
