// The display for the hall (6.12.1): position, clocks, last announcement; on a screen, from afar or on e-paper.
import { $ } from "/static/core/element.js";
import { also, language, spelt, start, t } from "/static/core/language.js";
import { Station } from "/static/core/station.js";
import { Clocks, SEATS, inWords } from "/static/core/times.js";
import { PressKeys } from "/static/core/press_keys.js";
import { warn } from "/static/core/live.js";
import { Board } from "/static/core/board.js";
import { mute } from "/static/audio/ear.js";
import { aloud, sounding } from "/static/audio/aloud.js";
import { write } from "/static/core/spoken.js";
import { Drawing, looks, minutes, onPaper } from "/static/hall/looks.js";

also("hall");
await start();
const clocks = new Clocks($("clocks"), false);
const board = new Board($("board"));
/** @type {string | null | undefined} */
let placement;
/** @type {string | undefined} */
let stood; // before the last move, for a display that was not there
let last = "";
/** @type {() => string} */
let facts = () => ""; // the session, or the result
// What this display is sent is as old as the arbiter said; nothing younger leaves the server.
let late = 0;

function drawClocks() {
  clocks.draw();
  if (!onPaper()) return;
  for (const seat of SEATS) {
    const { large, small, words, runs } = clocks.faces[seat];
    const left = clocks.left(seat);
    if (clocks.age() !== null) runs.textContent = t("event.clock_master_changed"); // paper is drawn too seldom for an age
    if (left === Infinity) continue;
    [large.textContent, small.textContent] = [minutes(left), ""];
    words.textContent = inWords(Math.floor(left / 60000) * 60000);
  }
}

const drawing = new Drawing(
  () => {
    drawClocks();
    if (placement && placement !== board.placement) board.show(placement, stood);
    if (last) delete $("last").dataset.t;
    if (!$("last").dataset.t) write($("last"), spelt(last) || "–"); // taken back, or not the words of what was played
    $("last-by").textContent = facts();
    $("delayed").hidden = !late;
    $("delayed").textContent = late ? `${t("delay.waiting")} ${inWords(late * 1000)}` : "";
  },
  () => JSON.stringify([language, placement, last, facts(), late, clocks.shown?.running, clocks.shown?.first_flag, clocks.age() !== null, SEATS.map((seat) => [minutes(clocks.left(seat)), clocks.left(seat) <= 0])]),
);

/** @param {ClockFaces | null} [clock] */
function clock(clock) {
  if (clock) clocks.shown = { ...clock, since: performance.now() };
}
/** @param {Wire.Shown} message */
function shown(message) {
  if (message.placement && message.placement !== placement) stood = undefined;
  placement = message.placement ?? placement;
  last = message.text;
}

/** @param {Wire.Greeting} greeting */
function greeted(greeting) {
  clocks.named(greeting.names);
  late = greeting.delay_s ?? 0;
  clock(greeting.clock);
  if (greeting.shown) shown(greeting.shown);
  stood = greeting.before[0];
  facts = () => (greeting.result ? t("ended", { result: greeting.result }) : "");
  drawing.news();
}

/** @param {Told} message @param {boolean} live */
function told(message, live) {
  if (message.type === "ended" && live && clocks.shown) clock({ ...clocks.shown, white_ms: clocks.left("white"), black_ms: clocks.left("black"), age_ms: clocks.age(), running: null });
  if (message.type === "clock_shown" && live) clock(message);
  if (message.type === "shown") shown(message);
  if (message.type === "session_shown") facts = () => t("session_shown", { time: inWords(message.length_ms) });
  if (message.type === "ended") facts = () => t("ended", { result: message.result });
  drawing.news();
}

/** @type {PressKeys} */
let pressKeys;
const station = new Station({
  ...sounding,
  greeting(greeting) {
    pressKeys.show(greeting.press_keys);
    greeted(greeting);
  },
  message(message, live) {
    if (message.type === "clock_shown" && live && message.running) pressKeys.begun();
    if (message.type === "press_keys_shown") pressKeys.show(message);
    else if (live || message.type !== "shown") told(message, live);
  },
  refused: (text) => warn(text || t("not_understood")),
});
pressKeys = new PressKeys(station, $("press-keys"));
aloud(station, false);
$("room-sound").addEventListener("click", () => {
  const on = $("room-sound").getAttribute("aria-pressed") !== "true";
  $("room-sound").setAttribute("aria-pressed", String(on));
  mute(!on);
});
function again() {
  if (board.placement) board.show(board.placement);
  drawing.atOnce();
}
document.addEventListener("language", again);
looks($("looks"), again);
setInterval(() => { if (!clocks.shown) return; if (onPaper()) drawing.news(); else drawClocks(); }, 100);
