// One cell of a player's own score, written by hand.
import { t } from "/static/core/language.js";
import { say } from "/static/core/live.js";

/** @param {Station} station @param {Score} score */
export function writing(station, score) {
  const form = document.getElementById("write");
  const cell = document.getElementById("cell");
  const text = document.getElementById("cell-text");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const outcome = await station.do({ do: "write_score", index: Number(cell.value || score.next), text: text.value.trim() });
    if (outcome.ok) {
      say(t("written"));
      text.value = "";
      cell.value = String(score.next);
    }
    text.focus();
  });
  return () => { cell.value = String(score.next); };
}
