// The stations of this table: who is on the line, and sending one away.
import { t } from "/static/language.js";
import { confirmed } from "/static/asking.js";

const $ = (id) => document.getElementById(id);

export class Stations {
  constructor(place, told) {
    this.place = place;
    this.told = told;
    $("stations-sheet").addEventListener("toggle", () => { if ($("stations-sheet").open) this.look(); });
    document.addEventListener("language", () => this.recorded({ event: "station_admitted" }));
  }

  recorded(event) {
    if (event.event.startsWith("station_") && $("stations-sheet").open) this.look();
  }

  async look() {
    const answer = await fetch(`/api/stations?${this.place}`);
    if (!answer.ok) return;
    const { stations } = await answer.json();
    $("stations").replaceChildren(...stations.map((one) => this.item(one)));
  }

  item(one) {
    const who = `${t(`title.${one.role}`)}${one.seat ? `, ${t(one.seat)}` : ""}`;
    const line = document.createElement("li");
    line.className = "device";
    const name = document.createElement("span");
    name.className = "grow";
    name.textContent = `${who} – ${one.on_line ? `● ${t("connected")}` : `○ ${t("tables.line_lost")}`} (${one.station})`;
    line.append(name);
    if (one.own) return line;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "grave";
    button.append(t("stations.send"));
    const about = document.createElement("span");
    about.className = "unseen";
    about.textContent = ` ${who} ${one.station}`;
    button.append(about);
    button.addEventListener("click", () => this.send(one, who));
    line.append(button);
    return line;
  }

  async send(one, who) {
    if (!(await confirmed(t("sure.send_away", { who: `${who} (${one.station})` })))) return;
    const answer = await fetch(`/api/stations/${encodeURIComponent(one.station)}?${this.place}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
    this.told(answer.ok ? t("stations.sent") : (await answer.json()).text, !answer.ok);
    await this.look();
    ($("stations").querySelector("button") ?? $("stations-sheet").querySelector("summary")).focus();
  }
}
