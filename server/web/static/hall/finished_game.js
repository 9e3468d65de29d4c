// A player's own page after the game: once they have approved the result, the game on a board to step through, as displays
// have shown it, in place of the board that was played on. It goes again where the result is another one.
import { $, make } from "/static/core/element.js";
import { language, more, t } from "/static/core/language.js";
import { warn } from "/static/core/live.js";
import { place } from "/static/core/station.js";
import { Stepping, build } from "/static/hall/stepping.js";

/** @type {HTMLElement | null} */
let section = null;
/** @type {Stepping | null} */
let stepping = null;
let loading = 0;
let told = 0; // how often the page has been told whether it is there

/** @param {string} path @param {{ [name: string]: string }} [values] */
const address = (path, values = {}) => `/api/review${path}?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(place)), ...values, shown: "1", language })}`;

function made() {
  document.head.append(make("link", { rel: "stylesheet", href: "/static/hall/looks.css" }));
  const found = make("section", { id: "after", hidden: true });
  const title = make("h2", { id: "after-title", tabIndex: -1 });
  title.dataset.t = "after.title";
  found.setAttribute("aria-labelledby", title.id);
  found.append(title);
  build(found, "after");
  const own = document.getElementById("board")?.closest("section");
  if (own) own.before(found); else $("last").closest("section")?.after(found);
  stepping = new Stepping(found, address);
  document.addEventListener("language", () => { if (!found.hidden) load(); });
  return found;
}

async function load(asked = false) {
  const mine = ++loading;
  const answer = await fetch(address("")).catch(() => null);
  if (mine !== loading) return Boolean(answer?.ok); // a newer answer is, or comes, in its place
  if (!answer?.ok) { if (asked) warn(answer ? (await answer.json()).text : t("no_answer")); return false; }
  const said = await answer.json();
  if (mine === loading) stepping?.show(said);
  return true;
}

// `asked`: the player wants to see it, and is told why it is not there.
/** @param {boolean} yes @param {boolean} asked */
export async function after(yes, asked) {
  if (!yes && !section) return;
  section ??= made();
  const mine = ++told;
  if (yes) for (const part of ["hall", "review"]) await more(part, section);
  const there = yes && await load(asked);
  if (mine !== told) return; // meanwhile it was another result
  section.hidden = !there;
  document.body.classList.toggle("looking", !section.hidden);
}
