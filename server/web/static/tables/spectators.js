// The hall's arbiter shows all boards to spectators, with a delay, or shows them no longer.
import { $ } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { inWords } from "/static/core/times.js";

const ADDRESS = "/api/spectators";
/** @type {Http | null} */
let known = null;
let asked = -1; // for so many tables

const shut = () => !known?.show && !known?.tables;

function draw() {
  if (!known) return;
  $("spectators").hidden = false;
  $("spectators-hint").textContent = t("hall.open_hint", { address: `${location.origin}/hall` });
  $("spectators-now").textContent = t("hall.open_now", { count: known.tables });
  $("spectators-show").setAttribute("aria-pressed", String(known.show));
  $("spectators-hide").setAttribute("aria-disabled", String(shut())); // disabled, it would lose the focus
}

/** @param {RequestInit} [how] */
async function ask(how) {
  const answer = await fetch(ADDRESS, how).catch(() => null);
  if (answer?.ok) { known = await answer.json(); draw(); }
  else if (how) warn(answer ? (await answer.json()).text : t("server_gone"));
  return Boolean(answer?.ok);
}

/** @param {boolean} show */
async function choose(show) {
  const body = JSON.stringify({ show, delay_s: Number($("spectators-delay").value) });
  if (await ask({ method: "POST", headers: { "Content-Type": "application/json" }, body })) say($("spectators-now").textContent ?? "");
}

async function first() {
  if (!(await ask()) || !known) return;
  /** @type {HTMLSelectElement} */
  const delay = $("spectators-delay");
  const seconds = String(known.delay_s); // of the settings it may be any
  if (![...delay.options].some((one) => one.value === seconds)) delay.add(new Option(inWords(1000 * known.delay_s, true), seconds));
  delay.value = seconds;
}

// It returns what the page calls with each answer about the tables: `hall`, whether this browser is the arbiter of all;
// how many there are, since another count is another answer here too; `anew`, where the server was gone.
export function spectators() {
  $("spectators-show").addEventListener("click", () => choose(true));
  $("spectators-hide").addEventListener("click", () => { if (!shut()) choose(false); });
  document.addEventListener("language", draw);
  return (/** @type {boolean} */ hall, /** @type {number} */ tables, /** @type {boolean} */ anew) => {
    if (!hall) $("spectators").hidden = true;
    else if (anew || tables !== asked) {
      asked = tables;
      if (known) ask();
      else first();
    }
  };
}
