// The review of a released game: its board to step through, a player's own score beside the opponent's, times, and both
// clocks as a sound.
import { $, make } from "/static/core/element.js";
import { also, language, placed, spelt, start, t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { write } from "/static/core/spoken.js";
import { digits } from "/static/core/times.js";
import { speak } from "/static/hall/said.js";
import { Stepping, number } from "/static/hall/stepping.js";

also("hall");
also("review");
await start();

/** @type {Http | null} */
let game = null;
// Which table and seat: as the address says it, which is the station's own.
/** @param {string} path @param {{ [name: string]: string }} [more] */
const address = (path, more = {}) => `/api/review${path}?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(location.search)), ...more, language })}`;
const stepping = new Stepping($("review"), address, (at) => { $("own-sound").hidden = !game?.sounds || !game.plies[at - 1]?.utterance; });

/** @param {number | null} ms */
const time = (ms) => (ms === null ? "–" : placed(digits(ms).join("").replace(/\.\d$/, "")));

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
  button.addEventListener("click", () => stepping.read(one.ply));
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
  stepping.show(game);
}

const AGAIN_MS = 1500;
let loading = 0;
async function load() {
  const mine = ++loading;
  const answer = await fetch(address("")).catch(() => null);
  const said = answer && answer.status < 500 ? await answer.json() : null;
  if (mine !== loading) return; // a newer answer is, or comes, in its place
  if (!said) setTimeout(() => { if (mine === loading) load(); }, AGAIN_MS); // the review that is shown stays
  const text = answer?.ok ? "" : said?.text ?? t("server_gone");
  if (text !== $("notice").textContent) say(text || t("connected"));
  $("notice").textContent = text;
  $("notice").hidden = !text;
  if (!said) return;
  game = answer?.ok ? said : null;
  $("review").hidden = !game;
  if (!game) stepping.show(null);
  draw();
}

/** @param {boolean} released */
async function release(released) {
  const answer = await fetch(address(""), {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ released }),
  }).catch(() => null);
  if (!answer?.ok) { warn(answer ? (await answer.json()).text : t("no_answer")); return; }
  await load();
  say($("release-now").textContent ?? "");
}

$("release-on").addEventListener("click", () => release(true));
$("release-off").addEventListener("click", () => release(false));
$("curve").addEventListener("click", () => speak(address("/clocks.wav"), "", language));
$("own-sound").addEventListener("click", () => speak(address(`/sound/${stepping.at}`), "", language));
document.addEventListener("language", load);
load();
