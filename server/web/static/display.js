// The display for the hall (6.12.1): position, clocks, last announcement.
import { chooser, chosen, speak, t } from "/static/language.js";
import { Station } from "/static/station.js";
import { Clocks, inWords } from "/static/times.js";
import { PressKeys } from "/static/press_keys.js";
import { warn } from "/static/live.js";
import { Board } from "/static/board.js";
import { mute } from "/static/ear.js";
import { aloud, sounding } from "/static/aloud.js";

await speak(chosen());
chooser(document.getElementById("languages"));
const $ = (id) => document.getElementById(id);
const clocks = new Clocks($("clocks"));
const board = new Board($("board"));
function shown(message) {
  if (message.placement) board.show(message.placement);
  if (message.text) { delete $("last").dataset.t; $("last").textContent = message.text; }
}
let pressKeys;
const station = new Station({
  ...sounding,
  greeting(greeting) {
    pressKeys.show(greeting.press_keys);
    clocks.show(greeting.clock);
    if (greeting.shown) shown(greeting.shown);
    if (greeting.result) $("last-by").textContent = t("ended", { result: greeting.result });
  },
  message(message, live) {
    if (message.type === "ended" && live) clocks.stop();
    if (message.type === "clock_shown" && live) clocks.show(message);
    if (message.type === "press_keys_shown") pressKeys.show(message);
    if (message.type === "shown") shown(message);
    if (message.type === "session_shown") $("last-by").textContent = t("session_shown", { time: inWords(message.length_ms) });
    if (message.type === "ended") $("last-by").textContent = t("ended", { result: message.result });
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
document.addEventListener("language", () => board.show(board.placement));
