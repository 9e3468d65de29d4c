// What this page says is said into the player's ear too, in the server's voice, where they chose it (choose_ear): for who
// has no screen reader. Their own keys come first: what sounds gives way to what they say, announcements apart.
import { language } from "/static/core/language.js";
import { key } from "/static/audio/ear.js";

const LONGEST = 2000;
let on = false;

/** @param {boolean} yes */
export const readKeys = (yes) => { on = yes; };
export const readsKeys = () => on;

document.addEventListener("page-says", ({ detail }) => {
  const text = detail.text.trim().slice(0, LONGEST);
  if (!on || !text) return;
  if (detail.key) key("page");
  document.dispatchEvent(new CustomEvent("to-server", { detail: { kind: "read_out", text, language } }));
});
