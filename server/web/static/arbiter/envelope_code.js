// The code of an envelope (I.3): the server keeps it nowhere, so it stays in view, through a reload too, until the arbiter
// says that it is written down. The page can be used meanwhile.
import { $, focusOn, focused, make } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { warn } from "/static/core/live.js";
import { write } from "/static/core/spoken.js";

const KEPT = `seal-code:${new URLSearchParams(location.search).get("table") ?? ""}`;
/** @type {HTMLDialogElement | null} */
let box = null;

/** @param {Wire.SealCode} said */
export function envelopeCode(said) {
  try { localStorage.setItem(KEPT, JSON.stringify(said)); } catch { /* in this page alone */ }
  show(said, true);
}

export function keptCode() {
  try {
    const said = JSON.parse(localStorage.getItem(KEPT) ?? "null");
    if (said) show(said, false);
  } catch { /* nothing is kept there */ }
}

/** @param {Wire.SealCode} said @param {boolean} news */
function show(said, news) {
  const before = box?.contains(focused()) ? null : focused(); // who has written it down goes on there
  box?.remove();
  const text = make("h2", { id: "envelope-code", tabIndex: -1 });
  const words = () => write(text, t("seal_code", { words: said.words, squares: said.squares.join(" ") }));
  const [print, written] = ["print", "seal_code.written"].map((key) => {
    const button = make("button", { type: "button" });
    button.dataset.t = key;
    button.textContent = t(key);
    return button;
  });
  print?.addEventListener("click", () => window.print());
  written?.addEventListener("click", () => {
    try { localStorage.removeItem(KEPT); } catch { /* it was not kept */ }
    shown.remove();
    box = null;
    before?.focus();
    if (focused() !== before || before === document.body) focusOn($("acts-title")); // it went, or is hidden by now
  });
  const row = make("div", { className: "row" });
  row.append(...[print, written].filter((one) => one !== undefined));
  const shown = make("dialog", { className: "to-print" });
  shown.setAttribute("aria-labelledby", text.id);
  shown.append(text, row);
  document.body.append(shown);
  box = shown;
  words();
  document.addEventListener("language", words);
  shown.show();
  text.focus();
  if (news) warn(text.textContent ?? "");
}
