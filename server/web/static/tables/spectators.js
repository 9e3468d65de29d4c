// The hall's arbiter shows all boards to spectators, with a delay, or shows them no longer.
import { $ } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { inWords } from "/static/core/times.js";

const ADDRESS = "/api/spectators";
/** @type {Http | null} */
let known = null;
let asked = -1; // for so many tables
let due = 0; // so often it is still to be asked: a new table is there before it is shown to spectators
let turns = 0; // of asking and choosing: what was asked before another turn is older than its answer
let sending = 0; // so many choices are not answered yet

const shut = () => !known?.show && !known?.tables;

function draw() {
  if (!known) return;
  $("spectators").hidden = false;
  $("spectators-hint").textContent = t("hall.open_hint", { address: `${location.origin}/hall` });
  $("spectators-now").textContent = t("hall.open_now", { count: known.tables });
  $("spectators-show").setAttribute("aria-pressed", String(known.show));
  $("spectators-hide").setAttribute("aria-disabled", String(shut())); // disabled, it would lose the focus
}

async function ask() {
  const mine = ++turns;
  const answer = await fetch(ADDRESS).catch(() => null);
  const said = answer?.ok ? await answer.json() : null;
  if (!said || sending || mine !== turns) return;
  const first = !known;
  known = said;
  draw();
  if (first) offer(said);
}

/** @param {boolean} show */
async function choose(show) {
  const body = JSON.stringify({ show, delay_s: Number($("spectators-delay").value) });
  sending += 1;
  const answer = await fetch(ADDRESS, { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
  const said = await answer?.json().catch(() => null);
  sending -= 1;
  turns += 1;
  if (!answer?.ok || !said) { warn(said ? said.text : t("no_answer")); return; }
  known = said;
  draw();
  say($("spectators-now").textContent ?? "");
}

// The delay that holds now, before its person chooses another.
/** @param {Http} known */
function offer(known) {
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
  $("spectators-hide").addEventListener("click", async () => {
    if (shut()) await ask(); // another device may have shown them meanwhile
    if (!shut()) choose(false);
  });
  document.addEventListener("language", draw);
  return (/** @type {boolean} */ hall, /** @type {number} */ tables, /** @type {boolean} */ anew) => {
    if (!hall) $("spectators").hidden = true;
    else {
      if (anew || tables !== asked) due = 2;
      asked = tables;
      if (due) ask();
      due = Math.max(0, due - 1);
    }
  };
}
