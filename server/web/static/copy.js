// The copy of the record that this device of the arbiter holds: sealed pieces, kept past this page, and saved as a file
// with which another laptop goes on. It works without the server: everything that it needs is here.
import { language, t } from "/static/language.js";
import { say } from "/static/live.js";

const FORMAT = "anna-eins-copy";
const VERSION = 1;
const $ = (id) => document.getElementById(id);
const table = new URLSearchParams(location.search).get("table") ?? "";
const name = `copy:${table}`;
let copy = load();

function load() {
  try {
    const head = JSON.parse(localStorage.getItem(name));
    if (!head) return null;
    const pieces = [];
    for (let first = 1; first <= head.last;) {
      const piece = JSON.parse(localStorage.getItem(`${name}:${first}`));
      if (!piece) return null;
      pieces.push(piece);
      first = piece.last + 1;
    }
    return { ...head, pieces };
  } catch {
    return null;
  }
}

// What has no room in this browser's storage is held by this page alone.
function keep(fresh) {
  try {
    if (fresh) localStorage.setItem(`${name}:${fresh.first}`, JSON.stringify(fresh));
    const { pieces, ...head } = copy;
    localStorage.setItem(name, JSON.stringify({ ...head, last: pieces.at(-1)?.last ?? 0 }));
  } catch { /* full, or switched off */ }
}

function forget() {
  try {
    for (const key of Object.keys(localStorage)) if (key === name || key.startsWith(`${name}:`)) localStorage.removeItem(key);
  } catch { /* nothing is kept there */ }
}

function show() {
  const time = copy?.wall ? new Date(copy.wall).toLocaleTimeString(language) : null;
  $("copy-until").textContent = time ? t("copy_until", { time }) : t("copy_none");
  $("copy-save").disabled = !copy?.pieces.length;
  $("copy-show").disabled = !copy;
}

document.addEventListener("copy", ({ detail: said }) => {
  if (said.kind === "copy_begins") {
    if (copy?.id !== said.id) {
      forget(); // of another record under the same name
      copy = { id: said.id, pieces: [], witness: "", wall: 0 };
    }
    copy.words = said.words;
    copy.squares = said.squares;
    keep(null);
  } else if (said.kind === "copy") {
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
$("copy-save").addEventListener("click", () => {
  const { id, pieces, witness } = copy;
  const file = new Blob([JSON.stringify({ format: FORMAT, version: VERSION, table, id, pieces, witness })], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${table}.anna-eins-copy.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  say(t("done"));
});
$("copy-show").addEventListener("click", () => {
  $("copy-code").textContent = t("copy_code_is", { words: `${copy.words} (${copy.squares.join(" ")})` });
  $("copy-code").focus();
});
document.addEventListener("language", show);
document.addEventListener("greeted", () => {
  document.dispatchEvent(new CustomEvent("to-server", { detail: { kind: "hold", id: copy?.id ?? "", after: copy?.pieces.at(-1)?.last ?? 0 } }));
});
show();
