// The arbiter's keys, from anywhere on the page: F2 the most urgent alert, then the next (in a question it is told there); F4 both clocks; F8 what was said
// last, once more; F9 what waits in the arbiter's ear. What they tell is read into that ear too, where it was asked for.
import { $, focused } from "/static/core/element.js";
import { language, t } from "/static/core/language.js";
import { say } from "/static/core/live.js";
import { kept } from "/static/core/keys.js";
import { SEATS, inWords } from "/static/core/times.js";
import { again, key } from "/static/audio/ear.js";

const inEar = () => kept("alerts-ear") === "yes";

/** @param {string} text */
function read(text) {
  if (!inEar()) return;
  key("next");
  document.dispatchEvent(new CustomEvent("to-server", { detail: { kind: "read_out", text: text.slice(0, 2000), language } }));
}

// The card after the one with the focus, round to the first: they stand in the order of urgency.
function next() {
  const cards = [...$("alerts").querySelectorAll("[role=group]")];
  const at = cards.findIndex((one) => one.contains(document.activeElement));
  const asked = document.querySelector("dialog:modal") !== null; // the question keeps the focus: the most urgent is told
  const card = cards[asked ? 0 : (at + 1) % cards.length];
  if (!card) {
    const none = `${t("alerts")}: ${t("no_alerts")}`;
    say(none);
    read(none);
    return;
  }
  const acts = [...card.querySelectorAll("button:not(.quiet)")].map((one) => one.firstChild?.textContent);
  const all = [card.ariaLabel, ...acts].join(". ");
  if (asked) {
    say(all);
    read(all);
    return;
  }
  if (card instanceof HTMLElement && !card.offsetParent) $("alerts-all").click(); // it stood below those that are shown
  if (card === focused()) $("alerts-title").focus(); // the only one: it is read once more
  card.focus();
  card.scrollIntoView({ block: "nearest" });
  read(all);
}

/** @param {import("/static/core/times.js").Clocks} clocks */
const bothClocks = (clocks) => {
  const age = clocks.age(); // of another clock that was read; it is said once
  const both = SEATS.map((seat) => {
    const left = clocks.left(seat);
    const how = age === null ? clocks.runs(seat) : "";
    return `${t(seat)}: ${[left === Infinity ? "" : inWords(left), how].filter(Boolean).join(", ")}`;
  });
  return [...both, ...(age === null ? [] : [t("read_ago", { time: inWords(age) })])].join(". ");
};

/** @param {string} which @param {import("/static/core/times.js").Clocks} clocks @param {import("/static/arbiter/alerts.js").Alerts} alerts */
export function pressed(which, clocks, alerts) {
  if (which === "F2") next();
  else if (which === "F4") {
    say(bothClocks(clocks));
    read(bothClocks(clocks));
  } else if (which === "F8") {
    if (inEar()) again();
    else say(alerts.last || `${t("alerts")}: ${t("no_alerts")}`);
  } else key("next");
}
