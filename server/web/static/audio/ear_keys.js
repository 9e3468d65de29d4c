// The listener's own keys: the last phrase again, and silence; Escape is silence on every page.
import { again, key } from "/static/audio/ear.js";
import { kept, keyOf, keySelect } from "/static/core/keys.js";

/** @param {() => boolean | undefined} talking */
export function earKeys(talking) {
  document.getElementById("again")?.addEventListener("click", again);
  document.getElementById("silence")?.addEventListener("click", () => key("stop"));
  const select = document.getElementById("again-key");
  if (select) keySelect(select, "again-key");
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !talking()) key("stop");
    if (!select || keyOf(event) !== kept("again-key")) return;
    event.preventDefault();
    if (!event.repeat) again();
  });
}
