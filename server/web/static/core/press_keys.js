// Two buttons on this device press the clock, one for each player's reach (6.2.1): where the arbiter has put them here,
// each is pressed once, White's first, and from then on its key is that player's press and nothing else.
import { t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { kept, keyOf } from "/static/core/keys.js";

const NEVER = /^(Tab|Escape|Shift|Control|Alt|Meta|OS|CapsLock|NumLock)/;
const OWN = ["press-key", "talk-key", "again-key", "entry-key"]; // what this page does with its keys already
const TYPING = /^(Key|Digit|Space|Enter|Backspace|Arrow)/;

export class PressKeys {
  /** @param {Station} station @param {HTMLElement} place */
  constructor(station, place) {
    this.station = station;
    this.place = place;
    /** @type {Wire.PressKeysShown["stage"]} */
    this.stage = "none";
    this.white = this.black = "";
    /** @type {Seat | null} */
    this.own = null; // the seat of this page, which hears that its own press was taken
    /** @type {string | null} */
    this.first = null;
    addEventListener("keydown", (event) => this.key(event), { capture: true });
    document.addEventListener("language", () => this.name());
  }

  /** @param {Partial<Wire.PressKeysShown> | null} shown @param {Seat | null} [own] */
  show(shown, own = this.own) {
    Object.assign(this, { stage: "none", white: "", black: "", ...shown, own });
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
    if (this.stage === "learn" && this.mayBe(event, key)) this.learn(event, key);
    else if (this.stage === "known" && (key === this.white || key === this.black)) this.press(event, key);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  // A player goes on typing, talking and pressing on a page that waits for buttons.
  /** @param {KeyboardEvent} event @param {string} key */
  mayBe(event, key) {
    if (NEVER.test(key)) return false;
    if (!document.getElementById("field")) return true;
    if (TYPING.test(key)) warn(t("press_keys.typing"));
    return !TYPING.test(key) && !OWN.some((name) => keyOf(event) === kept(name));
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
    if (event.repeat) return;
    const outcome = await this.station.do({ do: "press_key", key });
    if (outcome.ok && this.own && key === this[this.own]) say(t("pressed"));
  }
}
