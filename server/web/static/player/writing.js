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
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const index = cell.value ? 2 * Number(cell.value) - Number(side.value === "white") : score.next;
    const outcome = await station.do({ do: "write_score", index, text: text.value.trim() });
    if (outcome.ok) {
      say(t("written"));
      text.value = "";
      next();
    }
    text.focus();
  });
  return next;
}
