/** What is in an element, made anew only where it would be something else: a button that is being pressed stays. */

const made = new WeakMap();

/**
 * Where the focus was in it, it goes to what is the same by its id or `data-action`, or to another button if that is
 * disabled now; where that is gone, nobody else gets it: Enter would do something else.
 * @param {HTMLElement} element
 * @param {any} state all that what is in it depends on
 * @param {() => any[]} make nodes and texts
 */
export function renew(element, state, make) {
  const key = JSON.stringify(state);
  if (made.get(element) === key) return;
  made.set(element, key);
  const held = element.contains(document.activeElement) ? document.activeElement : null;
  element.replaceChildren(...make().flat(Infinity).filter(Boolean));
  if (held === null || element.contains(held)) return;
  const { id, dataset: { action } } = held;
  const same = id ? `#${CSS.escape(id)}` : action ? `[data-action="${CSS.escape(action)}"]` : "button";
  const again = element.querySelector(same);
  (again?.disabled ? element.querySelector("button:not(:disabled)") : again)?.focus();
}
