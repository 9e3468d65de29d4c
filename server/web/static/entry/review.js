// The review of a released game: its board to step through, a player's own score beside the opponent's, times, and both
// clocks as a sound.
import { $, make } from "/static/core/element.js";
import { also, language, placed, spelt, start, t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { write } from "/static/core/spoken.js";
import { digits } from "/static/core/times.js";
import { Explored } from "/static/hall/explored.js";
import { hush, speak } from "/static/hall/said.js";

also("hall");
also("review");
await start();

/** @type {Http | null} */
let game = null;
let at = 0; // the half-move that is read, 0: the summary
// Which table and seat: as the address says it, which is the station's own.
/** @param {string} path @param {{ [name: string]: string }} [more] */
const address = (path, more = {}) => `/api/review${path}?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(location.search)), ...more, language })}`;

const plyOf = () => /** @type {{ [name: string]: string }} */ (at ? { ply: String(at) } : {});
const board = new Explored($("board"), {
  step: (by) => read(at + by),
  sound: (square) => address("/spoken", { ...plyOf(), about: square }),
});

/** @param {number | null} ms */
const time = (ms) => (ms === null ? "–" : placed(digits(ms).join("").replace(/\.\d$/, "")));
/** @param {Http} one */
const number = (one) => `${Math.ceil(one.ply / 2)}.${one.seat === "white" ? "" : "…"}`;

/** @template {HTMLElement} T @param {T} element @param {string} text */
function written(element, text) {
  write(element, text);
  return element;
}

/** @param {Http} one */
function row(one) {
  const element = make("tr");
  const head = make("th", { scope: "row" });
  const button = make("button", { type: "button", textContent: number(one) });
  button.addEventListener("click", () => read(one.ply));
  head.append(button);
  const cells = [spelt(one.own) || "–", spelt(one.other) || "–", time(one.used_ms), time(one.white_ms), time(one.black_ms)];
  if (one.differs) cells[1] += ` ▲ ${t("reviewed.differs")}`;
  element.append(head, ...cells.map((text) => written(make("td", { dir: "auto" }), text)));
  element.classList.toggle("wanting", one.differs);
  return element;
}

function draw() {
  if (!game) return;
  $("release").hidden = !game.arbiter;
  $("release-now").textContent = t(game.released ? "reviewed.is_released" : "reviewed.is_not_released");
  $("review").hidden = false;
  $("game-title").textContent = `${game.white || t("white")} – ${game.black || t("black")}`;
  $("summary").replaceChildren(...game.summary.map((/** @type {string} */ text) => written(make("li"), text)));
  $("plies").tBodies[0].replaceChildren(...game.plies.map(row));
  $("pgn").href = address("/game.pgn");
  $("brf").href = address("/score.brf");
  here();
}

// The board as the record has it after this half-move; where that is not known, the last one that is, and words say so.
function here() {
  if (!game) return;
  const one = game.plies[at - 1];
  const known = [...game.plies.slice(0, at)].reverse().find((/** @type {Http} */ ply) => ply.placement);
  const missing = one && !one.placement ? t("reviewed.no_position") : "";
  const place = one ? t("hall.after", { move: `${number(one)} ${one.notation || spelt(one.own)}` }) : t("hall.start");
  write($("at"), [place, missing].filter(Boolean).join(" "));
  board.position(known?.placement ?? game.start, missing ? [] : (one?.squares ?? []));
  if (!at) $("told").textContent = "";
  for (const [id, end] of /** @type {["first" | "previous" | "next", boolean][]} */ ([["first", !at], ["previous", !at], ["next", at === game.plies.length]])) $(id).setAttribute("aria-disabled", String(end));
  $("own-sound").hidden = !game?.sounds || !game.plies[at - 1]?.utterance;
}

// One half-move, or the summary (0), for the eye, the screen reader and, where it is wanted, aloud.
/** @param {number} ply */
async function read(ply) {
  if (!game) return;
  at = Math.min(Math.max(0, ply), game.plies.length);
  here();
  const mine = at;
  const text = await told(plyOf());
  if (text && mine === at) write($("told"), at ? text : "");
}

// What the server says of it, for the eye, the screen reader or aloud; "" where it refuses.
/** @param {{ [name: string]: string }} more */
async function told(more) {
  const answer = await fetch(address("/told", more)).catch(() => null);
  if (!answer?.ok) { warn(answer ? (await answer.json()).text : t("server_gone")); return ""; }
  const { text } = await answer.json();
  if ($("aloud").getAttribute("aria-pressed") === "true") speak(address("/spoken", more), text, language);
  else say(text);
  return text;
}

// How the board stands: a square, a file, a rank, a kind of piece, all of it.
/** @param {string} about */
async function ask(about) {
  if (about) write($("answer"), await told({ ...plyOf(), about }));
}

async function load() {
  const answer = await fetch(address("")).catch(() => null);
  const said = answer ? await answer.json() : { text: t("server_gone") };
  $("notice").hidden = Boolean(answer?.ok);
  if (answer?.ok) game = said;
  else { game = null; $("review").hidden = true; $("notice").textContent = said.text; say(said.text); }
  draw();
}

/** @param {boolean} released */
async function release(released) {
  const answer = await fetch(address(""), {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ released }),
  }).catch(() => null);
  if (!answer?.ok) { warn(answer ? (await answer.json()).text : t("server_gone")); return; }
  await load();
  say($("release-now").textContent ?? "");
}

$("release-on").addEventListener("click", () => release(true));
$("release-off").addEventListener("click", () => release(false));
$("aloud").addEventListener("click", () => {
  const on = $("aloud").getAttribute("aria-pressed") !== "true";
  $("aloud").setAttribute("aria-pressed", String(on));
  if (on) read(at); else hush();
});
$("curve").addEventListener("click", () => speak(address("/clocks.wav"), "", language));
$("own-sound").addEventListener("click", () => speak(address(`/sound/${at}`), "", language));
$("ask").addEventListener("submit", (event) => { event.preventDefault(); ask($("about").value.trim()); });
$("whole").addEventListener("click", () => ask("position"));
$("first").addEventListener("click", () => read(0));
$("previous").addEventListener("click", () => read(at - 1));
$("again").addEventListener("click", () => read(at));
$("next").addEventListener("click", () => read(at + 1));
document.addEventListener("language", load);
load();
