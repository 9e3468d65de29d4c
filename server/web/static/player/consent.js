// Whether the player's voice may be kept: his own answer, which he may change at any time (D.2.7). He is heard all the same.
import { focused } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { say } from "/static/core/live.js";

export class Consent {
  /** @param {HTMLElement | null} place @param {Station} station */
  constructor(place, station) {
    this.place = place;
    this.station = station;
    /** @type {Wire.SoundShown | null} */
    this.sound = null;
    if (place) document.addEventListener("language", () => this.draw());
  }

  // What the server holds.
  /** @param {Wire.SoundShown | null} sound */
  show(sound) {
    this.sound = sound;
    this.draw();
  }

  draw() {
    if (!this.place || !this.sound) return;
    const before = this.place.contains(document.activeElement) ? focused()?.dataset.agrees : null;
    const { consent, keeps_sound: keeps } = this.sound;
    const group = document.createElement("fieldset");
    group.className = "fields";
    const held = consent === null ? (keeps ? "usual" : "due") : consent ? "given" : "refused";
    group.append(
      Object.assign(document.createElement("legend"), { textContent: t("consent.title") }),
      Object.assign(document.createElement("p"), { textContent: t(`consent.${held}`), id: "consent-state" }),
      Object.assign(document.createElement("p"), { className: "soft", textContent: t("consent.text") }),
    );
    for (const agrees of [true, false]) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: t(agrees ? "consent.yes" : "consent.no") });
      button.dataset.agrees = String(agrees);
      button.setAttribute("aria-pressed", String(consent === agrees));
      button.addEventListener("click", () => this.answer(agrees));
      group.append(button);
    }
    this.place.replaceChildren(group);
    if (before) this.place.querySelector(`[data-agrees="${before}"]`)?.focus();
  }

  /** @param {boolean} agrees */
  async answer(agrees) {
    const outcome = await this.station.do({ do: "answer_recording", agrees });
    if (outcome.ok) say(t(agrees ? "consent.given" : "consent.refused"));
  }
}
