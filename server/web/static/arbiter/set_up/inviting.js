// A new code, link and QR code for a place at this table.
import { $, focusOn } from "/static/core/element.js";
import { language, t } from "/static/core/language.js";
import { write } from "/static/core/spoken.js";
import { answerOf } from "/static/core/servers.js";

export const DUTIES = ["execute", "announce", "score_and_clock", "inform", "claim_and_report", "adjourn"];

// A duty to tick: its label and the box in it.
/** @param {string} duty @returns {[HTMLLabelElement, HTMLInputElement]} */
export function dutyBox(duty) {
  const label = document.createElement("label");
  label.className = "check";
  const box = document.createElement("input");
  box.type = "checkbox";
  box.value = duty;
  const text = document.createElement("span");
  text.dataset.t = `duty.${duty}`;
  text.textContent = t(`duty.${duty}`);
  label.append(box, text);
  return [label, box];
}

/** @param {string} place @param {Telling} telling */
export function inviting(place, telling) {
  for (const duty of DUTIES) $("invite-duties").append(dutyBox(duty)[0]);
  const choice = $("invite-for");
  choice.addEventListener("change", () => { $("invite-duties").hidden = !choice.value.startsWith("assistant"); });
  $("invite").addEventListener("submit", async (event) => {
    event.preventDefault();
    const told = telling();
    const [role, seat] = choice.value.split("-");
    const duties = role === "assistant" ? [...$("invite-duties").querySelectorAll(":checked")].map((box) => box.getAttribute("value")) : [];
    const body = { role, seat: seat ?? null, duties, language };
    const whose = choice.selectedOptions[0].textContent ?? ""; // another may be chosen before the answer
    const { ok, said } = await answerOf(`/api/invitations?${place}`, body);
    if (ok) show(said, whose);
    else told(said.text, true);
  });
}

/** @param {Http} said @param {string} whose */
function show(said, whose) {
  const picture = new DOMParser().parseFromString(said.qr, "image/svg+xml").documentElement;
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", t("qr_of_link"));
  const words = document.createElement("span");
  words.className = "code";
  write(words, said.words);
  const link = document.createElement("a");
  link.href = said.link;
  link.textContent = t("link");
  const text = $("invitation-text");
  const whom = document.createElement("b");
  whom.textContent = whose;
  text.replaceChildren(whom, document.createElement("br"), words, document.createElement("br"), said.code.join(" "), document.createElement("br"), link, document.createElement("br"), t("code_life", { minutes: said.minutes }));
  $("invitation").replaceChildren(picture, text);
  $("invitation").hidden = false;
  focusOn(text);
}
