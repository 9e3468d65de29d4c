// The copy of the record that this device of the arbiter holds: sealed pieces, kept past this page, and saved as a file
// with which another laptop goes on. It works without the server: everything that it needs is here.
import { $ } from "/static/core/element.js";
import { language, t } from "/static/core/language.js";
import { say } from "/static/core/live.js";
import { write } from "/static/core/spoken.js";

const FORMAT = "anna-eins-copy";
const VERSION = 2;
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
      if (!piece) break; // there was no room for it: the seal tells what is missing
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
    localStorage.setItem(nameOf(copy.id), JSON.stringify({ ...head, last: end(copy) }));
  } catch { /* full, or switched off */ }
}

// A table of the same name at a server that knows nothing of the last one: the copy before stays, in case it is needed now.
/** @param {string} id @returns {Copy} */
function another(id) {
  if (copy?.pieces.length) before = copy;
  copy = (before?.id === id ? before : null) ?? { id, pieces: [] };
  if (before === copy) before = null;
  const stay = [before?.id, id].filter(Boolean);
  try {
    for (const old of known().filter((one) => !stay.includes(one)))
      for (const key of Object.keys(localStorage)) if (key.startsWith(nameOf(old))) localStorage.removeItem(key);
    localStorage.setItem(KNOWN, JSON.stringify(stay));
  } catch { /* nothing is kept there */ }
  return copy;
}

/** @param {Copy} copy */
const clock = ({ until }) => (until ? new Date(until.wall_ms).toLocaleTimeString(language, { hourCycle: "h23" }) : "?");
/** @param {Copy | null} copy */
const end = (copy) => copy?.pieces.at(-1)?.last ?? 0;

function show() {
  $("copy-until").textContent = copy?.until ? t("copy_until", { time: clock(copy) }) : t("copy_none");
  $("copy-save").disabled = !copy?.pieces.length;
  $("copy-show").disabled = !copy;
  $("copy-save-before").hidden = !before;
  if (before) $("copy-save-before").textContent = t("keep_copy_before", { time: clock(before) });
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
    if (said.piece.first === 1) copy = { ...copy, pieces: [], until: undefined }; // from the beginning, whatever was held
    if (said.piece.first !== end(copy) + 1) return;
    copy.pieces.push(said.piece);
    keep(said.piece);
  } else if (said.last === end(copy)) {
    copy.until = said;
    keep(null);
  } else {
    ask();
  }
  show();
});

// A saved file stays whatever comes; the code is not in it.
/** @param {Copy} copy */
function save({ id, pieces: all, until }) {
  const pieces = all.filter(({ last }) => !until || last <= until.last); // no seal has come yet for later ones
  const file = new Blob([JSON.stringify({ format: FORMAT, version: VERSION, table, id, pieces, until })], { type: "application/json" });
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
// What is not whole is asked for from the beginning.
function ask() {
  const whole = copy?.until?.last === end(copy) && copy?.until;
  document.dispatchEvent(new CustomEvent("to-server", { detail: { kind: "hold", id: copy?.id ?? "", after: whole ? whole.last : 0, link: whole ? whole.link : "" } }));
}
document.addEventListener("greeted", ask);
show();
