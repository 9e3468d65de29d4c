// The stations of this table, all in one list: who each is, how long it takes to answer, sending it away; and how much
// later a display shows the game, all of them or this one.
import { t } from "/static/core/language.js";
import { confirmed } from "/static/core/asking.js";

const $ = (id) => document.getElementById(id);
const DELAYS = ["0", "30", "300", "900"];

function delays(chosen) {
  return DELAYS.map((seconds) => new Option(t(`delay.${seconds}`), seconds, false, seconds === String(chosen)));
}

export class Stations {
  constructor(place, told, act) {
    Object.assign(this, { place, told, act, seen: new Map() });
    $("delay-all").addEventListener("change", () => this.delay("", $("delay-all").value));
    document.addEventListener("language", () => this.look());
    document.addEventListener("lines", ({ detail }) => {
      this.seen = new Map(detail.lines.map((one) => [one.station, one.ms]));
      for (const line of $("stations").children) line.write();
    });
  }

  recorded({ event }) {
    if (event.startsWith("station_") || event === "display_delayed") this.look();
  }

  async look() {
    const answer = await fetch(`/api/stations?${this.place}`);
    if (!answer.ok) return;
    const { stations, delay_s } = await answer.json();
    const focused = document.activeElement?.dataset.about;
    $("delay-all").replaceChildren(...delays(delay_s));
    $("stations").replaceChildren(...stations.map((one) => this.item(one)));
    if (focused) [...$("stations").querySelectorAll("[data-about]")].find((one) => one.dataset.about === focused)?.focus();
  }

  item(one) {
    const who = `${t(`title.${one.role}`)}${one.seat ? `, ${t(one.seat)}` : ""}`;
    const line = document.createElement("li");
    line.className = "device";
    const name = document.createElement("span");
    name.className = "grow";
    line.write = () => {
      const ms = this.seen.get(one.station) ?? null;
      const there = this.seen.has(one.station) ? ms !== null : one.on_line;
      line.classList.toggle("alert-line", this.seen.has(one.station) && !there);
      name.textContent = `${there ? "●" : "○"} ${who}: ${!there ? t("line_away") : ms === null ? t("connected") : t("line_ms", { ms })} (${one.station})`;
    };
    line.write();
    line.append(name);
    if (one.role === "display") line.append(this.later(one, who));
    if (!one.own) line.append(this.button(one, who));
    return line;
  }

  later(one, who) {
    const select = document.createElement("select");
    select.dataset.about = `delay ${one.station}`;
    select.setAttribute("aria-label", `${t("delay")} – ${who} ${one.station}`);
    select.append(...delays(one.delay_s));
    select.addEventListener("change", () => this.delay(one.station, select.value));
    return select;
  }

  delay(station, seconds) {
    return this.act({ do: "delay_display", station, delay_s: Number(seconds) });
  }

  button(one, who) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "grave";
    button.dataset.about = `send ${one.station}`;
    button.append(t("stations.send"));
    const about = document.createElement("span");
    about.className = "unseen";
    about.textContent = ` ${who} ${one.station}`;
    button.append(about);
    button.addEventListener("click", () => this.send(one, who));
    return button;
  }

  async send(one, who) {
    if (!(await confirmed(t("sure.send_away", { who: `${who} (${one.station})` })))) return;
    const answer = await fetch(`/api/stations/${encodeURIComponent(one.station)}?${this.place}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
    this.told(answer.ok ? t("stations.sent") : (await answer.json()).text, !answer.ok);
    await this.look();
    ($("stations").querySelector("button") ?? $("stations-title")).focus();
  }
}
