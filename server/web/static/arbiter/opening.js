// The hall's arbiter opens tables: a round out of a file, or one by hand; first looked at, then opened together.
import { $, make } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { controlInWords } from "/static/core/times.js";

const LONGEST = 4_000_000;
/** @type {Http[]} */
let found = [];

/** @param {string} text */
function told(text, grave = false) {
  $("opening-said").textContent = text;
  (grave ? warn : say)(text);
}

/** @param {string} path @param {object} body */
async function post(path, body) {
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const said = await answer.json();
  if (answer.ok) {
    $("opening-said").textContent = ""; // what was wrong before is wrong no longer
    return said;
  }
  told(said.text, true);
  return null;
}

// UTF-8, else Latin-1, as pairing programs write it.
/** @param {File} file */
async function textOf(file) {
  if (file.size > LONGEST) return null;
  const bytes = await file.arrayBuffer();
  try { return new TextDecoder("utf-8", { fatal: true }).decode(bytes); } catch { return new TextDecoder("iso-8859-1").decode(bytes); }
}

/** @param {Seat} side @param {string} name @param {number} at @param {boolean} touched */
function touching(side, name, at, touched) {
  const label = make("label", { className: "check" });
  label.append(make("input", { type: "checkbox", id: `touch-${at}-${side}`, checked: touched }), ` ${t(side)}: ${name}`);
  return label;
}

function show() {
  $("open-form").hidden = found.length === 0;
  if (!found.length) return;
  $("found-title").textContent = t("opening.found", { count: found.length });
  $("found").replaceChildren(...found.map((one, at) => {
    const item = make("li");
    const group = make("fieldset");
    group.append(make("legend", { textContent: [one.name, one.taken ? t("opening.taken") : ""].filter(Boolean).join(" – ") || t("opening.one") }));
    group.append(touching("white", one.white, at, one.touch?.white ?? false), touching("black", one.black, at, one.touch?.black ?? false));
    item.append(group);
    return item;
  }));
  $("open-all").textContent = t("opening.open", { count: found.length });
  control();
}

// What stands in the field, or what is taken where it is empty, said out below it.
const USUAL = "5400+30";
function control() {
  const files = [...new Set(found.map((one) => one.control || USUAL))];
  const written = $("open-control").value.trim();
  const said = (written ? [written] : files).map((one) => controlInWords(one) ?? t("not_understood"));
  $("open-control-said").textContent = said.join(" · ");
}

// What the event's settings say stands here beforehand; what is ticked here holds for the tables that are opened now.
/** @type {string[]} */
let others = [];
async function regulations() {
  const answer = await fetch("/api/regulations");
  if (!answer.ok) return;
  const { guidelines, unsupervised } = await answer.json();
  others = guidelines.filter((/** @type {string} */ one) => one === "II");
  $("open-adjournments").checked = guidelines.includes("I");
  $("open-quickplay").checked = guidelines.includes("III");
  $("open-unsupervised").checked = unsupervised;
}

/** @param {Http[]} tables */
async function taken(tables) {
  found = tables;
  await regulations();
  show();
  say($("found-title").textContent ?? "");
  $("found-title").focus();
}

export function opening() {
  $("open-control").addEventListener("input", control);
  $("open-control").addEventListener("change", () => say($("open-control-said").textContent ?? ""));
  $("file-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = await textOf(/** @type {FileList} */ ($("file").files)[0]);
    if (text === null) { told(t("opening.too_long"), true); return; }
    const said = await post("/api/pairings", { text, round: $("round").value ? Number($("round").value) : null });
    if (said) taken(said.tables);
  });
  $("one-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const touch = { white: $("one-white-touch").checked, black: $("one-black-touch").checked };
    taken([{ name: "", white: $("one-white").value.trim(), black: $("one-black").value.trim(), event: "", round: 0, board: 0, control: "", touch }]);
  });
  $("open-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    /** @param {string} name @param {`touch-${number}-${Seat}`} id */
    const player = (name, id) => ({ name, kind: $(id).checked ? "tactile" : "sighted", language: $("open-language").value });
    const tables = found.map((one, at) => ({
      name: one.name, event: one.event, round: one.round, board: one.board,
      control: $("open-control").value.trim() || one.control,
      white: player(one.white, `touch-${at}-white`), black: player(one.black, `touch-${at}-black`),
    }));
    const guidelines = [...others, ...($("open-adjournments").checked ? ["I"] : []), ...($("open-quickplay").checked ? ["III"] : [])];
    const said = await post("/api/tables", { tables, rated: $("open-rated").checked, guidelines, unsupervised: $("open-unsupervised").checked });
    if (!said) return;
    found = [];
    show();
    for (const form of /** @type {const} */ (["file-form", "one-form", "open-form"])) $(form).reset();
    told(t("opening.opened", { count: said.tables.length }));
    $("find").focus();
  });
  document.addEventListener("language", show);
}
