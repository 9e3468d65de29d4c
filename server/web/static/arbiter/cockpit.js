// The three states of a table on the arbiter's page: before, play, after. Each shows its parts where they are at hand;
// what is seldom needed lies below, in tabs while the game is played, in folds before and after it.
import { $, focused, make } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { keep, kept } from "/static/core/keys.js";

/** @typedef {"before" | "play" | "after"} Stage */
/** @type {{ [stage in Stage]: { left: string[], right: string[], open: string[] } }} */
const LAYOUT = {
  before: {
    left: ["todo-section", "door", "alerts-section", "questions-step", "game", "acts", "order"],
    right: ["invite-sheet", "stations-sheet", "checklist-sheet", "adaptation-sheet", "rehearsal-sheet", "record-section", "boards"],
    open: ["invite-sheet", "stations-sheet", "record-section"],
  },
  play: {
    left: ["alerts-section", "claim-section", "order", "door", "game", "acts", "ruling", "correct-sheet"],
    right: ["boards"],
    open: ["record-section", "correct-sheet", "scores", "stations-sheet", "exports"],
  },
  after: {
    left: ["door", "alerts-section", "order", "game", "ruling", "acts"],
    right: ["exports", "scores", "boards", "record-section"],
    open: ["exports", "scores", "record-section"],
  },
};
const NEVER_BELOW = ["todo-section", "questions-step", "claim-section"];
/** @type {{ [panel: string]: string[] }} */
const PANELS = {
  record: ["record-section", "listen-sheet"],
  scores: ["scores"],
  devices: ["stations-sheet", "invite-sheet", "keys-sheet", "devices-sheet"],
  set_up: ["checklist-sheet", "adaptation-sheet", "rehearsal-sheet", "voice-sheet", "aloud-sheet"],
  save: ["exports", "copy-sheet"],
};
const [FIRST = ""] = Object.keys(PANELS);

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id */
const panelOf = (id) => Object.keys(PANELS).find((name) => PANELS[name]?.includes(id)) ?? "save";

for (const name of Object.keys(PANELS)) {
  $("folds").append(make("div", { id: `panel-${name}`, className: "panel" }));
  const words = name === "save" ? "export.title" : `tab.${name}`;
  const tab = make("button", { id: `tab-${name}`, type: "button", textContent: t(words) });
  tab.dataset.t = words;
  tab.setAttribute("role", "tab");
  tab.setAttribute("aria-controls", `panel-${name}`);
  tab.addEventListener("click", () => choose(name));
  $("tabs").append(tab);
}
$("tabs").addEventListener("keydown", (event) => {
  const names = Object.keys(PANELS);
  const turned = document.documentElement.dir === "rtl" ? -1 : 1;
  const step = { ArrowRight: turned, ArrowLeft: -turned }[event.key];
  const at = names.findIndex((name) => part(`tab-${name}`) === document.activeElement);
  const to = step ? names.at((at + step) % names.length) : event.key === "Home" ? names[0] : event.key === "End" ? names.at(-1) : undefined;
  if (!to) return;
  event.preventDefault();
  choose(to);
  part(`tab-${to}`).focus();
});

// One tab is open while the game is played; before and after it all that is below stands in folds.
/** @param {string} chosen */
function choose(chosen) {
  const tabbed = document.body.dataset.state === "play";
  $("tabs").hidden = !tabbed;
  for (const name of Object.keys(PANELS)) {
    const [tab, panel] = [part(`tab-${name}`), part(`panel-${name}`)];
    tab.setAttribute("aria-selected", String(name === chosen));
    tab.tabIndex = name === chosen ? 0 : -1;
    panel.hidden = tabbed && name !== chosen;
    if (tabbed) panel.setAttribute("role", "tabpanel");
    else panel.removeAttribute("role");
    if (tabbed) panel.setAttribute("aria-labelledby", tab.id);
    else panel.removeAttribute("aria-labelledby");
  }
}

// A part that moves keeps its focus; one that is not of this state goes below.
/** @param {Stage} stage */
export function staged(stage) {
  if (document.body.dataset.state === stage) return;
  document.body.dataset.state = stage;
  const before = focused();
  const { left, right, open } = LAYOUT[stage];
  const moving = new Set(Object.values(LAYOUT).flatMap((one) => [...one.left, ...one.right]));
  for (const id of new Set([...moving, ...Object.values(PANELS).flat()])) {
    const side = left.includes(id) ? "left" : right.includes(id) ? "right" : "";
    part(id).classList.toggle("away", !side && NEVER_BELOW.includes(id));
    if (!side && !NEVER_BELOW.includes(id)) part(`panel-${panelOf(id)}`).append(part(id));
    const fold = part(id);
    if (fold instanceof HTMLDetailsElement && moving.has(id)) fold.open = open.includes(id);
  }
  $("desk").classList.toggle("away", stage !== "play");
  for (const [name, ids] of Object.entries(PANELS)) part(`panel-${name}`).prepend(...ids.map(part).filter((one) => one.parentElement?.id === `panel-${name}`));
  $("left").append(...left.map(part));
  $("right").append(...right.map(part));
  if (stage === "play") part("panel-set_up").prepend($("rules"));
  else $("tabs").before($("rules"));
  choose(FIRST);
  if (before && before !== document.body && before.isConnected) {
    before.focus();
    if (document.activeElement !== before || before.closest(".away, [hidden]") || before.hasAttribute("disabled")) (stage === "play" ? $("bar") : $("main")).focus(); // no key sets going what has it then
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
  const panel = place.closest("[role=tabpanel]");
  if (panel) choose(panel.id.replace("panel-", ""));
  const fold = /** @type {HTMLDetailsElement | null} */ (place.closest("details"));
  if (fold) fold.open = true;
  place.scrollIntoView({ block: "nearest" });
  (/** @type {HTMLElement | null} */ (place.matches("button, input, select") ? place : place.querySelector("summary, input, select, button")) ?? place).focus();
}

// Which boards a small screen shows; both where it is wide.
function boardsShown() {
  const boards = $("boards-shown");
  const show = () => { $("boards-two").dataset.shown = kept("boards-shown") ?? "both"; };
  for (const one of boards.querySelectorAll("input")) {
    one.checked = one.value === (kept("boards-shown") ?? "both");
    one.addEventListener("change", () => { keep("boards-shown", one.value); show(); });
  }
  show();
}

// "/" from anywhere but a field: the search for an act.
export function cockpit() {
  boardsShown();
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
    /** @type {HTMLElement | null} */ ($("more").querySelector("[role=tab][aria-selected=true]:not([hidden] *), summary"))?.focus();
  });
  document.addEventListener("language", list);
}
