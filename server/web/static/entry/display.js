// The display for the hall (6.12.1): position, clocks, last announcement.
import { $ } from "/static/core/element.js";
import { spelt, start, t } from "/static/core/language.js";
import { Station } from "/static/core/station.js";
import { Clocks, inWords } from "/static/core/times.js";
import { PressKeys } from "/static/core/press_keys.js";
import { warn } from "/static/core/live.js";
import { Board } from "/static/core/board.js";
import { mute } from "/static/audio/ear.js";
import { aloud, sounding } from "/static/audio/aloud.js";
import { write } from "/static/core/spoken.js";

await start();
const clocks = new Clocks($("clocks"));
const board = new Board($("board"));
/** @param {Wire.Shown} message */
function shown(message) {
  if (message.placement) board.show(message.placement);
  if (message.text) { delete $("last").dataset.t; last = message.text; lastShown(); }
}
let last = "";
function lastShown() {
  if (last) write($("last"), spelt(last));
}
// What this display is sent is as old as the arbiter said; nothing younger leaves the server.
let late = 0;
function delayed() {
  $("delayed").hidden = !late;
  $("delayed").textContent = late ? `${t("delay.waiting")} ${inWords(late * 1000)}` : "";
}

/** @param {Wire.Greeting} greeting */
function greeted(greeting) {
  clocks.named(greeting.names);
  late = greeting.delay_s ?? 0;
  delayed();
  clocks.show(greeting.clock);
  if (greeting.shown) shown(greeting.shown);
  $("last-by").textContent = greeting.result ? t("ended", { result: greeting.result }) : "";
}

/** @param {Told} message @param {boolean} live */
function told(message, live) {
  if (message.type === "ended" && live) clocks.stop();
  if (message.type === "clock_shown" && live) clocks.show(message);
  if (message.type === "shown") shown(message);
  if (message.type === "session_shown") $("last-by").textContent = t("session_shown", { time: inWords(message.length_ms) });
  if (message.type === "ended") $("last-by").textContent = t("ended", { result: message.result });
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
document.addEventListener("language", () => { board.show(board.placement); delayed(); lastShown(); });
