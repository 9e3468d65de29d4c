// The hall's arbiter changes the pairing of a table whose game has not started; its players are told on their devices.
import { $ } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";

/** @type {Http[]} */
let lines = []; // of the tables whose game has not started

const FIELDS = /** @type {const} */ (["white", "black", "board", "starts", "way"]);
/** @type {{ [field: string]: string }} */
const filled = {}; // what stood at the table when it was put into a field

/** @param {boolean} anew also where something is being written: it was for another table */
function fill(anew) {
  const line = lines.find((one) => one.table === $("pairing-table").value);
  if (!line) return;
  for (const field of FIELDS) {
    const [place, now] = [$(`pairing-${field}`), String(line[field])];
    if (!anew && place.value !== filled[field] && place.value !== now) continue;
    if (place.value !== now) place.value = now;
    filled[field] = now;
  }
}

/** @param {SubmitEvent} event */
async function change(event) {
  event.preventDefault();
  const body = {
    table: $("pairing-table").value, white: $("pairing-white").value.trim(), black: $("pairing-black").value.trim(),
    board: Number($("pairing-board").value), starts: $("pairing-starts").value.trim(), way: $("pairing-way").value.trim(),
  };
  const answer = await fetch("/api/tables/pairing", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  }).catch(() => null);
  if (answer?.ok) say(t("pairing.changed"));
  else warn(answer ? (await answer.json()).text : t("no_answer"));
}

// It returns what the page calls with each answer about the tables. A field in which the organiser writes is left alone;
// every other field shows the pairing as it is now, so that the form sends back no older value of it.
export function pairing() {
  $("pairing-table").addEventListener("change", () => fill(true));
  $("pairing-form").addEventListener("submit", change);
  return (/** @type {Http[]} */ all) => {
    lines = all.filter((line) => !line.started && !line.result && line.round);
    $("pairing-form").hidden = !lines.length;
    const select = $("pairing-table");
    const names = lines.map((line) => line.table);
    const before = select.value;
    if (names.join() !== [...select.options].map((one) => one.value).join()) {
      select.replaceChildren(...names.map((name) => new Option(name, name)));
      if (names.includes(before)) select.value = before;
    }
    fill(select.value !== before);
  };
}
