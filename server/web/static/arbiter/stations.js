// The stations of this table, the delay of its displays, and its sensing boards.
import { $, focused } from "/static/core/element.js";
import { listed, t } from "/static/core/language.js";
import { step } from "/static/arbiter/cockpit.js";
import { confirmed } from "/static/core/asking.js";
import { answerOf } from "/static/core/servers.js";
import { inWords } from "/static/core/times.js";

const SLOW_MS = 2000; // a line that answers so late is told of
const DELAYS = [0, 30, 300, 900];

// The delays to choose from, and the chosen one, which another device may have set to something else.
/** @param {number} chosen */
function delays(chosen) {
  const all = [...new Set([...DELAYS, chosen])].sort((a, b) => a - b);
  return all.map((seconds) => new Option(DELAYS.includes(seconds) ? t(`delay.${seconds}`) : inWords(seconds * 1000, true), String(seconds), false, seconds === chosen));
}

/** @param {Http} one */
function board(one) {
  const line = document.createElement("li");
  line.className = "device";
  line.textContent = `${one.text} (${one.name}, ${one.driver})`;
  return line;
}

export class Stations {
  /** @param {string} place @param {Telling} telling @param {Act} act */
  constructor(place, telling, act) {
    this.place = place;
    this.telling = telling;
    this.act = act;
    this.asked = 0;
    /** @type {Map<string, number | null>} */
    this.seen = new Map();
    $("delay-all").addEventListener("change", () => this.delay("", $("delay-all").value));
    document.addEventListener("language", () => this.look());
    document.addEventListener("lines", ({ detail }) => {
      this.seen = new Map(detail.lines.map((one) => [one.station, one.ms]));
      for (const line of $("stations").children) line.write?.();
    });
  }

  /** @param {Wire.AnyEvent} event */
  recorded(event) {
    if (event.event.startsWith("station_") || event.event === "display_delayed" || (event.event === "alerted" && event.kind === "board_link")) this.look();
  }

  // Answers that overtake one another: the last question counts.
  async look() {
    const asked = (this.asked += 1);
    const { ok, said } = await answerOf(`/api/stations?${this.place}`);
    if (!ok || asked !== this.asked) return;
    const { stations, boards, delay_s } = said;
    // Of several alike each has a number, in the order in which they came: nobody knows the name of a device.
    const alike = (/** @type {Http} */ one) => stations.filter((/** @type {Http} */ other) => other.role === one.role && other.seat === one.seat);
    for (const one of stations) one.among = alike(one).length > 1 ? alike(one).indexOf(one) + 1 : 0;
    const before = $("stations").contains(focused()) ? focused()?.dataset.about : null;
    $("delay-all").replaceChildren(...delays(delay_s));
    $("stations").replaceChildren(...stations.map((/** @type {Http} */ one) => this.item(one)), ...boards.map(board));
    const missing = /** @type {Seat[]} */ (["white", "black"]).filter((seat) => !stations.some((/** @type {Http} */ one) => ["tactile", "sighted"].includes(one.role) && one.seat === seat));
    step("devices", "stations-sheet", () => (missing.length ? t("step.no_device", { who: listed(missing.map((seat) => t(seat))) }) : t("done")), !missing.length);
    // The same act for the same device; where that is gone, none: the next Enter must send nobody else away.
    if (before) ([...$("stations").querySelectorAll("[data-about]")].find((one) => one.dataset.about === before) ?? $("stations-title")).focus();
  }

  /** @param {Http} one */
  item(one) {
    const who = `${t(`title.${one.role}`)}${one.seat ? `, ${t(one.seat)}` : ""}${one.among ? ` ${one.among}` : ""}`;
    const line = document.createElement("li");
    line.className = "device";
    const name = document.createElement("span");
    name.className = "grow";
    line.write = () => {
      const ms = this.seen.get(one.station) ?? null;
      const there = this.seen.has(one.station) ? ms !== null : one.on_line;
      line.classList.toggle("alert-line", this.seen.has(one.station) && !there);
      name.textContent = `${there ? "●" : "○"} ${who}: ${!there ? t("line_away") : ms === null || ms < SLOW_MS ? t("connected") : t("line_slow", { seconds: Math.round(ms / 1000) })}`;
    };
    line.write();
    line.append(name);
    if (one.role === "display") line.append(this.later(one, who));
    if (!one.own) line.append(this.button(one, who));
    return line;
  }

  /** @param {Http} one @param {string} who */
  later(one, who) {
    const select = document.createElement("select");
    select.dataset.about = `delay ${one.station}`;
    select.setAttribute("aria-label", `${t("delay")} – ${who}`);
    select.append(...delays(one.delay_s));
    select.addEventListener("change", () => this.delay(one.station, select.value));
    return select;
  }

  /** @param {string} station @param {string} seconds */
  delay(station, seconds) {
    return this.act({ do: "delay_display", station, delay_s: Number(seconds) });
  }

  /** @param {Http} one @param {string} who */
  button(one, who) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "grave";
    button.dataset.about = `send ${one.station}`;
    button.append(t("stations.send"));
    const about = document.createElement("span");
    about.className = "unseen";
    about.textContent = ` ${who}`;
    button.append(about);
    button.addEventListener("click", () => this.send(one, who));
    return button;
  }

  /** @param {Http} one @param {string} who */
  async send(one, who) {
    const told = this.telling();
    if (!(await confirmed(t("sure.send_away", { who })))) return;
    const { ok, said } = await answerOf(`/api/stations/${encodeURIComponent(one.station)}?${this.place}`, {});
    told(ok ? `${t("stations.sent")} ${said.text}` : said.text, !ok);
    await this.look();
  }
}
