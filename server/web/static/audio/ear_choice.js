// How the player is spoken to: choices that are recorded (choose_ear) and stay with the seat.
import { focused } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { say } from "/static/core/live.js";

const READ_BACK = ["none", "tick", "short", "full"];
const SPEAKERS = ["", "f1", "f2", "f3", "f4", "m1", "m2", "m3", "m4"];
/** @type {{ [name in "speed" | "gain_db" | "lower" | "balance"]: [number, number, number] }} */
const RANGES = { speed: [50, 300, 10], gain_db: [0, 12, 1], lower: [0, 12, 1], balance: [-100, 100, 10] };

function usual() {
  const option = new Option(t("ear.usual"), "", true, true);
  option.dataset.usual = "";
  return option;
}

export class EarChoice {
  /** @param {HTMLElement | null} place @param {Station} station */
  constructor(place, station) {
    this.place = place;
    this.station = station;
    /** @type {Wire.EarChoice | null} */
    this.ear = null;
    /** @type {Map<string, HTMLInputElement | HTMLSelectElement>} */
    this.controls = new Map();
    /** @type {{ [name: string]: number }} */
    this.asked = {}; // choices that are on their way: an older answer undoes none of them
    if (place) document.addEventListener("language", () => this.draw());
  }

  // What the server holds. The controls stay: a hand on one, a key that is down, and the focus outlast an answer.
  /** @param {Wire.EarChoice} ear */
  show(ear) {
    const before = this.ear;
    this.ear = ear;
    if (!before) return this.draw();
    for (const name of /** @type {(keyof Wire.EarChoice)[]} */ ([...this.controls.keys()])) if (before[name] !== ear[name]) this.fill(name);
  }

  /** @param {keyof Wire.EarChoice} name */
  fill(name) {
    const control = this.controls.get(name);
    const value = this.ear?.[name];
    if (!control || this.asked[name]) return;
    if (control instanceof HTMLSelectElement) {
      control.querySelector("[data-usual]")?.remove();
      if (value === null) control.prepend(usual());
      control.value = String(value ?? "");
    } else if (control.type === "checkbox") control.checked = value === true;
    else {
      control.value = String(value);
      control.dispatchEvent(new Event("input")); // how it is read
    }
  }

  draw() {
    if (!this.place || !this.ear) return;
    const before = this.place.contains(document.activeElement) ? focused()?.id : null;
    const group = document.createElement("fieldset");
    group.append(Object.assign(document.createElement("legend"), { textContent: t("ear_choice") }));
    /** @type {(values: string[], word: (value: string) => string) => [string, string][]} */
    const texts = (values, word) => values.map((value) => [value, value === "" ? t("ear.usual") : word(value)]);
    group.append(this.select("read_back", texts(READ_BACK, (value) => t(`ear.read_back.${value}`))));
    for (const name of Object.keys(RANGES)) group.append(this.range(/** @type {keyof typeof RANGES} */ (name)));
    group.append(this.select("voice", texts(SPEAKERS, (value) => t(value[0] === "f" ? "ear.woman" : "ear.man", { number: value[1] }))));
    group.append(this.check("read_keys"));
    this.place.replaceChildren(group);
    if (before) document.getElementById(before)?.focus();
  }

  /** @param {string} name @param {HTMLInputElement | HTMLSelectElement} control */
  labelled(name, control) {
    this.controls.set(name, control);
    control.id = `ear-${name}`;
    const label = Object.assign(document.createElement("label"), { htmlFor: control.id, textContent: t(`ear.${name}`) });
    const box = document.createElement("div");
    box.append(label, control);
    return box;
  }

  /** @param {keyof Wire.EarChoice} name @param {[string, string][]} choices */
  select(name, choices) {
    const select = document.createElement("select");
    if (this.ear?.[name] === null) select.append(usual());
    for (const [value, text] of choices) select.append(new Option(text, value, false, value === this.ear?.[name]));
    select.addEventListener("change", () => this.choose(name, select.value));
    return this.labelled(name, select);
  }

  /** @param {keyof typeof RANGES} name */
  range(name) {
    const [min, max, step] = RANGES[name];
    const range = Object.assign(document.createElement("input"), { type: "range", min: String(min), max: String(max), step: String(step) });
    range.value = String(this.ear?.[name]);
    const spoken = () => range.setAttribute("aria-valuetext", t(`ear.${name}.value`, { value: range.value }));
    spoken();
    range.addEventListener("input", spoken);
    range.addEventListener("change", () => this.choose(name, Number(range.value)));
    return this.labelled(name, range);
  }

  /** @param {"read_keys"} name */
  check(name) {
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: this.ear?.[name] === true });
    box.addEventListener("change", () => this.choose(name, box.checked));
    return this.labelled(name, box);
  }

  /** @param {keyof Wire.EarChoice} name @param {string | number | boolean} value */
  async choose(name, value) {
    this.asked[name] = (this.asked[name] ?? 0) + 1;
    const outcome = await this.station.do({ do: "choose_ear", [name]: value });
    this.asked[name] -= 1;
    if (outcome.ok) say(t("done"));
    else this.fill(name); // it shows what holds
  }
}
