// The spectators' page of the whole hall: it asks for what is old enough, shows it, and sends nothing.
import { $, keepInPlace, make } from "/static/core/element.js";
import { also, language, placed, spelt, start, t } from "/static/core/language.js";
import { say } from "/static/core/live.js";
import { head } from "/static/core/score.js";
import { resultSaid, write } from "/static/core/spoken.js";
import { SEATS, digits, inWords } from "/static/core/times.js";
import { Drawing, fromAfar, looks, minutes, onPaper } from "/static/hall/looks.js";
import { Explored } from "/static/hall/explored.js";
import { hush, speak } from "/static/hall/said.js";
import { Saying } from "/static/audio/saying.js";
import { linked } from "/static/tables/line.js";

const ASK_MS = 5000;
const LATER_MS = 15000; // when the server says that it is too much, or is gone
const board = new Explored($("board"), {
  step: (by) => step(Math.min(Math.max(0, shownPly() + by), game?.moves.length ?? 0)),
  sound: (square) => `/api/hall/${encodeURIComponent(chosen)}/sound?${question(square)}`,
});
head($("moves"));
/** @type {Http[]} */
let tables = [];
let came = 0;
// `?boards=6-10`: only these of the list, for one of several screens.
const between = /^(\d{1,3})-(\d{1,3})$/.exec(new URLSearchParams(location.search).get("boards") ?? "");
const range = between ? [Number(between[1]) - 1, Number(between[2])] : [0];
// The board that the address names; "" where it names none that can be read.
function named() {
  try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; }
}
let chosen = named();
/** @type {Http | null} */
let game = null; // the chosen board with its moves
let seen = ""; // which state of it is here
/** @type {number | null} */
let ply = null; // after which move the position is looked at; null: always the newest

also("hall");
await start();

const line = () => tables.find((one) => one.table === chosen);
/** @param {Http} one */
const names = (one) => `${placed(one.white || "?")} – ${placed(one.black || "?")}`;
/** @param {Http} one */
const numbered = (one) => t("hall.board", { number: one.board || one.table });

// "12. White: knight Felix three", in a list with its notation: "12. Nf3, knight Felix three".
/** @param {Http} move */
const words = (move) => spelt(move.words) || t("hall.unheard");
/** @param {Http} move */
const both = (move) => [move.notation, words(move)].filter(Boolean).join(", ");
/** @param {Http} move */
const number = (move) => `${Math.ceil(move.ply / 2)}.${move.seat === "white" ? "" : "…"}`;
/** @param {Http} move */
const written = (move) => `${number(move)} ${both(move)}`;
/** @param {Http} move */
const told = (move) => `${Math.ceil(move.ply / 2)}. ${t(move.seat)}: ${words(move)}`;

/** @param {Http} one @param {Seat} seat */
function left(one, seat) {
  const gone = one.running === seat ? performance.now() - came : 0;
  return Math.max(0, one[`${seat}_ms`] - gone);
}

// Both clocks, White's first; of one game each with whose it is, and then also another clock that counts, as it was read
// last: on paper, which is drawn too seldom for an age, it is not shown.
/** @param {Http} one */
function clocks(one, named = false) {
  const read = one.age_ms !== null;
  if (one.state === "waiting" || one.white_ms === null || (read && (!named || onPaper()))) return "";
  const both = SEATS.map((seat) => {
    const ms = left(one, seat);
    const shown = onPaper() ? minutes(ms) : digits(ms).join("").replace(/\.\d$/, "");
    return `${named ? `${t(seat)} ` : ""}${one.running === seat ? "▶ " : ""}${placed(shown)}`;
  }).join("  ");
  return read ? `${both} · ${t("read_ago", { time: inWords(one.age_ms) })}` : both;
}

/** @param {Http} one */
function stands(one) {
  if (one.result) return t("ended", { result: fromAfar() ? one.result : resultSaid(one.result) }); // a figure for the eye alone
  if (one.state === "waiting") return t("hall.waiting");
  if (one.state === "adjourned") return t("hall.adjourned");
  if (one.last?.notation && fromAfar()) return `${number(one.last)} ${one.last.notation}`;
  return one.last ? written(one.last) : t(one.state === "before" ? "tables.not_started" : "nothing_yet");
}

/** @param {Element} element @param {string} text */
function put(element, text) {
  if (/** @type {HTMLElement} */ (element).dataset.shown === text) return;
  /** @type {HTMLElement} */ (element).dataset.shown = text;
  write(element, text);
}

// The hall: a line a board, changed in place, so that the focus stays where it is.

/** @param {Http} one */
function row(one) {
  const item = make("li");
  item.dataset.table = one.table;
  const button = make("button", { type: "button", className: "hall-board" });
  for (const part of ["number", "names", "stands", "clocks"]) button.append(make("span", { className: part }), " ");
  button.addEventListener("click", () => choose(one.table));
  item.append(button);
  return item;
}

/** @param {Http} one @param {HTMLElement} item */
function drawRow(one, item) {
  /** @param {string} name */
  const part = (name) => /** @type {Element} */ (item.querySelector(`.${name}`));
  put(part("number"), numbered(one));
  put(part("names"), names(one));
  put(part("stands"), stands(one));
  put(part("clocks"), clocks(one));
}

function drawHall() {
  $("hall").hidden = Boolean(line()) || !tables.length;
  /** @type {Map<string | undefined, HTMLElement>} */
  const there = new Map([...$("boards").children].map((item) => [/** @type {HTMLElement} */ (item).dataset.table, /** @type {HTMLElement} */ (item)]));
  const items = tables.map((one) => there.get(one.table) ?? row(one));
  keepInPlace($("boards"), items, $("main"));
  tables.forEach((one, at) => drawRow(one, items[at]));
}

// One board.

const shownPly = () => Math.min(ply ?? Infinity, game?.moves.length ?? 0);

function drawGame() {
  const one = line();
  if (!one && $("game").contains(document.activeElement)) $("main").focus(); // this board is shown no longer
  $("game").hidden = !one;
  if (!one) return;
  put($("game-title"), `${numbered(one)}: ${names(one)}`);
  const late = one.delay_s ? `${t("delay.waiting")} ${inWords(one.delay_s * 1000)}` : "";
  put($("facts"), [clocks(one, true), late].filter(Boolean).join(" · "));
  put($("last"), one.result || !one.last ? stands(one) : told(one.last));
  drawPosition();
  drawMoves();
}

function drawPosition() {
  if (!game?.start) return;
  const at = shownPly();
  const move = game.moves[at - 1];
  // Where a move's position was not shown, the last one that was stands there, and a sentence says so.
  const known = [...game.moves.slice(0, at)].reverse().find((/** @type {Http} */ one) => one.placement);
  const here = move && !move.placement ? t("hall.no_position") : "";
  put($("at"), [at ? t("hall.after", { move: written(move) }) : t("hall.start"), here].filter(Boolean).join(" "));
  const what = `${known?.placement ?? game.start} ${here ? "" : move?.squares} ${language}`;
  if ($("board").dataset.shown !== what) board.position(known?.placement ?? game.start, here ? [] : (move?.squares ?? []));
  $("board").dataset.shown = what;
  for (const id of /** @type {const} */ (["first", "previous"])) idle($(id), at === 0);
  for (const id of /** @type {const} */ (["next", "latest"])) idle($(id), at === game.moves.length);
}

// A button that leads nowhere now keeps the focus, which a disabled one would lose.
/** @param {HTMLElement} button @param {boolean} yes */
const idle = (button, yes) => button.setAttribute("aria-disabled", String(yes));

const list = /** @type {HTMLElement} */ ($("moves").parentElement);
let newest = true; // whether the newest moves are in view: a visitor who scrolled back is left there
let scrolled = 0; // where the list was left here: the event of scrolling would come only with the next frame

function drawMoves() {
  if (list.scrollTop !== scrolled) newest = list.scrollTop + list.clientHeight > list.scrollHeight - 8;
  const moves = game?.moves ?? [];
  const body = $("moves").tBodies[0] ?? $("moves").createTBody();
  for (let at = 0; at < Math.ceil(moves.length / 2); at += 1) {
    const cells = (body.rows[at] ?? body.insertRow()).cells;
    const texts = [`${at + 1}.`, ...[2 * at, 2 * at + 1].map((index) => (moves[index] ? both(moves[index]) : ""))];
    texts.forEach((text, place) => put(cells[place] ?? body.rows[at].insertCell(), text));
  }
  while (body.rows.length > Math.ceil(moves.length / 2)) body.deleteRow(-1);
  if (ply === null && newest && list !== document.activeElement) list.scrollTop = list.scrollHeight;
  scrolled = list.scrollTop;
}

const drawing = new Drawing(
  () => { drawHall(); drawGame(); },
  () => JSON.stringify([language, chosen, shownPly(), seen, tables.map((one) => [one.table, names(one), stands(one), clocks(one, one.table === chosen), one.delay_s])]),
);

// What the visitor asks for.

/** @param {string} table */
function choose(table) {
  const followed = chosen;
  chosen = table;
  [game, seen, ply, newest, scrolled] = [null, "", null, true, list.scrollTop];
  asking += 1; // what was asked of another board is answered no more
  hush();
  history.replaceState(null, "", table ? `#${encodeURIComponent(table)}` : location.pathname + location.search);
  drawing.atOnce();
  if (table) $("game-title").focus();
  else ($("boards").querySelector(`[data-table="${CSS.escape(followed)}"] button`) ?? $("boards").querySelector("button"))?.focus();
  look();
}

/** @param {number | null} to */
function step(to) {
  ply = to !== null && to >= (game?.moves.length ?? 0) ? null : to;
  drawing.atOnce();
  const text = $("at").dataset.shown ?? "";
  say(text);
  aloud("last", text);
}

/** @param {string} about */
const question = (about) => new URLSearchParams({ about, language, ...(ply === null ? {} : { ply: String(ply) }) });
const speaks = () => voiced || $("aloud").getAttribute("aria-pressed") === "true";

/** @param {string} about @param {string} text */
function aloud(about, text) {
  if (speaks()) speak(`/api/hall/${encodeURIComponent(chosen)}/sound?${question(about)}`, text, language);
}

let asking = 0; // the last question counts, whichever answer comes first
/** @param {string} about */
async function ask(about) {
  const mine = ++asking;
  const answer = await fetch(`/api/hall/${encodeURIComponent(chosen)}/told?${question(about)}`).catch(() => null);
  const said = answer ? (await answer.json()).text : t("no_answer");
  if (mine !== asking) return;
  write($("answer"), said);
  say(said);
  if (answer?.ok) aloud(about, said);
}

// What the visitor says: the server says what was meant, and the page does it as it does for the keys.

const place = () => (line() ? "board" : "all");
/** @param {{ [name: string]: string }} what */
const ofAll = (what) => new URLSearchParams({ language, at: place(), ...what });
let voiced = false; // who speaks to the page is answered aloud
/** @type {() => void} */
let repeat = () => {};
let lately = -1; // the place of the board that was followed last

/** @param {{ [name: string]: string }} what */
async function tellOfAll(what) {
  const answer = await fetch(`/api/visitors/told?${ofAll(what)}`).catch(() => null);
  const said = answer ? (await answer.json()).text : t("no_answer");
  write($("heard"), said);
  say(said);
  if (answer?.ok) speak(`/api/visitors/sound?${ofAll(what)}`, said, language);
}

/** @param {Http} said */
function heard(said) {
  voiced = true;
  write($("heard"), said.heard);
  if (said.do === "repeat") { repeat(); return; }
  if (said.do === "stop") { hush(); return; }
  repeat = wished(said);
  repeat();
}

// What is done for a wish, to be done again when the visitor asks for that.
/** @param {Http} said @returns {() => void} */
function wished(said) {
  const by = Number(said.about);
  switch (said.do) {
    case "board":
      if (!said.table) return () => tellOfAll({ about: "no_board", number: String(said.number) });
      return () => { choose(said.table); opened(); };
    case "all": return () => { choose(""); };
    case "ask": return () => { ask(said.about); };
    case "after": return () => step(Math.min(2 * said.number, game?.moves.length ?? 0));
    case "step":
      if (line()) return () => step(Math.min(Math.max(0, shownPly() + by), game?.moves.length ?? 0));
      return () => { const next = tables[(lately + by + tables.length) % tables.length]; choose(next.table); opened(); };
    case "results": case "help": return () => { tellOfAll({ about: said.do }); };
  }
  return () => { tellOfAll({ about: "nothing" }); };
}

// A board that was chosen by voice says how it stands.
async function opened() {
  lately = tables.findIndex((one) => one.table === chosen);
  await takeBoard().catch(() => {}); // the answer says that the server is gone
  drawing.atOnce();
  ask("last");
}

new Saying($("talk"), () => `/api/visitors/heard?${new URLSearchParams({ language, at: place() })}`, hush, heard);

// What the server shows now.

/** @param {string} text */
function refused(text) {
  tables = [];
  if ($("notice").hidden === !text && $("notice").textContent === text) return; // e-paper is left alone
  put($("notice"), text);
  $("notice").hidden = !text;
  if (text) say(text);
}

// Results of any board, and the moves of the chosen one, are told politely once.
/** @type {Http[]} */
let before = []; // the boards as they were told last
function news() {
  const stood = before;
  before = tables;
  for (const one of tables) {
    const old = stood.find((other) => other.table === one.table);
    if (old && one.result && !old.result) say(`${numbered(one)}, ${names(one)}: ${t("ended", { result: resultSaid(one.result) })}`);
    else if (old && one.table === chosen && one.last && one.shown !== old.shown && one.plies >= old.plies) say(told(one.last));
    else continue;
    if (one.table === chosen && ply === null) aloud("last", stands(one));
  }
}

let taking = 0;
async function takeBoard() {
  const one = line();
  if (!one?.shown || (one.shown === seen && game)) return;
  const mine = ++taking;
  const answer = await fetch(`/api/hall/${encodeURIComponent(chosen)}?language=${language}`);
  if (!answer.ok) return;
  const found = await answer.json();
  if (mine === taking && found.table === chosen) [game, seen] = [found, found.shown]; // an older answer has an older board, or another language
}

let looking = 0;
async function look() {
  const mine = ++looking;
  let wait = ASK_MS;
  try {
    const answer = await fetch(`/api/hall?language=${language}`);
    const said = await answer.json();
    if (mine !== looking) return; // a newer answer is, or comes, in its place
    $("by-voice").hidden = !answer.ok;
    if (answer.ok) {
      refused("");
      tables = said.tables.slice(...range);
      came = performance.now();
      await takeBoard();
      news();
    } else if (answer.status === 429) wait = LATER_MS;
    else { refused(said.text); before = tables; wait = LATER_MS; }
    linked("connected");
  } catch {
    if (mine !== looking) return;
    linked("lost");
    wait = LATER_MS;
  }
  drawing.news();
  if (mine === looking) setTimeout(() => { if (mine === looking) look(); }, wait);
}

$("all").addEventListener("click", () => choose(""));
$("aloud").addEventListener("click", () => {
  const on = $("aloud").getAttribute("aria-pressed") !== "true";
  voiced = false;
  $("aloud").setAttribute("aria-pressed", String(on));
  if (on) ask("last"); else hush();
});
$("first").addEventListener("click", () => step(0));
$("previous").addEventListener("click", () => step(Math.max(0, shownPly() - 1)));
$("next").addEventListener("click", () => step(shownPly() + 1));
$("latest").addEventListener("click", () => step(null));
$("ask").addEventListener("submit", (event) => { event.preventDefault(); ask($("about").value.trim()); });
for (const button of document.querySelectorAll("[data-ask]")) button.addEventListener("click", () => ask(/** @type {HTMLElement} */ (button).dataset.ask ?? ""));
document.addEventListener("language", () => { seen = ""; drawing.atOnce(); look(); });
looks($("looks"), () => drawing.atOnce());
look();
setInterval(() => { if (!onPaper()) drawing.news(); }, 1000);
