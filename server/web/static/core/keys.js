// Keys a person may choose: no single letters, which a screen reader would take for itself.
export const KEYS = ["Ctrl+Enter", "F2", "F4", "F7", "F8", "F9", "F10", "Pause", "Insert", "F13", "F14", "F15", "F16", "F17", "F18", "F19", "F20"];
/** @type {{ [name: string]: string }} */
const DEFAULTS = { "press-key": "Ctrl+Enter", "talk-key": "F9", "again-key": "F8", "entry-key": "F4", "step-key": " ", "choose-key": "Enter", entry: "letters", "entry-other": "chords", "talk-way": "held", "alerts-ear": "no", voice: "on", preroll: "off", headset: "off", capitals: "off", vibrate: "", "message-size": "1" };
/** @type {{ [name: string]: string }} */
const memory = {};

/** @type {{ [way: string]: string }} */
const OLDER = { hold: "held", toggle: "toggled" }; // how browsers kept the way of talking before

/** @param {string} name */
export function kept(name) {
  let found = null;
  try { found = localStorage.getItem(name); } catch { /* storage may be switched off */ }
  found ??= memory[name] ?? DEFAULTS[name];
  return name === "talk-way" ? OLDER[found] ?? found : found;
}

/** @param {string} name @param {string} value */
export function keep(name, value) {
  memory[name] = value;
  try { localStorage.setItem(name, value); } catch { /* for this page only */ }
}

/** @param {KeyboardEvent} event */
export const keyOf = (event) => `${event.ctrlKey ? "Ctrl+" : ""}${event.altKey ? "Alt+" : ""}${event.key}`;

/** @param {HTMLSelectElement} select @param {string} name @param {() => void} [changed] */
export function keySelect(select, name, changed) {
  for (const key of KEYS) select.append(new Option(key, key, false, key === kept(name)));
  select.addEventListener("change", () => { keep(name, select.value); changed?.(); });
}

// A screen that is touched shows no names of keys, until a keyboard is there: a key that no keyboard on a screen has was pressed.
const coarse = matchMedia("(pointer: coarse)");
let keyed = false;

export const byTouch = () => coarse.matches && !keyed;

function show() {
  document.documentElement.classList.toggle("touch", byTouch());
  document.dispatchEvent(new Event("touch"));
}
coarse.addEventListener("change", show);
addEventListener("keydown", ({ code, ctrlKey }) => {
  if (keyed || !(ctrlKey || /^(F\d|Tab|Escape|Arrow|Control|Alt|Numpad)/.test(code))) return;
  keyed = true;
  show();
}, { capture: true });
show();
