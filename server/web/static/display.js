// The display for the hall (6.12.1): position, clocks, last announcement.
import { chooser, chosen, speak, t } from "/static/language.js";
import { keep, kept } from "/static/keys.js";
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
$("delay").value = ["30", "300", "900"].includes(kept("delay")) ? kept("delay") : "0";
const clocks = new Clocks($("clocks"));
const board = new Board($("board"));
function shown(message) {
  if (message.placement) board.show(message.placement);
  if (message.text) { delete $("last").dataset.t; $("last").textContent = message.text; }
}
// A delay keeps everything back alike: position, clocks and result come as they were then. After a change or a reload
// nothing is shown before its time, what the greeting tells neither.
function later(show) {
  const delay = Number($("delay").value) * 1000;
  if (!delay) { show(); return; }
  setTimeout(show, delay);
  $("delayed").textContent = t("delay.waiting");
}

function greeted(greeting) {
  clocks.named(greeting.names);
  clocks.show(greeting.clock);
  if (greeting.shown) shown(greeting.shown);
  if (greeting.result) $("last-by").textContent = t("ended", { result: greeting.result });
}

function told(message, live) {
  if (message.type === "ended" && live) clocks.stop();
  if (message.type === "clock_shown" && live) clocks.show(message);
  if (message.type === "shown") shown(message);
  if (message.type === "session_shown") $("last-by").textContent = t("session_shown", { time: inWords(message.length_ms) });
  if (message.type === "ended") $("last-by").textContent = t("ended", { result: message.result });
}

let pressKeys;
const station = new Station({
  ...sounding,
  greeting(greeting) {
    pressKeys.show(greeting.press_keys);
    later(() => greeted(greeting));
  },
  message(message, live) {
    if (message.type === "clock_shown" && live && message.running) pressKeys.begun();
    if (message.type === "press_keys_shown") pressKeys.show(message);
    else if (live || message.type !== "shown") later(() => told(message, live));
  },
  refused: (text) => warn(text || t("not_understood")),
});
$("delay").addEventListener("change", () => {
  keep("delay", $("delay").value);
  location.reload(); // what is on the screen is older or newer than it may be from now on
});
pressKeys = new PressKeys(station, $("press-keys"));
aloud(station, false);
$("room-sound").addEventListener("click", () => {
  const on = $("room-sound").getAttribute("aria-pressed") !== "true";
  $("room-sound").setAttribute("aria-pressed", String(on));
  mute(!on);
});
document.addEventListener("language", () => board.show(board.placement));
