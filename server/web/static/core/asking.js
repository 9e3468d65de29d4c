// Yes or no, nothing chosen beforehand; focus comes back to where it was.
import { focused } from "/static/core/element.js";
import { listed, t } from "/static/core/language.js";
import { readOut } from "/static/core/live.js";
import { resultsSaid, write } from "/static/core/spoken.js";

let asked = 0;

/** @template T @param {string} question @param {Choice<T>[]} choices @returns {Promise<T>} */
function dialog(question, choices, className = "") {
  const before = focused();
  const said = resultsSaid(question); // the title is what a screen reader reads first
  const box = document.createElement("dialog");
  const title = document.createElement("h2");
  title.id = document.getElementById("question") ? `question-${(asked += 1)}` : "question"; // one may be asked while another still waits
  title.tabIndex = -1;
  write(title, said);
  box.setAttribute("aria-labelledby", title.id);
  const row = document.createElement("div");
  row.className = `row ${className}`;
  box.append(title, row);
  document.body.append(box);
  return new Promise((resolve) => {
    const close = (/** @type {any} */ value) => { box.close(); box.remove(); before?.focus(); resolve(value); };
    for (const { value, label, content } of choices) {
      const button = document.createElement("button");
      button.type = "button";
      if (content) button.append(content);
      button.append(label);
      button.addEventListener("click", () => close(value));
      row.append(button);
    }
    box.addEventListener("cancel", (event) => { event.preventDefault(); close(null); });
    box.showModal();
    title.focus();
    readOut(`${said} ${listed(choices.map((one) => one.label))}`);
  });
}

/** @param {string} question */
export const confirmed = (question) =>
  dialog(question, [{ value: true, label: t("yes") }, { value: null, label: t("no") }]);

// Yes and no are both answers; left alone it is none.
/** @param {string} question */
export const decided = (question) =>
  dialog(question, [{ value: true, label: t("yes") }, { value: false, label: t("no") }]);

// Shown until it has been seen: for a player whom no sound reaches.
/** @param {string} text */
export const seen = (text) => dialog(text, [{ value: true, label: t("seen") }]);

/** @param {Seat} colour @param {Drawing} drawing */
export function promoted(colour, drawing) {
  /** @type {{ [letter: string]: Man }} */
  const pieces = { q: "queen", r: "rook", b: "bishop", n: "knight" };
  /** @type {Choice<string | null>[]} */
  const choices = Object.entries(pieces).map(([value, name]) => ({ value, label: t(`piece.${name}`), content: drawing(colour, name) }));
  return dialog(t("promote"), [...choices, { value: null, label: t("cancel") }], "pieces");
}
