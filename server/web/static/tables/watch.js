// The watch of all tables: what changed at which table, the most urgent first, read by a screen reader and, where the arbiter
// asks for it, in the server's own voice. A table has one line at a time: what is newer there takes the place of what waits.
import { language, listed, t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { keep, kept } from "/static/core/keys.js";
import { key, sayKept } from "/static/audio/ear.js";
import { alertName, why } from "/static/core/why.js";

const AT_ONCE = 0;
const MOST = 5; // so many tables are read one by one
/** @type {Seat[]} */
const SIDES = ["white", "black"];

// What is new at a table since it was looked at last, and how urgent: [0, "Draw claimed"]; null where nothing is.
/** @param {Http} now @param {Http | undefined} before @returns {[number, string] | null} */
function change(now, before) {
  /** @type {[number, string][]} */
  const found = [];
  if (now.given > (before?.given ?? 0) && now.alerts) {
    if (now.at_once) found.push([AT_ONCE, alertName(now.urgent)]);
    if (!now.at_once || now.last_alert !== now.urgent) found.push([2, alertName(now.last_alert)]);
  }
  for (const side of SIDES) if (now.links[side] === false && before?.links[side]) found.push([1, `${now[side] || t(side)}: ${t("tables.line_lost")}`]);
  if (now.waiting > (before?.waiting ?? 0)) found.push([3, t("tables.waiting", { count: now.waiting })]);
  if (now.result && now.result !== before?.result) found.push([4, `${t("ended", { result: now.result })}${now.reason ? ` (${why(now.reason)})` : ""}`]);
  if (!found.length) return null;
  found.sort(([one], [other]) => one - other);
  return [found[0][0], `${now.table}: ${listed(found.map(([, text]) => text))}`];
}

export class Watch {
  /** @param {HTMLElement} pause @param {HTMLInputElement} aloud */
  constructor(pause, aloud) {
    /** @type {Map<string, Http> | null} */
    this.known = null;
    /** @type {Map<string, [number, string]>} */
    this.waiting = new Map();
    this.paused = this.speaking = false;
    this.stopped = 0; // how often it was told to be silent: also what is still on its way to the ear
    this.aloud = aloud;
    aloud.checked = kept("watch-ear") === "yes";
    aloud.addEventListener("change", () => {
      keep("watch-ear", aloud.checked ? "yes" : "no");
      if (!aloud.checked) this.stop();
    });
    pause.addEventListener("click", () => {
      this.paused = !this.paused;
      pause.setAttribute("aria-pressed", String(this.paused));
      if (this.paused) this.stop();
      else this.read();
    });
    addEventListener("keydown", (event) => { if (event.key === "Escape") this.stop(); });
  }

  stop() {
    this.stopped += 1;
    key("stop");
  }

  /** @param {Http[]} lines */
  look(lines) {
    const before = this.known;
    this.known = new Map(lines.map((line) => [line.table, line]));
    if (!before) return;
    for (const line of lines) {
      const changed = change(line, before.get(line.table));
      if (changed) this.waiting.set(line.table, changed);
      else if (!line.alerts && this.waiting.has(line.table) && (this.waiting.get(line.table)?.[0] ?? 9) < 3) this.waiting.delete(line.table); // settled before it was read
    }
    this.read();
  }

  // All that waits, in the order of urgency: it interrupts only where somebody waits for the arbiter.
  read() {
    if (this.paused || this.speaking || !this.waiting.size) return;
    const all = [...this.waiting.values()].sort(([one], [other]) => one - other);
    this.waiting.clear();
    const texts = all.slice(0, MOST).map(([, text]) => text);
    if (all.length > MOST) texts.push(t("tables.several", { count: all.length }));
    (all[0][0] === AT_ONCE ? warn : say)(texts.join(". "));
    if (this.aloud.checked) this.speak(texts.join(". "));
  }

  // While it sounds, what comes waits, so that the most urgent is next.
  /** @param {string} text */
  async speak(text) {
    this.speaking = true;
    const { stopped } = this;
    try {
      const answer = await fetch("/api/overview/spoken", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text: text.slice(0, 500), language }) });
      const sound = answer.status === 200 ? await answer.arrayBuffer() : null;
      if (sound && stopped === this.stopped) await sayKept(sound);
    } catch { /* no server: it is written */ }
    this.speaking = false;
    this.read();
  }
}
