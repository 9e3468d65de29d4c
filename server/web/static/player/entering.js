// How a tactile player enters all that they may do: in letters, with six keys, on a keypad, or with two keys. The clock is
// pressed by a key in each of these ways, never by a word.
import { $ } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { readOut, say, warn } from "/static/core/live.js";
import { again, key } from "/static/audio/ear.js";
import { KEYS, kept, keep, keyOf } from "/static/core/keys.js";
import { FUNCTIONS, asked, saidByDigits } from "/static/player/functions.js";
import { Chords, askedInCells } from "/static/player/chords.js";
import { TwoKeys } from "/static/player/two_keys.js";

export const WAYS = ["letters", "chords", "keypad", "two"];
// What is answered by words of its own, or is only asked about: nothing is done yet.
const ASKED = ["ask", "explore", "propose", "choose_clock"];
/** @type {{ [key: string]: string }} */
const NAMES = { " ": "Space" };
/** @type {{ [code: string]: string }} */
const NUMPAD = { NumpadAdd: "press", NumpadSubtract: "erase", NumpadDivide: "talk", NumpadEnter: "send", NumpadDecimal: ".", NumpadMultiply: "*" };

export class Entering {
  // `press()`: the clock; `talk`: the talk button; `station`: the line to the table.
  /** @param {Station} station @param {Speaker} speaker */
  constructor(station, { press, talk }) {
    this.station = station;
    this.press = press;
    this.talk = talk;
    this.way = "letters";
    this.trains = false;
    this.without = ["finish_arbiter", "finish"];
    this.offered = "";
    this.field = $("field");
    this.chords = new Chords((cell, said) => this.insert(cell, said));
    this.two = new TwoKeys({
      show: (text, done) => this.show(text, done),
      run: (one, body) => this.run(one, body),
      say: (said) => this.announce(said),
      known: () => this.known(),
    });
    $("say").addEventListener("submit", (event) => this.submitted(event), { capture: true });
    for (const kind of /** @type {const} */ (["keydown", "keyup"])) addEventListener(kind, (event) => this.key(event), { capture: true });
    this.field.addEventListener("input", (event) => this.typed(/** @type {InputEvent} */ (event)));
    addEventListener("blur", () => this.chords.letGo());
    document.addEventListener("language", () => this.name());
    this.settings();
    this.turn(kept("entry"), false);
  }

  /** @param {Wire.Greeting} greeting */
  greet(greeting) {
    this.trains = greeting.training;
    this.finish(greeting);
  }

  // What there is in a quickplay finish (Guidelines III), where one is played here.
  /** @param {Finish} said */
  finish({ quickplay, unsupervised }) {
    this.without = quickplay ? (unsupervised ? ["finish_arbiter"] : []) : ["finish_arbiter", "finish"];
    const offered = String(this.known().map(({ name }) => name));
    if (offered !== this.offered) this.two.home(); // a line that is back leaves the menu where it stood
    this.offered = offered;
    this.name();
  }

  known() {
    return FUNCTIONS.filter((one) => (one.group !== "training" || this.trains) && !this.without.includes(one.where ?? ""));
  }

  settings() {
    const ways = $("entry-other");
    for (const way of WAYS.slice(1)) ways.append(new Option("", way, false, way === kept("entry-other")));
    ways.addEventListener("change", () => {
      keep("entry-other", ways.value);
      if (this.way !== "letters") this.turn(ways.value, true);
    });
    /** @type {["entry-key" | "step-key" | "choose-key", string[]][]} */
    const named = [["entry-key", KEYS], ["step-key", [" ", "Enter", ...KEYS]], ["choose-key", ["Enter", " ", ...KEYS]]];
    for (const [id, keys] of named) {
      for (const one of keys) $(id).append(new Option(NAMES[one] ?? one, one, false, one === kept(id)));
      $(id).addEventListener("change", () => { keep(id, $(id).value); this.name(); });
    }
  }

  // One key switches between letters and the other way.
  /** @param {string} way @param {boolean} told */
  turn(way, told) {
    this.way = WAYS.includes(way) ? way : "letters";
    keep("entry", this.way);
    this.chords.letGo();
    this.two.home();
    this.name();
    if (told) say(t(`entry.${this.way}`), { key: true });
    if (told && this.way === "two") readOut(this.two.current);
  }

  name() {
    for (const option of $("entry-other").options) option.textContent = t(`entry.${option.value}`);
    $("entry-state").textContent = t("entry.state", { way: t(`entry.${this.way}`), key: kept("entry-key") });
    $("scan").hidden = this.way !== "two";
    $("scan").textContent = this.way === "two" ? this.two.current : "";
    $("functions").replaceChildren(...this.known().map((one) => Object.assign(document.createElement("li"), { textContent: listed(one) })));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (keyOf(event) === kept("entry-key")) {
      if (event.type === "keydown" && !event.repeat) this.turn(this.way === "letters" ? kept("entry-other") : "letters", true);
    } else if (this.way === "chords" && (event.type === "keyup" || event.target === this.field) && this.chords.key(event)) {
      // a dot of a cell
    } else if (this.way === "keypad" && (event.code in NUMPAD || /^Numpad\d$/.test(event.code))) {
      this.keypad(event);
    } else if (this.way === "two" && [kept("step-key"), kept("choose-key")].includes(keyOf(event))) {
      if (event.type === "keydown" && !event.repeat) this.switched(keyOf(event) === kept("choose-key"));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // A held key is one act (6.2.3); the talk key alone is held.
  /** @param {KeyboardEvent} event */
  keypad(event) {
    const what = NUMPAD[event.code] ?? event.code.slice(-1);
    const box = document.querySelector("dialog[open]");
    if (what === "talk") {
      if (!event.repeat) event.type === "keydown" ? this.talk.down() : this.talk.up();
    } else if (event.type === "keydown" && !event.repeat) {
      if (what === "press") this.press();
      else if (box) answer(box, what === "send");
      else if (what === "send") $("say").requestSubmit();
      else if (what === "erase") { this.field.value = this.field.value.slice(0, -1); say(this.field.value || t("empty"), { key: true }); }
      else this.insert(what, what);
    }
  }

  /** @param {boolean} chooses */
  switched(chooses) {
    const box = document.querySelector("dialog[open]");
    if (box) answer(box, chooses);
    else if (chooses) this.two.choose();
    else this.two.step();
  }

  /** @param {string} text @param {string} said */
  insert(text, said) {
    this.field.focus();
    this.field.value += text;
    say(said, { key: true });
  }

  // After an act what it brought is worth more than where the menu stands again.
  /** @param {string} text */
  show(text, done = false) {
    $("scan").textContent = text;
    say(text, { heard: done, key: true });
  }

  // Letters as they are typed, one by one; at a blank the word.
  /** @param {InputEvent} event */
  typed({ data, inputType }) {
    if (inputType?.startsWith("delete")) readOut(this.field.value || t("empty"), true);
    else if (data === " ") readOut(this.field.value.trim().split(/\s+/).at(-1) ?? "", true);
    else if (data) readOut(data, true);
  }

  // The field's text is a function by its number, or a move in digits; all else goes to the server as words.
  /** @param {SubmitEvent} event */
  submitted(event) {
    const text = this.field.value.trim();
    const found = asked(text) ?? askedInCells(text);
    const said = found ? null : saidByDigits(text);
    const cells = !found && /^[\u2800-\u28ff ]+$/.test(text);
    if (!found && !said && !cells) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (cells) return this.sendCells(text);
    this.field.value = "";
    if (said) this.announce(said);
    else if (!found?.one || found.wrong || !this.known().includes(found.one)) warn(t("not_understood"));
    else this.run(found.one, found.body);
  }

  /** @param {string} text */
  async sendCells(text) {
    if (this.station.waits(text.replaceAll(" ", "\u2800"))) return;
    const outcome = await this.station.cells(text);
    if (outcome.ok && this.field.value.trim() === text) this.field.value = "";
  }

  /** @param {Wire.Announcement} said */
  async announce(said) {
    await this.station.do({ do: "say", announcement: said });
  }

  /** @param {Doing} one @param {Command} [body] */
  async run(one, body) {
    if (one.page === "press") return this.press();
    if (one.page === "again") return again();
    if (one.page === "silence") return key("stop");
    if (one.page === "next" || one.page === "previous") return key(one.page);
    if (one.page === "talk") return this.talk.toggle();
    if (one.page === "help") return this.showFunctions();
    if (!body) return;
    const outcome = await this.station.do(body);
    if (outcome.ok && !ASKED.includes(body.do)) say(t("done"));
  }

  showFunctions() {
    const place = $("functions").closest("details");
    if (place) place.open = true;
    $("functions").focus();
    say(this.known().map(listed).join(". "));
  }
}

/** @param {Doing} one */
const listed = (one) => `${one.code}: ${t(one.name)}`;

// A dialog by two keys: one goes to its next button, one chooses that.
/** @param {HTMLElement} box @param {boolean} chooses */
function answer(box, chooses) {
  const buttons = [...box.querySelectorAll("button")];
  const at = buttons.findIndex((one) => one === document.activeElement);
  if (chooses && at >= 0) return buttons[at].click();
  const next = buttons[(at + 1) % buttons.length];
  next.focus();
  readOut(next.textContent ?? "", true);
}
