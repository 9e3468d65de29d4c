// The fixed bar: what waits for the arbiter, with its first act, in view wherever the page is scrolled to; and what came of
// a button that was pressed, beside that button, or in the bar where the button is gone.
import { $, focused, make } from "/static/core/element.js";
import { has, t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { write } from "/static/core/spoken.js";

const said = $("said");
const home = /** @type {HTMLElement} */ (said.parentElement);
// Lists that are made anew when something is recorded: what stood in them would be gone.
const REMADE = "#devices, #stations, #questions, #checklist, #act-form, #codes-locked";
const MOST = 2; // so many cards stand there at once, the most urgent; nothing scrolls within the page
/** @type {HTMLElement | null} */
let pressed = null;

// What was answered before stands no longer when something else is asked for.
document.addEventListener("click", ({ target }) => {
  const button = /** @type {HTMLElement} */ (target).closest("button");
  if (!button || button.closest("dialog")) return;
  pressed = button;
  said.textContent = "";
}, { capture: true });
// A box or a choice that stands in no form asks for its act by itself.
document.addEventListener("change", ({ target }) => {
  const one = /** @type {Field} */ (target);
  if (!one.form && !one.closest("dialog")) pressed = one;
}, { capture: true });

/** @param {HTMLElement | null} button */
function beside(button) {
  const near = button?.offsetParent && !button.closest("#top, #alerts-section, #desk-begin") ? button : null;
  const after = near && (near.closest(REMADE) ?? near.closest(".row") ?? near);
  if (after) after.after(said);
  else home.append(said);
}

// Who waits for an answer tells it with this: beside the button that asked, whichever is pressed before it comes; in the
// bar where none did.
/** @returns {Tell} */
export function telling(button = pressed) {
  return (text, grave = false) => {
    beside(button);
    write(said, text);
    said.classList.toggle("wrong", grave);
    (grave ? warn : say)(text);
  };
}

/** @type {Tell} */
export const told = (text, grave) => telling()(text, grave);

// The most urgent alert and its first act are those of the first card: both lead the same way.
/** @param {(open: string) => void} titled */
export function strip(titled) {
  const card = () => $("alerts").querySelector(".alert-line");
  const first = () => card()?.querySelector("button") ?? null;
  const act = make("button", { type: "button", className: "first" });
  act.addEventListener("click", () => first()?.click());
  $("strip-to").addEventListener("click", (event) => {
    event.preventDefault();
    const to = /** @type {HTMLElement} */ (card()?.querySelector("[role=group]") ?? $("alerts-title"));
    to.focus();
    to.scrollIntoView({ block: "nearest" });
  });
  const show = () => {
    const count = $("alerts").querySelectorAll(".alert-line").length;
    const name = card()?.querySelector("h3")?.firstChild?.textContent ?? "";
    $("alerts-all").hidden = count <= MOST || !$("alerts").classList.contains("short");
    $("alerts-all").textContent = t("alerts.all", { count });
    $("strip").classList.toggle("open", count > 0);
    $("strip-count").textContent = count ? `(${count})` : "";
    $("strip-name").textContent = count ? name : `${t("alerts")}: ${t("no_alerts")}`;
    const inside = focused() === act;
    const before = act.textContent;
    act.replaceChildren(...[...(first()?.childNodes ?? [])].map((one) => one.cloneNode(true)));
    if (!first()) act.remove();
    else if (!act.isConnected) $("strip").append(act); // one that is moved loses the focus
    if (inside && act.textContent !== before) $("strip-to").focus(); // the next Enter does nothing else
    const short = `alert_short.${/** @type {HTMLElement | null} */ (card())?.dataset.kind}`;
    titled(count ? `(${count}) ${has(short) ? t(short) : name}` : "");
  };
  $("alerts-all").addEventListener("click", () => {
    $("alerts").classList.remove("short");
    $("alerts-all").hidden = true;
    /** @type {HTMLElement | null} */ ($("alerts").querySelectorAll("[role=group]")[MOST])?.focus();
  });
  new MutationObserver(show).observe($("alerts"), { childList: true, subtree: true, characterData: true });
  document.addEventListener("language", show);
  show();
}

// How high the bar is: what is led to stands below it.
new ResizeObserver(() => document.documentElement.style.setProperty("--bar", `${$("top").offsetHeight}px`)).observe($("top"));
