// The rehearsal on the arbiter's page: begun, a step passed over, or left out for a reason; his bell rings.
import { t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";

const $ = (id) => document.getElementById(id);

async function wish(place, body) {
  const answer = await fetch(`/api/rehearsal?${place}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  if (!answer.ok) warn((await answer.json()).text ?? t("refused_act"));
}

export function rehearsalSheet(place) {
  $("rehearsal-begin").addEventListener("click", () => wish(place, { do: "begin" }));
  $("rehearsal-pass").addEventListener("click", () => wish(place, { do: "pass" }));
  $("rehearsal-skip").addEventListener("submit", (event) => {
    event.preventDefault();
    wish(place, { do: "skip", reason: $("rehearsal-reason").value });
  });
}

export function rehearsalShown({ step, of, seat, what, over, bell }) {
  const line = over ? t("rehearsal.over") : t("rehearsal.now", { step, of, who: t(seat), what: t(`rehearsal.what.${what}`) });
  delete $("rehearsal-now").dataset.t;
  $("rehearsal-now").textContent = line;
  if (bell) warn(t("rehearsal.bell"));
  else say(line);
}
