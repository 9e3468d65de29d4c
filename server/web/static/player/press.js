// The press: a big button and a key, never a word (it completes the move, 6.2.1).
import { t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { byTouch, kept, keyOf } from "/static/core/keys.js";
import { key } from "/static/audio/ear.js";
import { feel } from "/static/player/attention.js";

/** @param {Station} station @param {HTMLButtonElement} button */
export function pressing(station, button) {
  async function press() {
    key("press");
    if (station.down) warn(t("away.press")); // it counts when it arrives, not before
    const outcome = await station.do({ do: "press" });
    if (outcome.ok) { say(t("pressed")); feel("pressed"); }
    return outcome;
  }
  button.addEventListener("click", press);
  addEventListener("keydown", (event) => {
    // A held key is one press (6.2.3): its repetitions do not reach the button either, where Enter would click it.
    const mine = keyOf(event) === kept("press-key");
    if (event.repeat && (mine || event.target === button)) { event.preventDefault(); event.stopPropagation(); return; }
    if (!mine) return;
    event.preventDefault();
    event.stopPropagation();
    press();
  }, { capture: true });
  return press;
}

/** @param {HTMLElement} button */
export function nameKey(button) {
  const small = button.querySelector("small");
  if (small) small.textContent = byTouch() ? "" : kept("press-key");
}
