// Whether the player's voice may be kept: their own answer, to be changed at any time (D.2.7). They are heard all the same.
import { make } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { say } from "/static/core/live.js";

/** @template {HTMLElement} Kind @param {Kind} element @param {string} key */
function worded(element, key) {
  element.dataset.t = key;
  element.textContent = t(key);
  return element;
}

export class Consent {
  /** @param {HTMLElement | null} place @param {Station} station */
  constructor(place, station) {
    this.place = place;
    this.station = station;
    this.state = make("p", { id: "consent-state" });
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
  }

  // What the server holds. The buttons stay: a key that is down, and the focus, outlast an answer and a new line.
  /** @param {Wire.SoundShown | null} sound */
  show(sound) {
    if (!this.place || !sound) return;
    if (!this.buttons.length) this.draw(this.place);
    const { consent, keeps_sound: keeps } = sound;
    const held = consent === null ? (keeps ? "usual" : "due") : consent ? "given" : "refused";
    worded(this.state, `consent.${held}`);
    this.buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(consent === !at)));
  }

  /** @param {HTMLElement} place */
  draw(place) {
    this.buttons = [true, false].map((agrees) => {
      const button = worded(make("button", { type: "button" }), agrees ? "consent.yes" : "consent.no");
      button.addEventListener("click", () => this.answer(agrees));
      return button;
    });
    const group = make("fieldset", { className: "fields" });
    group.append(worded(make("legend"), "consent.title"), this.state, worded(make("p", { className: "soft" }), "consent.text"), ...this.buttons);
    place.append(group);
  }

  /** @param {boolean} agrees */
  async answer(agrees) {
    const outcome = await this.station.do({ do: "answer_recording", agrees });
    if (outcome.ok) say(t(agrees ? "consent.given" : "consent.refused"));
  }
}
