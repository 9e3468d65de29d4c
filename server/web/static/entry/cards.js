// The page of the seat cards, which the server makes whole: its buttons.
import { sending } from "/static/tables/cards.js";
import { $ } from "/static/core/element.js";

sending(/** @type {HTMLFormElement} */ (document.querySelector("form")), (text) => { $("state").textContent = text || ($("state").dataset.gone ?? ""); });
document.getElementById("print")?.addEventListener("click", () => print());
