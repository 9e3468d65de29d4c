// Elements of this page: by id, the one that has the focus, and new ones.
/** @type {Document["getElementById"]} */
export const $ = (/** @type {any} */ id) => /** @type {any} */ (document.getElementById(id));
export const focused = () => /** @type {HTMLElement | null} */ (document.activeElement);
/** @type {Make} */
export const make = (tag, values = {}) => Object.assign(document.createElement(tag), values);
