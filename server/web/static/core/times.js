// Times as words ("1 hour 5 minutes") and as digits for the eye; clocks that run here from the last word of the server.
import { counted, t } from "/static/core/language.js";

// Seconds from ten minutes on are left out, but where it has to be `exact`.
/** @param {number} ms */
export function inWords(ms, exact = false) {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  /** @type {[number, string][]} */
  const parts = [[Math.floor(seconds / 3600), "hour"], [Math.floor((seconds % 3600) / 60), "minute"]];
  if (exact || ms < 600000) parts.push([seconds % 60, "second"]);
  const said = parts.filter(([count]) => count).map(([count, unit]) => counted(unit, count));
  return said.join(" ") || counted("second", 0);
}

// A time control said out, so that nobody takes seconds for minutes: "1 hour 30 minutes + 30 seconds"; null for none. Numbers
// below 180 are minutes, as the server reads them.
const PERIOD = /^(?:(\d{1,3})\/)?(\d{1,6})(['′]?)(?:[+db](\d{1,4}))?$/;
/** @param {string} text */
export function controlInWords(text) {
  const periods = text.trim().split(":").map((part) => PERIOD.exec(part.trim()));
  if (periods.some((one) => !one || !Number(one[2]))) return null;
  return periods.map((/** @type {any} */ [, moves, base, minutes, extra]) => [moves ? `${moves} / ` : "", inWords(base * (minutes || base < 180 ? 60000 : 1000)), Number(extra) ? ` + ${inWords(extra * 1000)}` : ""].join("")).join(" : ");
}

// What a display shows: the large digits, and the small ones behind them (the seconds of hours, tenths at the end).
/** @param {number} ms */
export function digits(ms) {
  const left = Math.max(0, ms);
  /** @param {number} value */
  const two = (value) => String(Math.floor(value)).padStart(2, "0");
  const seconds = Math.floor(left / 1000);
  if (left < 20000) return [`0:${two(seconds)}`, `.${Math.floor((left % 1000) / 100)}`];
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours ? [`${hours}:${two(minutes)}`, `:${two(seconds % 60)}`] : [`${minutes}:${two(seconds % 60)}`, ""];
}

/** @type {Seat[]} */
export const SEATS = ["white", "black"];

export class Clocks {
  // `beats`: it is drawn by itself.
  /** @param {HTMLElement} place */
  constructor(place, beats = true) {
    /** @type {{ [seat: string]: Face }} */
    this.faces = {};
    /** @type {ClockFaces & { since: number } | null} */
    this.shown = null;
    for (const seat of SEATS) {
      const face = document.createElement("div");
      face.className = "clock";
      face.setAttribute("role", "group");
      const title = document.createElement("h2");
      title.id = `clock-${seat}`;
      face.setAttribute("aria-labelledby", title.id);
      const name = document.createElement("span");
      name.dataset.t = seat;
      name.textContent = t(seat);
      const who = document.createElement("bdi");
      who.className = "player";
      const runs = part("runs");
      title.append(name, " ", who, " ", runs);
      const line = part("line");
      line.setAttribute("aria-hidden", "true");
      const arrow = part("arrow");
      arrow.textContent = "▶";
      const shown = part("digits");
      const large = document.createElement("span");
      const small = document.createElement("small");
      shown.append(large, small);
      line.append(arrow, shown);
      const words = part("words");
      const flag = part("flag-line");
      face.append(title, line, words, flag);
      place.append(face);
      this.faces[seat] = { face, who, runs, large, small, words, flag };
    }
    if (beats) setInterval(() => this.draw(), 100);
  }

  // Who sits there: of several tables nobody mistakes one for another.
  /** @param {string[]} [names] */
  named(names = []) {
    SEATS.forEach((seat, at) => set(this.faces[seat].who, names[at] ?? ""));
  }

  /** @param {ClockFaces | null} clock */
  show(clock) {
    if (!clock) return;
    this.shown = { ...clock, since: performance.now() };
    this.draw();
  }

  // The game is over: nothing runs any more, and no word of the clock comes with that.
  stop() {
    if (!this.shown) return;
    this.show({ ...this.shown, white_ms: this.left("white"), black_ms: this.left("black"), age_ms: this.age(), running: null });
  }

  // Infinite where another clock counts, and nobody has read it.
  /** @param {Seat} seat */
  left(seat) {
    const ms = this.shown ? this.shown[`${seat}_ms`] : 0;
    const gone = this.shown?.running === seat ? performance.now() - this.shown.since : 0;
    return ms === null ? Infinity : ms - gone;
  }

  // How long ago another clock that counts was read; null where ours counts, or nobody has read it.
  age() {
    return this.shown?.age_ms == null ? null : this.shown.age_ms + performance.now() - this.shown.since;
  }

  // Whether a display runs; of another clock that counts, how long ago it was read.
  /** @param {Seat} seat */
  runs(seat) {
    const age = this.age();
    if (age !== null) return t("read_ago", { time: inWords(age) });
    if (this.left(seat) === Infinity) return t("event.clock_master_changed");
    return t(this.shown?.running === seat ? "runs" : "stands");
  }

  draw() {
    if (!this.shown) return;
    for (const seat of SEATS) {
      const { face, runs, large, small, words, flag } = this.faces[seat];
      const left = this.left(seat);
      const running = this.shown.running === seat;
      const [whole, rest] = left === Infinity ? ["–", ""] : digits(left);
      set(large, whole);
      set(small, rest);
      face.classList.toggle("long", whole.length + rest.length > 7);
      set(words, left === Infinity ? "" : inWords(left));
      set(runs, this.runs(seat));
      const first = this.shown.first_flag === seat;
      set(flag, first ? `⚑ ${t("flag_first")}` : left <= 0 ? `⚐ ${t("flag_down")}` : "");
      face.classList.toggle("running", running);
      face.classList.toggle("flag", left <= 0);
      face.classList.toggle("first-flag", first);
    }
  }
}

/** @param {string} name */
function part(name) {
  const element = document.createElement("span");
  element.className = name;
  return element;
}

/** @param {HTMLElement} element @param {string} text */
function set(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
