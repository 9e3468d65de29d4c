// Two live regions, no more. A new child each time, so that the same words are read again. While a question is open, all
// else on the page is out of reach, and its regions are not read: the question has two of its own, which say it instead.
import { resultsSaid, write } from "/static/core/spoken.js";

/** @param {string} role @param {string} politeness */
function region(role, politeness, place = document.body) {
  const element = document.createElement("div");
  element.className = "unseen";
  element.setAttribute("role", role);
  element.setAttribute("aria-live", politeness);
  place.append(element);
  return element;
}
const polite = region("status", "polite");
const urgent = region("alert", "assertive");

/** @type {WeakMap<HTMLDialogElement, HTMLElement[]>} */
const within = new WeakMap(); // the regions of each question: there before anything is said in it
new MutationObserver((changes) => {
  for (const { target } of changes) if (target instanceof HTMLDialogElement && target.open) regionsOf(target);
  for (const { addedNodes } of changes) for (const one of addedNodes) if (one instanceof HTMLDialogElement && one.open) regionsOf(one);
}).observe(document.body, { attributeFilter: ["open"], childList: true, subtree: true });

/** @param {HTMLDialogElement} box */
function regionsOf(box) {
  const found = within.get(box) ?? [region("status", "polite", box), region("alert", "assertive", box)];
  within.set(box, found);
  return found;
}

// Where a message is heard now: in the question that is open, else on the page.
/** @param {HTMLElement} element */
function heardIn(element) {
  const box = [...document.querySelectorAll("dialog:modal")].at(-1);
  return box instanceof HTMLDialogElement ? regionsOf(box)[element === urgent ? 1 : 0] : element;
}

const AFTER_MS = 40;
/** @type {Map<string, number>} */
const coming = new Map(); // since when

// What two places of a page tell in the same words before they stand there, however long the page is held up, is one
// message: false for the second. Only out of sight, where timers are slow, the time itself counts.
/** @param {HTMLElement} element @param {string} text */
function put(element, text) {
  const message = `${element === urgent} ${text}`;
  const since = coming.get(message);
  if (since !== undefined && !(document.hidden && performance.now() - since >= AFTER_MS)) return false;
  coming.set(message, performance.now());
  heardIn(element).replaceChildren();
  setTimeout(() => {
    coming.delete(message);
    const line = document.createElement("p");
    write(line, text);
    const place = heardIn(element); // a question may have opened or closed meanwhile
    for (const before of [...place.children]) if (before.textContent === line.textContent) before.remove(); // late timers
    place.append(line);
    while (place.childElementCount > 3) place.firstElementChild?.remove();
  }, AFTER_MS);
  return true;
}

// What a page says, for an ear without a screen reader (`reading_out.js`). `heard`: the server says it there by itself;
// `key`: a key of the player's own brought it, and what sounds gives way to it.
/** @param {string} text */
export const readOut = (text, key = false) => document.dispatchEvent(new CustomEvent("page-says", { detail: { text, key } }));
/** @param {string} text */
export function say(text, { heard = false, key = false } = {}) {
  const said = resultsSaid(text);
  const news = put(polite, said);
  if ((news || key) && !heard) readOut(said, key); // a key is never answered by silence, however soon it comes again
}
/** @param {string} text */
export function warn(text) {
  const said = resultsSaid(text);
  if (put(urgent, said)) readOut(said);
}
