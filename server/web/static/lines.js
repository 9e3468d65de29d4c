// The stations of the arbiter's table, and how long each takes to answer.
import { t } from "/static/language.js";

const list = document.getElementById("lines");
let shown = [];

function show() {
  if (!shown.length) return;
  list.replaceChildren(...shown.map(({ role, seat, ms }) => {
    const line = document.createElement("li");
    line.className = ms === null ? "alert-line" : "";
    const who = role === "player" ? t(seat) : `${t(`title.${role}`)}${seat ? `, ${t(seat)}` : ""}`;
    line.textContent = `${who}: ${ms === null ? t("line_away") : t("line_ms", { ms })}`;
    return line;
  }));
}
document.addEventListener("lines", ({ detail }) => { shown = detail.lines; show(); });
document.addEventListener("language", show);
