// A claim of a draw as the player makes it (9.2, 9.3): what is claimed, and the intended move, for the arbiter alone.
import { $ } from "/static/core/element.js";
import { confirmed } from "/static/core/asking.js";
import { t } from "/static/core/language.js";
import { say } from "/static/core/live.js";

/** @param {Station} station */
export function claiming(station) {
  const form = $("claim");
  const move = $("claim-move");
  const text = $("claim-written");
  let claimed = false; // the move that was written could not be read: it alone is sent again

  const shown = () => {
    /** @type {HTMLElement} */ (text.closest("div")).hidden = move.value !== "written";
    text.required = move.value === "written";
  };
  move.addEventListener("change", shown);
  shown();

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const written = move.value === "written" ? text.value.trim() : "";
    if (!claimed) {
      if (!(await confirmed(t("ask.claim_draw")))) return;
      const outcome = await station.do({ do: "claim_draw", kind: $("claim-kind").value, awaits: move.value !== "none" });
      if (!outcome.ok) return;
    }
    claimed = Boolean(written) && !(await station.type(written)).ok;
    if (claimed) {
      text.focus();
      text.select();
      return;
    }
    text.value = "";
    say(t("done"));
  });
}
