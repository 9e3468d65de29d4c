// Every device that is admitted, to tables or to the whole hall: the arbiter of all sends one away from all of them.
import { $, keepInPlace } from "/static/core/element.js";
import { confirmed } from "/static/core/asking.js";
import { t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";

const ADDRESS = "/api/admissions";
const EVERY_MS = 5000;
const MOST_NAMED = 5; // of more tables only their number is told: nobody listens to a hundred names
/** @type {Intl.DateTimeFormatOptions} */
const WHEN = { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" }; // 11/12/26 is two days, and a hall has one clock
/** @type {Http[]} */
let known = [];
let drawn = "";
let asked = -EVERY_MS;
let looking = 0; // the newest answer counts
/** @type {Map<string, HTMLElement>} */
const items = new Map(); // by station, changed in place: a button stays under the finger and keeps the focus

/** @param {Http} one */
function what(one) {
  return `${one.hall ? t("admitted.hall") : t(`title.${one.role}`)}${one.seat ? `, ${t(one.seat)}` : ""}`;
}

/** @param {Http} one */
function item(one) {
  const line = items.get(one.station) ?? document.createElement("li");
  items.set(one.station, line);
  line.className = "device";
  if (!line.firstElementChild) line.append(Object.assign(document.createElement("span"), { className: "grow" }), ...(one.own ? [] : [button(one)]));
  const parts = [`${one.on_line ? "●" : "○"} ${what(one)} (${one.station})${one.own ? ` – ${t("admitted.own")}` : ""}`, one.on_line ? t("connected") : t("line_away")];
  if (one.tables.length) parts.push(t("admitted.tables", { names: one.tables.length > MOST_NAMED ? String(one.tables.length) : one.tables.join(", ") }));
  parts.push(t("admitted.since", { time: new Date(one.since).toLocaleString(document.documentElement.lang, WHEN) }));
  const [name, send] = /** @type {HTMLElement[]} */ ([...line.children]);
  name.textContent = parts.join(" · ");
  send?.replaceChildren(t("stations.send"), Object.assign(document.createElement("span"), { className: "unseen", textContent: ` ${what(one)} ${one.station}` }));
  return line;
}

/** @param {Http} one */
function button(one) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "grave";
  made.addEventListener("click", () => send(one));
  return made;
}

function draw() {
  $("admitted").hidden = false;
  drawn = JSON.stringify(known);
  for (const station of items.keys()) if (!known.some((one) => one.station === station)) items.delete(station);
  keepInPlace($("admitted-list"), known.map(item), $("admitted-title")); // the next device is not sent away by the same key
  $("admitted-none").hidden = known.some((one) => !one.own);
}

async function look() {
  const mine = ++looking;
  const answer = await fetch(ADDRESS).catch(() => null);
  const said = answer?.ok ? await answer.json() : null;
  if (!said || mine !== looking) return;
  known = said.devices;
  if (JSON.stringify(known) !== drawn || $("admitted").hidden) draw(); // in place as it is, where nothing has changed
}

/** @param {Http} one */
async function send(one) {
  if (!(await confirmed(t("admitted.sure", { who: `${what(one)} (${one.station})` })))) return;
  const how = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
  const answer = await fetch(`${ADDRESS}/${encodeURIComponent(one.station)}`, how).catch(() => null);
  if (answer?.ok) say(t("stations.sent"));
  else warn(answer ? (await answer.json()).text : t("no_answer"));
  await look();
}

// It returns what the page calls with each answer about the tables: whether this browser is the arbiter of all.
export function admitted() {
  document.addEventListener("language", () => { if (known.length) draw(); });
  return (/** @type {boolean} */ hall) => {
    if (!hall) { $("admitted").hidden = true; known = []; looking += 1; }
    else if (performance.now() - asked >= EVERY_MS) { asked = performance.now(); look(); }
  };
}
