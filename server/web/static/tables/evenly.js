// Where several servers lead the hall: a server that came back is offered its share of the tables, in one line with one button.
import { $ } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";

let count = 0; // so many tables would move
let offered = false; // it is told once, and not with each table that moves

function draw() {
  const line = /** @type {HTMLElement} */ ($("uneven").firstElementChild);
  const text = count ? t("tables.uneven", { count }) : "";
  if (line.textContent !== text) line.textContent = text;
  return text;
}

async function share() {
  const answer = await fetch("/api/tables/evenly", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" }).catch(() => null);
  const told = answer ? await answer.json() : { text: t("no_answer") };
  if (!answer?.ok) { warn(told.text); return; }
  say(t("tables.evened", { count: told.moving }));
}

// It returns what the page calls with each answer about the tables.
export function evenly() {
  $("evenly").addEventListener("click", share);
  document.addEventListener("language", draw);
  return (/** @type {number} */ now) => {
    count = now;
    // A button that has the focus is not taken away from under it: it goes when the focus has gone on.
    $("uneven").hidden = !count && document.activeElement !== $("evenly");
    const text = draw();
    if (text && !offered) say(text);
    offered = count > 0;
  };
}
