// Two buttons on this device of the table press the clock, one for each player's reach (6.2.1): where the arbiter has put
// them here, each is pressed once, White's first, and from then on its key is that player's press and nothing else.
// A player's own page has none: it could press for the opponent.
import { t } from "/static/core/language.js";
import { say } from "/static/core/live.js";

const NEVER = /^(Tab|Escape|Shift|Control|Alt|Meta|OS|CapsLock|NumLock)/;

export class PressKeys {
  /** @param {Station} station @param {HTMLElement} place */
  constructor(station, place) {
    this.station = station;
    this.place = place;
    /** @type {Wire.PressKeysShown["stage"]} */
    this.stage = "none";
    this.white = this.black = "";
    /** @type {string | null} */
    this.first = null;
    addEventListener("keydown", (event) => this.key(event), { capture: true });
    document.addEventListener("language", () => this.name());
  }

  /** @param {Partial<Wire.PressKeysShown> | null} shown */
  show(shown) {
    Object.assign(this, { stage: "none", white: "", black: "", ...shown });
    this.first = null;
    this.name();
    if (this.stage === "learn") say(this.place.textContent ?? "");
  }

  name() {
    this.place.hidden = this.stage === "none";
    this.place.textContent =
      this.stage === "learn" ? t(this.first ? "press_keys.black" : "press_keys.white")
      : this.stage === "known" ? t("press_keys.set", { white: this.white, black: this.black }) : "";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const key = event.code || event.key;
    if (this.stage === "learn" && !NEVER.test(key)) this.learn(event, key);
    else if (this.stage === "known" && (key === this.white || key === this.black)) this.press(event, key);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  // The game goes on: a page that still waits for buttons waits no longer.
  begun() {
    if (this.stage === "learn") this.show({ stage: "none" });
  }

  /** @param {KeyboardEvent} event @param {string} key */
  async learn(event, key) {
    if (event.repeat || key === this.first) return;
    if (!this.first) {
      this.first = key;
      this.name();
      return say(this.place.textContent ?? "");
    }
    const white = this.first;
    this.first = null;
    const outcome = await this.station.do({ do: "tell_press_keys", white, black: key });
    if (!outcome.ok) this.name();
  }

  // A held button is one press (6.2.3). Nobody is told anything of the other player's.
  /** @param {KeyboardEvent} event @param {string} key */
  async press(event, key) {
    if (!event.repeat) await this.station.do({ do: "press_key", key });
  }
}
