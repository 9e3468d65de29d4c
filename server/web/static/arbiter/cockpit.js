// The three states of a table on the arbiter's page: before, play, after. Each shows its parts where they are at hand;
// what is rarely needed lies under "More" in all of them.
import { $, focused, make } from "/static/core/element.js";
import { t } from "/static/core/language.js";

/** @typedef {"before" | "play" | "after"} Stage */
/** @type {{ [stage in Stage]: { left: string[], right: string[], open: string[] } }} */
const LAYOUT = {
  before: {
    left: ["todo-section", "door", "alerts-section", "questions-step", "game", "acts", "order"],
    right: ["invite-sheet", "stations-sheet", "checklist-sheet", "adaptation-sheet", "rehearsal-sheet", "record-section", "boards"],
    open: ["invite-sheet", "stations-sheet", "record-section"],
  },
  play: {
    left: ["alerts-section", "claim-section", "order", "door", "game", "acts", "ruling"],
    right: ["boards", "record-section", "correct-sheet", "scores", "desk"],
    open: ["record-section", "correct-sheet"],
  },
  after: {
    left: ["door", "alerts-section", "order", "game", "ruling", "acts"],
    right: ["exports", "scores", "boards", "record-section"],
    open: ["exports", "scores", "record-section"],
  },
};
const NEVER_UNDER_MORE = ["todo-section", "questions-step", "claim-section", "desk"];

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

// A part that moves keeps its focus; one that is not of this state goes under "More", closed.
/** @param {Stage} stage */
export function staged(stage) {
  if (document.body.dataset.state === stage) return;
  document.body.dataset.state = stage;
  const before = focused();
  const { left, right, open } = LAYOUT[stage];
  const all = new Set(Object.values(LAYOUT).flatMap((one) => [...one.left, ...one.right]));
  for (const id of all) {
    const side = left.includes(id) ? "left" : right.includes(id) ? "right" : "";
    part(id).classList.toggle("away", !side && NEVER_UNDER_MORE.includes(id));
    if (!side && !NEVER_UNDER_MORE.includes(id)) $("folds").prepend(part(id));
    const fold = part(id);
    if (fold instanceof HTMLDetailsElement && (id !== "desk")) fold.open = open.includes(id);
  }
  $("left").append(...left.map(part));
  $("right").append(...right.map(part));
  if (before && before !== document.body && before.isConnected) {
    before.focus();
    if (document.activeElement !== before || before.closest(".away, [hidden]") || before.hasAttribute("disabled")) (stage === "play" ? $("pause") : $("main")).focus();
  }
}

// What is still open before the start, in its order; each line leads to its part and opens it.
/** @type {{ [name: string]: [string, () => string, boolean] }} */
const steps = {};
/** @param {string} name @param {string} id @param {() => string} words @param {boolean} done */
export function step(name, id, words, done) {
  steps[name] = [id, words, done];
  list();
}

const ORDER = ["questions", "devices", "checklist", "rehearsal", "start"];
function list() {
  const inside = $("todo").contains(document.activeElement) ? focused()?.dataset.step : null;
  $("todo").replaceChildren(...ORDER.filter((name) => name in steps).map((name) => {
    const [id, words, done] = steps[name];
    const item = make("li", { className: done ? "done" : "" });
    const link = make("a", { href: `#${id}` });
    link.dataset.step = name;
    link.append(make("span", { ariaHidden: "true", textContent: done ? "✓ " : "○ " }), `${t(`step.${name}`)}${words() ? `: ${words()}` : ""}`);
    link.addEventListener("click", (event) => { event.preventDefault(); lead(id); });
    item.append(link);
    return item;
  }));
  if (inside) [...$("todo").querySelectorAll("a")].find((one) => one.dataset.step === inside)?.focus();
}

// Where something on the page leads: its fold is opened, and its first field is under the fingers.
/** @param {string} id */
export function lead(id) {
  const place = part(id);
  const fold = /** @type {HTMLDetailsElement | null} */ (place.closest("details"));
  if (fold) fold.open = true;
  place.scrollIntoView({ block: "nearest" });
  (/** @type {HTMLElement | null} */ (place.matches("button, input, select") ? place : place.querySelector("summary, input, select, button")) ?? place).focus();
}

// "/" from anywhere but a field: the search for an act.
export function cockpit() {
  addEventListener("keydown", (event) => {
    const field = focused()?.closest("input:not([type=checkbox]):not([type=radio]), textarea, select, dialog");
    if (event.key !== "/" || event.ctrlKey || event.altKey || event.metaKey || field) return;
    event.preventDefault();
    $("act-find").focus();
    $("act-find").select();
  });
  $("to-more").addEventListener("click", (event) => {
    event.preventDefault();
    $("more").scrollIntoView();
    $("more").querySelector("summary")?.focus();
  });
  document.addEventListener("language", list);
}
