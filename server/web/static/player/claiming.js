// A claim of a draw as the player makes it (9.2, 9.3): what is claimed, and the intended move, for the arbiter alone. The
// dialog in which that is chosen is the question: a claim cannot be withdrawn, and nothing more is asked.
import { $ } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { readOut, say } from "/static/core/live.js";

/** @param {Station} station */
export function claiming(station) {
  const form = $("claim");
  const box = $("claim-box");
  const move = $("claim-move");
  const text = $("claim-written");
  let claimed = false; // the move that was written could not be read: it alone is sent again
  let waits = false; // for an answer: a key that is pressed twice claims once, and sends the move once

  const shown = () => {
    /** @type {HTMLElement} */ (text.closest("div")).hidden = move.value !== "written";
    text.required = move.value === "written";
  };
  move.addEventListener("change", shown);
  shown();

  $("claim-open").addEventListener("click", () => {
    box.showModal();
    $("claim-title").focus();
    readOut(`${$("claim-title").textContent} ${$("claim-hint").textContent}`);
  });
  $("claim-leave").addEventListener("click", () => box.close());
  // What was claimed has been ruled on, or the game goes on or is over: what is submitted next is another claim.
  document.addEventListener("told", ({ detail: { message } }) => {
    const told = message.type === "clock_shown" ? message.told : message;
    const ruled = told?.type === "ruling_shown" && told.what.startsWith("claim_");
    if (!claimed || !(ruled || told?.type === "resumed" || told?.type === "ended")) return;
    claimed = false;
    box.close();
  });

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (waits) return;
    waits = true;
    await claim().finally(() => { waits = false; });
  });

  async function claim() {
    const written = move.value === "written" ? text.value.trim() : "";
    if (!claimed) {
      const outcome = await station.do({ do: "claim_draw", kind: $("claim-kind").value, awaits: move.value !== "none" });
      if (!outcome.ok) return box.close();
    }
    else if (move.value === "none" && !(await station.do({ do: "confirm", yes: false })).ok) return box.close();
    claimed = Boolean(written) && !(await station.type(written)).ok;
    $("claim-wrong").textContent = claimed ? $("last").textContent : "";
    if (claimed) {
      text.focus();
      text.select();
      return;
    }
    text.value = "";
    box.close();
    say(t("done"));
  }
}
