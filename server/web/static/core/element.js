// Elements of this page: by id, the one that has the focus, new ones, and those of a list that is drawn anew.
/** @type {Document["getElementById"]} */
export const $ = (/** @type {any} */ id) => /** @type {any} */ (document.getElementById(id));
export const focused = () => /** @type {HTMLElement | null} */ (document.activeElement);
/** @type {Make} */
export const make = (tag, values = {}) => Object.assign(document.createElement(tag), values);

// Give the focus to what no key leads to.
/** @param {HTMLElement} element */
export function focusOn(element) {
  element.tabIndex = -1;
  element.focus();
}

// The children of a place, in this order. What stays is not moved, so that the one in use keeps the focus; of one that
// goes, `instead` gets it.
/** @param {HTMLElement} place @param {HTMLElement[]} children @param {HTMLElement} [instead] */
export function keepInPlace(place, children, instead) {
  const wanted = new Set(/** @type {Element[]} */ (children));
  for (const one of [...place.children]) {
    if (wanted.has(one)) continue;
    if (one.contains(focused())) instead?.focus();
    one.remove();
  }
  children.forEach((one, at) => { if (place.children[at] !== one) place.insertBefore(one, place.children[at] ?? null); });
}
