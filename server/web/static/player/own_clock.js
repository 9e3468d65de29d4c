// A player's own clock (D.2.6.1): which times they want to be told, and setting it alone before the game.
import { $ } from "/static/core/element.js";
import { listed, t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { confirmed } from "/static/core/asking.js";
import { inWords } from "/static/core/times.js";

// What they set, read back in words before it is sent.
/** @param {number} minutes @param {number} seconds */
export function readBack(minutes, seconds) {
  return listed([t("clock_all", { time: inWords(minutes * 60000) }), seconds ? t("clock_bonus", { time: inWords(seconds * 1000) }) : ""].filter(Boolean));
}

/** @param {Station} station */
export function ownClock(station) {
  $("cues")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const at_s = [...document.querySelectorAll("[name=cue]:checked")].map((one) => /** @type {any} */ (Number(one.getAttribute("value"))));
    const outcome = await station.do({ do: "ask_for_cues", at_s, countdown: $("countdown").value });
    if (outcome.ok) say(t("done"));
  });
  const form = $("set-own-clock");
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const [minutes, seconds] = [Number($("clock-minutes").value), Number($("clock-bonus").value)];
    if (!(minutes > 0)) { warn(t("clock_minutes")); return; }
    if (!(await confirmed(t("sure.set_clock", { control: readBack(minutes, seconds) })))) return;
    await station.do({ do: "set_up_clock", control: `${minutes * 60}${seconds ? `+${seconds}` : ""}` });
  });
  $("clock-preset")?.addEventListener("change", () => {
    const [minutes, seconds] = $("clock-preset").value.split("+");
    if (!minutes) return;
    $("clock-minutes").value = minutes;
    $("clock-bonus").value = seconds;
    say(readBack(Number(minutes), Number(seconds)));
  });
}
