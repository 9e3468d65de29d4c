// What a reload in the middle of a move would lose: words that stand in the field, and commands whose answer has not come.
// Kept for this tab alone, and commands for a minute: what is older, nobody means any more. Of a move that is to be sealed
// nothing is kept: the browser writes it to the disk (I.1.1).
const MINUTE = 60000;
let sealing = false;
document.addEventListener("told", ({ detail: { message } }) => {
  if (message.type !== "adjournment_shown") return;
  sealing = message.stage === "ordered" && message.own;
  if (sealing) forget();
});

function forget() {
  try {
    for (const name of Object.keys(sessionStorage)) if (/^(words|unanswered):/.test(name)) write(name, null);
  } catch { /* storage may be switched off */ }
}

/** @param {string} name */
function read(name) {
  try { return JSON.parse(sessionStorage.getItem(name) ?? "null"); } catch { return null; }
}

/** @param {string} name @param {unknown} value */
function write(name, value) {
  try {
    if (value === null || sealing) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(value));
  } catch { /* storage may be switched off */ }
}

/** @param {string} place */
export const unanswered = (place) => (read(`unanswered:${place}`) ?? []).filter((/** @type {Pending} */ { at }) => Date.now() - at < MINUTE);

/** @param {string} place @param {Map<string, Pending>} pending */
export function keepUnanswered(place, pending) {
  const all = [...pending].map(([id, { payload, at }]) => ({ id, payload, at }));
  write(`unanswered:${place}`, all.length ? all : null);
}

/** @param {string} place */
export function keepWords(place) {
  const field = document.getElementById("field");
  if (!field) return;
  const name = `words:${place}`;
  const keep = () => write(name, field.value || null);
  field.value ||= read(name) ?? "";
  field.addEventListener("input", keep);
  addEventListener("pagehide", keep);
  // Words that a former life of this page sent, and that were taken only now.
  document.addEventListener("answered", ({ detail: { said: sent, ok } }) => {
    if (ok && sent.kind === "typed" && field.value.trim() === sent.text) field.value = "";
    keep();
  });
}
