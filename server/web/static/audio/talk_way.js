// How the seat's microphone is opened: a choice of the player's that is recorded (choose_talking).
import { focused } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { say } from "/static/core/live.js";
import { keep, kept } from "/static/core/keys.js";

/** @type {Wire.Talking[]} */
const WAYS = ["held", "toggled", "voice"];

// A radio group in `place`; without one (an assistant's page) the choice stays on this device.
export class TalkWay {
  /** @param {HTMLElement | null} place @param {Station} station @param {(sound: Wire.SoundShown) => void} changed */
  constructor(place, station, changed) {
    this.place = place;
    this.station = station;
    this.changed = changed;
    /** @type {Wire.SoundShown | null} */
    this.sound = null;
    this.asked = 0; // choices that are on their way: an older answer undoes none of them
    if (!place) return;
    document.addEventListener("language", () => this.draw());
    this.draw();
  }

  // What the server holds of the seat's sound.
  /** @param {Wire.SoundShown} sound */
  show(sound) {
    this.sound = sound;
    keep("talk-way", sound.talking);
    this.changed(sound);
    this.fill();
  }

  // The radios stay: a key that is down, and the focus, outlast an answer and a new line.
  fill() {
    const way = kept("talk-way");
    if (!this.asked) for (const radio of this.place?.querySelectorAll("input") ?? []) radio.checked = radio.value === way;
  }

  draw() {
    if (!this.place) return;
    const before = this.place.contains(document.activeElement) ? focused()?.getAttribute("value") : null;
    const group = document.createElement("fieldset");
    group.append(Object.assign(document.createElement("legend"), { textContent: t("talk_way") }));
    for (const way of WAYS) {
      const label = Object.assign(document.createElement("label"), { className: "check" });
      const radio = Object.assign(document.createElement("input"), { type: "radio", name: "talk-way", value: way, checked: kept("talk-way") === way });
      // Not disabled: a screen reader passes such a one over, and the refusal says why.
      if (way === "voice") radio.setAttribute("aria-describedby", "talk-way-hint");
      radio.addEventListener("change", () => this.choose(way));
      label.append(radio, " ", Object.assign(document.createElement("span"), { textContent: t(`talk_way.${way}`) }));
      group.append(label);
    }
    group.append(Object.assign(document.createElement("p"), { id: "talk-way-hint", className: "soft small", textContent: t("talk_way.voice_hint") }));
    this.place.replaceChildren(group);
    if (before) this.place.querySelector(`[value="${before}"]`)?.focus();
  }

  /** @param {Wire.Talking} way */
  async choose(way) {
    this.asked += 1;
    const outcome = await this.station.do({ do: "choose_talking", talking: way });
    this.asked -= 1;
    if (outcome.ok) say(t("done"));
    else this.fill(); // the group shows what holds
  }
}
