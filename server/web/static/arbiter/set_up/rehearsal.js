// The rehearsal on the arbiter's page: begun, a step passed over, or left out for a reason; their bell rings.
import { $ } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { answerOf } from "/static/core/servers.js";

/** @param {string} place @param {object} body */
async function wish(place, body) {
  const { ok, said } = await answerOf(`/api/rehearsal?${place}`, body);
  if (!ok) warn(said.text ?? t("refused_act"));
}

/** @param {string} place */
export function rehearsalSheet(place) {
  $("rehearsal-begin").addEventListener("click", () => wish(place, { do: "begin" }));
  $("rehearsal-pass").addEventListener("click", () => wish(place, { do: "pass" }));
  $("rehearsal-skip").addEventListener("submit", (event) => {
    event.preventDefault();
    wish(place, { do: "skip", reason: $("rehearsal-reason").value });
  });
}

// Its end stands in the record: a page whose line broke meanwhile learns of it from there.
export function rehearsalOver() {
  delete $("rehearsal-now").dataset.t;
  $("rehearsal-now").textContent = t("rehearsal.over");
}

/** @param {Wire.RehearsalShown} said */
export function rehearsalShown({ step, of, seat, what, over, bell }) {
  const line = over ? t("rehearsal.over") : t("rehearsal.now", { step, of, who: t(seat ?? ""), what: t(`rehearsal.what.${what}`) });
  delete $("rehearsal-now").dataset.t;
  $("rehearsal-now").textContent = line;
  if (bell) warn(t("rehearsal.bell"));
  else say(line);
}
