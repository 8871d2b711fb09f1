/** What is in an element, made anew only where it would be something else: a button that is being pressed stays. */

const made = new WeakMap();

/**
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
  const same = held.id ? `#${CSS.escape(held.id)}` : held.dataset.act ? `[data-act="${held.dataset.act}"]` : "button";
  const again = element.querySelector(`${same}:not(:disabled)`) ?? element.querySelector("button:not(:disabled)");
  again?.focus();
}
