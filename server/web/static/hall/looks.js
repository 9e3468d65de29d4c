// How a page looks from afar: a screen, a projector (dark or light) or e-paper. Chosen by `?look=` in the address or by a
// control in the head, and kept in the address, so that a device that only shows opens the same way again.
import { make } from "/static/core/element.js";
import { t } from "/static/core/language.js";

const LOOKS = ["screen", "projector", "projector-light", "paper"];
const EVERY_S = 15; // so often e-paper is drawn anew at most; `?every=` says otherwise, 5 to 600

const asked = new URLSearchParams(location.search);
let now = LOOKS.includes(asked.get("look") ?? "") ? /** @type {string} */ (asked.get("look")) : "screen";
const everyMs = 1000 * Math.min(600, Math.max(5, Number(asked.get("every")) || EVERY_S));

export const onPaper = () => now === "paper";
export const fromAfar = () => now.startsWith("projector");

// A time for e-paper, in whole minutes, so that it need not be drawn every second: "1:31′", "5′".
/** @param {number} ms */
export function minutes(ms) {
  const whole = Math.floor(Math.max(0, ms) / 60000);
  return `${whole < 60 ? whole : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`}′`;
}

/** @param {string} look */
function wear(look) {
  now = look;
  document.documentElement.dataset.look = look;
}

// The control, in the page's head; `changed` draws the page anew.
/** @param {HTMLElement} place @param {() => void} changed */
export function looks(place, changed) {
  wear(now);
  const label = make("label", { className: "unseen", htmlFor: "look" });
  label.dataset.t = "look.choose";
  label.textContent = t("look.choose");
  const select = make("select", { id: "look" });
  for (const look of LOOKS) {
    const option = new Option(t(`look.${look.replace("-", "_")}`), look, false, look === now);
    option.dataset.t = `look.${look.replace("-", "_")}`;
    select.append(option);
  }
  select.addEventListener("change", () => {
    wear(select.value);
    asked.set("look", now);
    history.replaceState(null, "", `?${asked}${location.hash}`);
    changed();
  });
  place.append(label, select);
}

// Draws when something is new: on e-paper at most once in so many seconds, and never where what would be drawn is the same.
// What the person at the page asks for is drawn at once.
export class Drawing {
  /** @param {() => void} draw @param {() => string} what a text that is another one whenever the page would look otherwise */
  constructor(draw, what) {
    this.draw = draw;
    this.what = what;
    this.drawn = "";
    this.at = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  news() {
    const wait = onPaper() ? this.at + everyMs - performance.now() : 0;
    if (wait <= 0) {
      if (this.what() !== this.drawn) this.atOnce();
      return;
    }
    this.timer ??= setTimeout(() => { this.timer = undefined; this.news(); }, wait);
  }

  atOnce() {
    this.drawn = this.what();
    this.at = performance.now();
    this.draw();
  }
}
