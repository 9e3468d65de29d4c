// One cell of a player's own score, written by hand: the number of the move, and whose it is.
import { t } from "/static/core/language.js";
import { say } from "/static/core/live.js";

/** @param {Station} station @param {Score} score */
export function writing(station, score) {
  const form = document.getElementById("write");
  const cell = document.getElementById("cell");
  const side = document.getElementById("cell-side");
  const text = document.getElementById("cell-text");
  const next = () => {
    cell.value = String(Math.ceil(score.next / 2));
    side.value = score.next % 2 ? "white" : "black";
  };
  // The cell that was chosen, or for which something is written already, stays whatever is put into the score meanwhile.
  let chosen = false;
  for (const one of [cell, side]) one.addEventListener("input", () => { chosen = Boolean(cell.value); });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const index = cell.value ? 2 * Number(cell.value) - Number(side.value === "white") : score.next;
    const written = text.value;
    const outcome = await station.do({ do: "write_score", index, text: written.trim() });
    if (outcome.ok) {
      say(t("written"));
      if (text.value === written) text.value = "";
      chosen = false;
      next();
    }
    text.focus();
  });
  return () => { if (!chosen && !text.value) next(); };
}
