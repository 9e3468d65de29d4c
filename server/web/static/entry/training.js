// Exercises for a player alone: a task in words and in lines of forty cells, answered by typing or by voice, with the echo
// of what was understood. Which task comes is a matter of this page: a seed and a number.
import { $, make } from "/static/core/element.js";
import { also, language, start, t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { write } from "/static/core/spoken.js";
import { Explored } from "/static/hall/explored.js";
import { hush, speak } from "/static/hall/said.js";
import { Saying } from "/static/audio/saying.js";

also("hall");
also("training");
await start();

const seed = [...crypto.getRandomValues(new Uint8Array(8))].map((one) => one.toString(16).padStart(2, "0")).join("");
const board = new Explored($("board"));
/** @type {[string, string][]} */
let kinds = [];
let number = 0;
let done = false; // the task was answered; what is sent then leads to the next one
let wanted = false; // whether the task was to be heard before it was put
let unsure = ""; // what was heard and waits for a yes
const count = { right: 0, asked: 0 };
/** @type {Http | null} */
let task = null;
let putting = 0; // how often a task was asked for: the last one counts, whichever comes first
/** @type {Http | null} */
let asking = null; // the task whose answer is on its way

const kind = () => $("kind").value || kinds[number % kinds.length][0];
/** @param {string} path @param {{ [name: string]: string }} [more] */
const address = (path, more = {}) => `/api/training${path}?${new URLSearchParams({ kind: kind(), seed, number: String(number), language, ...more })}`;

/** @param {{ [name: string]: string }} what @param {string} text */
function tell(what, text) {
  if ($("aloud").getAttribute("aria-pressed") === "true") speak(address("/sound", what), text, language);
  else say(text);
}

// What the server answers; null where it refuses or is gone, which stands on the page then.
/** @param {string} where @param {RequestInit} [how] @returns {Promise<Http | null>} */
async function ask(where, how) {
  const answer = await fetch(where, how).catch(() => null);
  const said = answer ? await answer.json() : { text: t("no_answer") };
  const shut = answer?.status === 403;
  if (answer?.ok || shut) $("training").hidden = shut;
  $("notice").hidden = Boolean(answer?.ok);
  if (answer?.ok) return said;
  write($("notice"), said.text);
  warn(said.text);
  return null;
}

/** @param {Http} said */
function results(said) {
  $("scores").replaceChildren(...said.scores.map((/** @type {string} */ text) => make("li", { textContent: text })));
  $("here").textContent = t("training.here", count);
}

async function begin() {
  const said = await ask(`/api/training?language=${language}`);
  if (!said) return;
  ({ kinds } = said);
  const before = $("kind").value;
  $("kind").replaceChildren(new Option(t("training.all"), ""), ...kinds.map(([name, text]) => new Option(text, name)));
  $("kind").value = before;
  $("kept").textContent = said.name ? t("training.kept", { name: said.name }) : t("training.not_kept");
  results(said);
  if ((await put()) && wanted) again();
}

// The task is put, and whether it was is told; where the page was just opened, nothing sounds before its person asks for it.
async function put() {
  const mine = putting += 1;
  hush();
  task = null; // nothing that is sent meanwhile answers the next one
  const found = await ask(address("/task"));
  if (!found || mine !== putting) return false;
  [task, done, unsure] = [found, false, ""];
  write($("task"), found.text);
  $("cells").replaceChildren(...found.lines.map((/** @type {string} */ line) => {
    const item = make("li");
    write(item, line);
    return item;
  }));
  write($("by-voice"), found.hint);
  $("told").textContent = "";
  $("field").value = "";
  $("position").hidden = true;
  return true;
}

async function next() {
  number += 1;
  if (!(await put())) return;
  $("field").focus();
  again();
}

function again() {
  wanted = !task; // it is said once it is put
  if (task) tell({ what: "task" }, task.text);
}

/** @param {string} text @param {string} [echo] */
async function answer(text, echo = "") {
  if (!text || done || !task || asking === task) return;
  const mine = asking = task;
  const said = await ask(address("/answer"), {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text: text.slice(0, 60) }),
  });
  if (asking === mine) asking = null;
  if (!said) return;
  count.asked += 1;
  count.right += said.right ? 1 : 0;
  results(said);
  if (task !== mine) return; // the next one was asked for meanwhile
  [done, unsure] = [true, ""];
  const told = [echo, said.text].filter(Boolean).join(" ");
  write($("told"), told);
  $("position").hidden = !said.placement;
  if (said.placement) board.position(said.placement, said.squares);
  tell({ what: "answer", text, echo: echo ? "yes" : "" }, told);
}

// What was understood of what was said: an answer, which counts at once or is read back first, or another wish.
/** @param {Http} said */
function heard(said) {
  if (said.aside === "repeat" || said.aside === "help") { write($("told"), $("by-voice").textContent ?? ""); again(); return; }
  if (said.aside === "stop") { hush(); return; }
  if (said.aside === "next" || (said.aside === "yes" && done)) { next(); return; }
  if (said.aside === "yes" && unsure) { answer(unsure); return; }
  unsure = "";
  if (said.text && said.sure) { $("field").value = said.text; answer(said.text, said.told); return; }
  if (said.text) { unsure = said.text; $("field").value = said.text; }
  write($("told"), said.told);
  tell({ what: "unsure", text: said.text }, said.told);
}

$("say").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!task && !$("notice").hidden) put().then((there) => { if (there && wanted) again(); }); // the server was gone
  else if (task && done) next();
  else answer($("field").value.trim());
});
$("kind").addEventListener("change", () => { number += 1; put().then((there) => { if (there) again(); }); });
$("again").addEventListener("click", again);
$("next").addEventListener("click", next);
$("aloud").addEventListener("click", () => {
  const on = $("aloud").getAttribute("aria-pressed") !== "true";
  $("aloud").setAttribute("aria-pressed", String(on));
  if (on) again(); else hush();
});
// What was said to a task that does not stand here any more answers nothing.
new Saying($("talk"), () => address("/heard"), hush, (said, asked) => { if (task && asked === address("/heard")) heard(said); });
document.addEventListener("language", begin);
begin();
