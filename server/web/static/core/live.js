// Two live regions, no more. A new child each time, so that the same words are read again.
import { write } from "/static/core/spoken.js";

/** @param {string} role @param {string} politeness */
function region(role, politeness) {
  const element = document.createElement("div");
  element.className = "unseen";
  element.setAttribute("role", role);
  element.setAttribute("aria-live", politeness);
  document.body.append(element);
  return element;
}
const polite = region("status", "polite");
const urgent = region("alert", "assertive");

const AFTER_MS = 40;
/** @type {Map<string, number>} */
const coming = new Map(); // since when; a page that is out of sight has slow timers

// What two places of a page tell at the same instant, in the same words, is one message: false for the second.
/** @param {HTMLElement} element @param {string} text */
function put(element, text) {
  const message = `${element === urgent} ${text}`;
  if (performance.now() - (coming.get(message) ?? -Infinity) < AFTER_MS) return false;
  coming.set(message, performance.now());
  element.replaceChildren();
  setTimeout(() => {
    coming.delete(message);
    const line = document.createElement("p");
    write(line, text);
    element.append(line);
    while (element.childElementCount > 3) element.firstElementChild?.remove();
  }, AFTER_MS);
  return true;
}

// What a page says, for an ear without a screen reader (`reading_out.js`). `heard`: the server says it there by itself;
// `key`: a key of the player's own brought it, and what sounds gives way to it.
/** @param {string} text */
export const readOut = (text, key = false) => document.dispatchEvent(new CustomEvent("page-says", { detail: { text, key } }));
/** @param {string} text */
export function say(text, { heard = false, key = false } = {}) {
  if (put(polite, text) && !heard) readOut(text, key);
}
/** @param {string} text */
export function warn(text) {
  if (put(urgent, text)) readOut(text);
}
