// Times as words ("1 hour 5 minutes") and as digits for the eye; clocks that run here from the last word of the server.
import { t } from "/static/language.js";

export function inWords(ms) {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  const parts = [[Math.floor(seconds / 3600), "hour"], [Math.floor((seconds % 3600) / 60), "minute"]];
  if (ms < 600000) parts.push([seconds % 60, "second"]);
  const said = parts.filter(([count]) => count).map(([count, unit]) => `${count} ${t(count === 1 ? unit : `${unit}s`)}`);
  return said.join(" ") || `0 ${t("seconds")}`;
}

export function digits(ms) {
  const left = Math.max(0, ms);
  const seconds = left < 20000 ? left / 1000 : Math.floor(left / 1000);
  const two = (value) => String(value).padStart(2, "0");
  if (left < 20000) return `0:${seconds < 10 ? "0" : ""}${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

export class Clocks {
  constructor(place) {
    this.faces = {};
    this.shown = null;
    for (const seat of ["white", "black"]) {
      const face = document.createElement("div");
      face.className = "clock";
      face.setAttribute("role", "group");
      const title = document.createElement("h2");
      title.id = `clock-${seat}`;
      face.setAttribute("aria-labelledby", title.id);
      const name = document.createElement("span");
      name.dataset.t = seat;
      name.textContent = t(seat);
      const runs = document.createElement("span");
      runs.className = "runs";
      title.append(name, runs);
      const shown = document.createElement("span");
      shown.className = "digits";
      shown.setAttribute("aria-hidden", "true");
      const words = document.createElement("span");
      words.className = "words";
      face.append(title, shown, words);
      place.append(face);
      this.faces[seat] = { face, runs, shown, words };
    }
    setInterval(() => this.draw(), 100);
  }

  show(clock) {
    if (!clock) return;
    this.shown = { ...clock, since: performance.now() };
    this.draw();
  }

  left(seat) {
    const gone = this.shown.running === seat ? performance.now() - this.shown.since : 0;
    return this.shown[`${seat}_ms`] - gone;
  }

  draw() {
    if (!this.shown) return;
    for (const [seat, { face, runs, shown, words }] of Object.entries(this.faces)) {
      const left = this.left(seat);
      const running = this.shown.running === seat;
      set(shown, digits(left));
      set(words, inWords(left));
      set(runs, running ? `▶ ${t("runs")}` : t("stands"));
      face.classList.toggle("running", running);
      face.classList.toggle("flag", left <= 0);
    }
  }
}

function set(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
