// Whether the server answers a page that asks it again and again: it stands in the page's head, and each change is told once.
import { t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";

/** @param {"connected" | "lost"} key */
export function linked(key) {
  const state = /** @type {HTMLElement} */ (document.querySelector("header .state"));
  const before = state.dataset.t;
  if (before === key) return;
  state.dataset.t = key;
  state.textContent = t(key);
  state.classList.toggle("lost", key === "lost");
  if (key === "lost") warn(t("server_gone"));
  else if (before === "lost") say(t("connected"));
}
