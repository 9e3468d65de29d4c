// The copy of the record that this device of the arbiter holds: sealed pieces, kept past this page, and saved as a file
// with which another laptop goes on. It works without the server: everything that it needs is here.
import { $ } from "/static/core/element.js";
import { language, t } from "/static/core/language.js";
import { say } from "/static/core/live.js";
import { write } from "/static/core/spoken.js";

const FORMAT = "anna-eins-copy";
const VERSION = 1;
const table = new URLSearchParams(location.search).get("table") ?? "";
const KNOWN = `copies:${table}`; // the ids of the copies in this browser, the newest last
/** @param {string} id */
const nameOf = (id) => `copy:${table}:${id}`;
/** @type {(Copy | null)[]} */
let [copy, before] = loaded().reverse();

/** @returns {string[]} */
function known() {
  try { return JSON.parse(localStorage.getItem(KNOWN) ?? "[]"); } catch { return []; }
}

function loaded() {
  return known().map(load).filter(Boolean);
}

/** @param {string} id */
function load(id) {
  try {
    const head = JSON.parse(localStorage.getItem(nameOf(id)) ?? "null");
    const pieces = [];
    for (let first = 1; first <= head.last;) {
      const piece = JSON.parse(localStorage.getItem(`${nameOf(id)}:${first}`) ?? "null");
      pieces.push(piece);
      first = piece.last + 1;
    }
    return { ...head, pieces };
  } catch {
    return null;
  }
}

// What has no room in this browser's storage is held by this page alone.
/** @param {Wire.Piece | null} fresh */
function keep(fresh) {
  if (!copy) return;
  try {
    if (fresh) localStorage.setItem(`${nameOf(copy.id)}:${fresh.first}`, JSON.stringify(fresh));
    const { pieces, ...head } = copy;
    localStorage.setItem(nameOf(copy.id), JSON.stringify({ ...head, last: pieces.at(-1)?.last ?? 0 }));
  } catch { /* full, or switched off */ }
}

// A table of the same name at a server that knows nothing of the last one: the copy before stays, in case it is needed now.
/** @param {string} id @returns {Copy} */
function another(id) {
  if (copy?.pieces.length) before = copy;
  copy = (before?.id === id ? before : null) ?? { id, pieces: [], witness: "", wall: 0 };
  if (before === copy) before = null;
  const stay = [before?.id, id].filter(Boolean);
  try {
    for (const old of known().filter((one) => !stay.includes(one)))
      for (const key of Object.keys(localStorage)) if (key.startsWith(nameOf(old))) localStorage.removeItem(key);
    localStorage.setItem(KNOWN, JSON.stringify(stay));
  } catch { /* nothing is kept there */ }
  return copy;
}

/** @param {number} wall */
const clock = (wall) => new Date(wall).toLocaleTimeString(language, { hourCycle: "h23" });

function show() {
  $("copy-until").textContent = copy?.wall ? t("copy_until", { time: clock(copy.wall) }) : t("copy_none");
  $("copy-save").disabled = !copy?.pieces.length;
  $("copy-show").disabled = !copy;
  $("copy-save-before").hidden = !before;
  if (before) $("copy-save-before").textContent = t("keep_copy_before", { time: clock(before.wall) });
}

document.addEventListener("record-copy", ({ detail: said }) => {
  if (said.kind === "copy_begins") {
    const held = copy?.id !== said.id || !known().includes(said.id) ? another(said.id) : copy;
    held.words = said.words;
    held.squares = said.squares;
    keep(null);
  } else if (!copy) {
    return;
  } else if (said.kind === "copy") {
    if (said.piece.first === 1) copy.pieces = []; // from the beginning, whatever was held
    if (said.piece.first !== (copy.pieces.at(-1)?.last ?? 0) + 1) return;
    copy.pieces.push(said.piece);
    copy.wall = said.wall_ms;
    keep(said.piece);
  } else {
    copy.witness = said.sealed;
    copy.wall = said.wall_ms;
    keep(null);
  }
  show();
});

// A saved file stays whatever comes; the code is not in it.
/** @param {Copy} copy */
function save({ id, pieces, witness }) {
  const file = new Blob([JSON.stringify({ format: FORMAT, version: VERSION, table, id, pieces, witness })], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${table}.anna-eins-copy.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  say(t("done"));
}

/** @param {Copy} copy */
function code({ words, squares }) {
  write($("copy-code"), t("copy_code_is", { words: `${words} (${squares?.join(" ")})` }));
  $("copy-code").focus();
}
$("copy-save").addEventListener("click", () => { if (copy) save(copy); });
$("copy-show").addEventListener("click", () => { if (copy) code(copy); });
$("copy-save-before").addEventListener("click", () => { if (before) { save(before); code(before); } });
document.addEventListener("language", show);
document.addEventListener("greeted", () => {
  document.dispatchEvent(new CustomEvent("to-server", { detail: { kind: "hold", id: copy?.id ?? "", after: copy?.pieces.at(-1)?.last ?? 0 } }));
});
show();
