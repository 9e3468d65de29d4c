// All tables of one arbiter at a glance (12.2): a row a table, changed in place, so that focus stays where it is. What
// changes is read out by the watch.
import { $, keepInPlace } from "/static/core/element.js";
import { also, start, t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { answerOf } from "/static/core/servers.js";
import { digits, inWords } from "/static/core/times.js";
import { Watch } from "/static/tables/watch.js";
import { admitted } from "/static/tables/admitted.js";
import { sending } from "/static/tables/cards.js";
import { evenly } from "/static/tables/evenly.js";
import { goThere } from "/static/tables/there.js";
import { linked } from "/static/tables/line.js";
import { opening } from "/static/tables/opening.js";
import { pairing } from "/static/tables/pairing.js";
import { round } from "/static/tables/round.js";
import { spectators } from "/static/tables/spectators.js";
import { alertName, why } from "/static/core/why.js";

also("tables");
also("hall");
await start();
/** @type {Seat[]} */
const SIDES = ["white", "black"];
/** @type {Map<string, Row>} */
const rows = new Map(); // table -> its row and what it shows
let came = 0;
/** @type {string[]} */
let shut = []; // the tables whose record is not whole
/** @type {Http[]} */
let shorter = []; // those whose record is shorter than its witness: they continue by the arbiter's yes alone
let toCome = 0; // so many tables are not taken up yet after a restart
/** @type {string[]} */
let silent = []; // those whose server does not answer this one
const watch = new Watch($("watch-pause"), $("watch-aloud"));

/** @template {keyof HTMLElementTagNameMap} Name @param {Name} tag @returns {HTMLElementTagNameMap[Name]} */
const make = (tag, className = "", role = "") => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (role) element.setAttribute("role", role);
  return element;
};

/** @param {HTMLElement} element @param {string} text */
function set(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {Http} line */
function row(line) {
  const element = make("tr", "", "row");
  const head = make("th", "", "rowheader");
  head.scope = "row";
  const link = make("a", "button");
  link.href = `/arbiter?table=${encodeURIComponent(line.table)}`;
  link.textContent = line.table;
  link.addEventListener("click", (event) => {
    const one = rows.get(line.table);
    if (!one?.line.at) return; // another server leads it: its link works once, and is made when it is asked for
    event.preventDefault();
    goThere(line.table, (text) => warn(text || t("no_answer")));
  });
  head.append(link);
  element.append(head);
  /** @type {any} */
  const cells = {};
  for (const [name, key] of [["white", "white"], ["black", "black"], ["move", "tables.move"], ["alerts", "alerts"], ["state", "tables.state"]]) {
    const cell = make("td", name, "cell");
    const label = make("span", "label");
    label.setAttribute("aria-hidden", "true"); // the column's head says it; on a phone it stands here for the eye
    label.dataset.t = key;
    label.textContent = t(key);
    const text = make("span");
    cell.append(label, text);
    element.append(cell);
    cells[name] = text;
  }
  for (const side of SIDES) {
    const clock = make("span", "time");
    clock.setAttribute("aria-hidden", "true");
    const words = make("span", "unseen");
    const name = make("b");
    const link = make("span", "link");
    cells[side].replaceWith(name, " ", clock, words, " ", link);
    cells[side] = { name, clock, words, link };
  }
  return { element, link, cells, line };
}

/** @param {Http} line */
function wants(line) {
  return line.alerts > 0 || line.claim !== null || line.waiting > 0 || SIDES.some((side) => line.links[side] === false && !line.result);
}

// Whose clock runs; of another clock that counts, how long ago it was read.
/** @param {Http} line */
function runs(line) {
  if (line.age_ms !== null) return t("read_ago", { time: inWords(line.age_ms) });
  if (line.white_ms === null) return t("event.clock_master_changed");
  return line.running ? t("tables.runs", { who: t(line.running) }) : t("tables.stands");
}

/** @param {Row} one */
function draw(one) {
  const { line, cells } = one;
  for (const side of SIDES) {
    set(cells[side].name, line[side] || "–");
    const link = line.links[side];
    set(cells[side].link, link === false ? `⚠ ${t("tables.line_lost")}` : link === null ? t("tables.no_station") : "");
    cells[side].link.classList.toggle("differs", link === false);
  }
  set(cells.move, line.made_plies ? `${Math.ceil(line.made_plies / 2)}${line.made_plies % 2 ? "." : "…"}` : "–");
  const parts = [];
  if (line.alerts) parts.push(`▲ ${line.grey ? t("tables.grey", { count: line.alerts, grey: line.grey }) : t("tables.open", { count: line.alerts })}`, alertName(line.urgent));
  if (line.put_off) parts.push(`${line.put_off} ${t("settled.put_off")}`);
  set(cells.alerts, parts.join(" · ") || "–");
  const said = [line.result ? `${t("ended", { result: line.result })}${line.reason ? ` (${why(line.reason)})` : ""}` : !line.started ? t("tables.not_started") : runs(line)];
  if (line.claim) said.push(`▲ ${t("alert.draw_claimed")}`);
  if (line.first_flag) said.push(`⚑ ${t(line.first_flag)}`);
  if (line.waiting) said.push(`▲ ${t("tables.waiting", { count: line.waiting })}`);
  if (line.at) said.push(new URL(line.at).host);
  set(cells.state, said.join(" · "));
  one.element.classList.toggle("wanting", wants(line));
  tick(one);
}

/** @param {Row} one */
function tick({ line, cells }) {
  for (const side of SIDES) {
    if (line[`${side}_ms`] === null) {
      set(cells[side].clock, "–");
      set(cells[side].words, "");
      continue;
    }
    const left = line[`${side}_ms`] - (line.running === side ? performance.now() - came : 0);
    set(cells[side].clock, `${line.running === side ? "▶ " : ""}${digits(left)[0]}${left < 3600000 ? "" : digits(left)[1]}`);
    set(cells[side].words, inWords(left));
  }
}

// Which rows are seen; the one with the focus is never taken away.
function sift() {
  const wanted = $("find").value.trim().toLocaleLowerCase();
  const kind = $("show").value;
  let seen = 0;
  for (const { element, line } of rows.values()) {
    const named = [line.table, line.white, line.black, line.event].join(" ").toLocaleLowerCase().includes(wanted);
    const of = { all: true, wanting: wants(line), playing: line.started && !line.result, over: Boolean(line.result) }[kind];
    element.hidden = !(named && of) && !element.contains(document.activeElement);
    if (!element.hidden) seen += 1;
  }
  const all = [...rows.values()].map((one) => one.line);
  set($("summary"), t("tables.summary", { count: all.length, playing: all.filter((line) => line.started && !line.result).length, wanting: all.filter(wants).length }));
  $("glance").hidden = seen === 0;
  $("nothing").hidden = seen > 0;
  set($("nothing"), t(rows.size ? "tables.none_so" : "tables.none"));
}

/** @param {Http} said */
function show(said) {
  came = performance.now();
  const body = $("glance").tBodies[0];
  const there = new Set(said.tables.map((/** @type {Http} */ line) => line.table));
  for (const table of rows.keys()) if (!there.has(table)) rows.delete(table);
  for (const line of said.tables) {
    const one = rows.get(line.table) ?? row(line);
    one.line = line;
    rows.set(line.table, one);
  }
  const shown = said.tables.map((/** @type {Http} */ line) => rows.get(line.table));
  keepInPlace(body, shown.map((/** @type {Http} */ one) => one.element), $("main"));
  for (const one of shown) draw(one);
  shorter = said.shorter ?? [];
  shut = said.shut.filter((/** @type {string} */ name) => !shorter.some((one) => one.table === name));
  silent = said.silent ?? [];
  toCome = said.to_come;
  watch.look(said.tables);
  around();
}

// What stands around the rows.
function around() {
  $("to-come").hidden = !toCome;
  set($("to-come"), toCome ? t("tables.to_come", { count: toCome }) : "");
  $("shut").hidden = !shut.length;
  set($("shut"), shut.length ? t("tables.shut", { names: shut.join(", ") }) : "");
  offerShorter();
  $("silent").hidden = !silent.length;
  set($("silent"), silent.length ? t("tables.silent", { names: silent.join(", ") }) : "");
  offerCards([...rows.values()].map((one) => one.line));
  sift();
}

function offerShorter() {
  const list = $("shorter");
  const told = shorter.map((one) => t("tables.shorter", one)).join();
  list.hidden = !shorter.length;
  if (list.dataset.told === told) return;
  list.dataset.told = told;
  const before = document.activeElement instanceof HTMLElement && list.contains(document.activeElement) ? document.activeElement.dataset.table : undefined;
  list.replaceChildren(...shorter.map((one) => {
    const line = make("li");
    const button = make("button");
    button.type = "button";
    button.dataset.table = one.table;
    button.textContent = t("tables.continue", { table: one.table });
    button.addEventListener("click", async () => {
      const { ok, said } = await answerOf("/api/tables/shorter", { table: one.table });
      if (!ok) warn(said.text);
    });
    line.append(`${t("tables.shorter", one)} `, button);
    return line;
  }));
  // The focus stays; where its table has gone on, the next one does not go on by the same key.
  if (before) ([...list.querySelectorAll("button")].find((one) => one.dataset.table === before) ?? $("main")).focus();
}

// Seat cards for a round, for all tables, or for one; what was chosen stays chosen.
/** @param {Http[]} lines */
function offerCards(lines) {
  const open = lines.filter((line) => !line.result);
  const rounds = [...new Set(open.map((line) => line.round).filter(Boolean))].reverse();
  const offered = [
    ...rounds.map((round) => [`round:${round}`, t("cards.round", { round })]), ["all", t("tables.all")],
    ...open.map((line) => [`table:${line.table}`, `${t("tables.table")} ${line.table}`]),
  ];
  const select = $("cards-for");
  $("cards").hidden = open.length === 0;
  if (offered.map((one) => one.join()).join() === [...select.options].map((one) => [one.value, one.text].join()).join()) return;
  const before = select.value;
  select.replaceChildren(...offered.map(([value, text]) => new Option(text, value)));
  if (offered.some(([value]) => value === before)) select.value = before;
}

function again() {
  for (const one of rows.values()) draw(one);
  around();
}

// From the row with the focus on, round to the first; rows that are sifted out are not passed over.
$("sift").addEventListener("submit", (event) => {
  event.preventDefault();
  const all = [...$("glance").tBodies[0].rows].flatMap((element) => [...rows.values()].find((one) => one.element === element) ?? []);
  const at = all.findIndex((one) => one.element.classList.contains("next"));
  const found = [...all.slice(at + 1), ...all.slice(0, at + 1)].find((one) => wants(one.line));
  if (!found) { say(t("tables.nobody")); return; }
  for (const one of all) one.element.classList.toggle("next", one === found);
  found.element.hidden = false;
  $("glance").hidden = false;
  found.link.focus();
});
$("find").addEventListener("input", sift);
$("show").addEventListener("change", sift);
document.addEventListener("language", again);
setInterval(() => { for (const one of rows.values()) if (one.line.running && !one.element.hidden) tick(one); }, 1000);

sending($("cards"), (text) => warn(text || t("no_answer")));
opening();
const lookAtSpectators = spectators();
const lookAtAdmitted = admitted();
const lookAtPairings = pairing();
const lookAtRounds = round();
const lookAtShares = evenly();
let version = 0;
for (;;) {
  try {
    const answer = await fetch(`/api/overview?version=${version}`);
    if (answer.status === 403) { location.replace("/#left"); break; }
    if (!answer.ok) throw new Error(String(answer.status));
    const said = await answer.json();
    linked("connected");
    $("opening").hidden = !said.hall;
    lookAtAdmitted(said.hall);
    lookAtShares(said.uneven ?? 0);
    lookAtSpectators(said.hall, said.tables.length, version === 0);
    if (said.version !== version || said.elsewhere) { show(said); lookAtPairings(said.tables); lookAtRounds(said.tables); }
    version = said.version;
    await new Promise((done) => setTimeout(done, 500)); // a hundred tables together change often: twice a second is enough
  } catch {
    linked("lost");
    version = 0; // a server that was started anew counts from the beginning
    await new Promise((done) => setTimeout(done, 1000));
  }
}
