// Of a round: its boards to hand on, its bulletin in four forms, and its finished games released to their players.
import { $ } from "/static/core/element.js";
import { language, t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";

function address() {
  for (const form of /** @type {const} */ (["pdf", "html", "brf", "pgn"])) {
    $(`bulletin-${form}`).href = `/api/bulletin/${encodeURIComponent($("round-of").value)}.${form}?language=${language}`;
  }
  const day = $("round-day").value;
  for (const form of /** @type {const} */ (["csv", "ics", "txt"])) {
    $(`notices-${form}`).href = `/api/round/${encodeURIComponent($("round-of").value)}.${form}?language=${language}&day=${day}`;
  }
}

/** @param {SubmitEvent} event */
async function release(event) {
  event.preventDefault();
  const answer = await fetch("/api/tables/released", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ round: $("round-of").value }),
  }).catch(() => null);
  const said = answer ? await answer.json() : { text: t("no_answer") };
  if (answer?.ok) say(t("round.released", { count: said.released }));
  else warn(said.text);
}

// It returns what the page calls with each answer about the tables.
export function round() {
  $("round-of").addEventListener("change", address);
  $("round-day").addEventListener("change", address);
  $("round-form").addEventListener("submit", release);
  document.addEventListener("language", address);
  return (/** @type {Http[]} */ all) => {
    const rounds = [...new Set(all.map((line) => line.round).filter(Boolean))];
    $("round-form").hidden = !rounds.length;
    const select = $("round-of");
    if (rounds.join() === [...select.options].map((one) => one.value).join()) return;
    const before = select.value;
    select.replaceChildren(...rounds.map((one) => new Option(one, one)));
    select.value = rounds.includes(before) ? before : (rounds.at(-1) ?? "");
    address();
  };
}
