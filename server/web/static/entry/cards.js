// The page of the seat cards, which the server makes whole: its buttons.
import { sending } from "/static/tables/cards.js";
import { $ } from "/static/core/element.js";

// New codes shut out everybody who has an old card: they are made only after a yes.
/** @param {HTMLButtonElement} button @returns {Promise<boolean>} */
function sure(button) {
  if (button.value !== "anew") return Promise.resolve(true);
  const box = /** @type {HTMLDialogElement} */ (document.getElementById("sure"));
  box.returnValue = "";
  return new Promise((resolve) => {
    box.addEventListener("close", () => resolve(box.returnValue === "yes"), { once: true });
    box.showModal();
  });
}

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[action]"));
sending(form, (text) => { $("state").textContent = text || ($("state").dataset.gone ?? ""); }, sure);
document.getElementById("print")?.addEventListener("click", () => print());
