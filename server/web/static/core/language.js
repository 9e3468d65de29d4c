// The words of the pages: one file a language, all pages in all of them, chosen by the person, else by the browser.
import { say, warn } from "/static/core/live.js";
import { write } from "/static/core/spoken.js";

// What a page needs of each language: the server puts it in (server/web/pages.py) as `language.toml` of each has it.
/** @type {{ [tag: string]: { name: string, direction: "ltr" | "rtl", script: string, comma: string, awaited: boolean } }} */
export const LANGUAGES = {};
/** @type {{ [key: string]: string }} */
let words = { server_gone: "The server is not responding; trying again." }; // the only ones that are needed before they are there
/** @type {{ [tag: string]: { [key: string]: string } }} */
const fetched = {}; // by file: a language that was there once needs no server any more
/** @type {string[]} */
const parts = []; // of the words that only some pages need
/** @param {string} part */
export const also = (part) => parts.push(part);
/** @param {string} tag */
const files = (tag) => [tag, ...parts.map((part) => `${part}-${tag}`)];
/** @param {string} tag */
const wordsOf = (tag) => Object.assign({}, ...files(tag).map((name) => fetched[name]));
let plural = new Intl.PluralRules("en");
export let language = "en";
let choices = 0;

// A seat's page opens in the language that it had last, before a server can tell it, and where none is there to tell.
const HERE = `language:${location.pathname}${location.search}`;
/** @param {string} tag */
export function lastHere(tag) {
  try { localStorage.setItem(HERE, tag); } catch { /* not kept */ }
}

function chosen() {
  try {
    const kept = localStorage.getItem(HERE) ?? localStorage.getItem("language");
    if (kept && kept in LANGUAGES) return kept;
  } catch { /* storage may be switched off: the browser's language then */ }
  const found = navigator.languages.flatMap((tag) => [tag, tag.split("-")[0] ?? tag]).find((tag) => tag in LANGUAGES);
  return found ?? "en";
}

// A page begins: its words are asked for until they are there.
export async function start() {
  const tag = chosen();
  const state = document.querySelector("header .state");
  let gone = false;
  while (!(await fetchWords(tag))) {
    if (!gone) warn(t("server_gone"));
    gone = true;
    state?.classList.add("lost");
    if (state) state.textContent = t("server_gone");
    await new Promise((done) => setTimeout(done, 1000));
  }
  state?.classList.remove("lost");
  speak(tag);
  if (gone) say(t("connected"));
  chooser(/** @type {HTMLElement} */ (document.getElementById("languages")));
}

/** @param {string} tag */
function speak(tag) {
  words = wordsOf(tag);
  language = tag;
  plural = new Intl.PluralRules(tag);
  document.documentElement.lang = tag;
  document.cookie = `language=${tag}; Path=/; SameSite=Strict; Max-Age=31536000`; // what the server answers is in it too
  document.documentElement.dir = LANGUAGES[tag]?.direction ?? "ltr";
  fill(document);
  document.getElementById("not-reviewed")?.toggleAttribute("hidden", !LANGUAGES[tag]?.awaited);
  for (const element of document.querySelectorAll("[data-t-label]")) element.setAttribute("aria-label", t(/** @type {string} */ (element.dataset.tLabel)));
  for (const element of document.querySelectorAll("[data-t-placeholder]")) element.setAttribute("placeholder", t(/** @type {string} */ (element.dataset.tPlaceholder)));
  document.title = `${t(`title.${document.body.dataset.page}`)} – Anna Eins`;
}

// What is hidden until its part of the words comes is empty until then.
/** @param {Document | HTMLElement} place */
function fill(place) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-t]"))) write(element, words[/** @type {string} */ (element.dataset.t)] ?? "");
}

// A part that is needed from now on, in what is there already: `place`. Fails where there is no server.
/** @param {string} part @param {HTMLElement} place */
export async function more(part, place) {
  if (!parts.includes(part)) parts.push(part);
  if (!(await fetchWords(language))) throw new Error(t("no_answer"));
  words = wordsOf(language);
  fill(place);
}

// Whether the words of a language are there now, with each part that was asked for meanwhile.
/** @param {string} tag */
async function fetchWords(tag) {
  const missing = () => files(tag).filter((name) => !fetched[name]);
  try {
    for (let names = missing(); names.length; names = missing()) {
      const answers = await Promise.all(names.map((name) => fetch(`/static/words/${name}.json`)));
      if (!answers.every(({ ok }) => ok)) return false;
      const said = await Promise.all(answers.map((answer) => answer.json()));
      names.forEach((name, at) => { fetched[name] = said[at]; });
    }
  } catch { /* no server */ }
  return !missing().length;
}

// Parts of a list, with the comma of the language between them.
/** @param {string[]} list */
export const listed = (list) => list.join(LANGUAGES[language]?.comma ?? ", ");

/** @param {string} key @param {{ [name: string]: unknown }} [values] */
export function t(key, values = {}) {
  const text = words[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => placed(values[name] ?? ""));
}

// A number with what it counts, in the plural form of the language: "hour" -> "1 hour", "2 hours".
/** @param {string} key @param {number} count */
export function counted(key, count) {
  const form = `${key}.${plural.select(count)}`; // an older browser knows forms that CLDR gave up
  return t(has(form) ? form : `${key}.other`, { count });
}

// What is put into a text from the right, and what runs from the right itself, keeps its own direction (U+2068, U+2069):
// after Arabic letters a bare 1-0 would be shown as 0-1.
/** @param {unknown} value */
export function placed(value) {
  const text = String(value);
  const turned = document.documentElement.dir === "rtl" || /[\u0590-\u08ff\ufb1d-\ufefc]/.test(text);
  return text && typeof value !== "number" && turned && !text.startsWith("\u2068") ? `\u2068${text}\u2069` : text;
}

// A line of the record ("Koenig Eva fuenf") as readers of the page's language are shown its words: with umlauts, and in
// another script as it writes them, whatever language the seat is in that the line comes from.
/** @type {{ [word: string]: string }} */
const RECORDED = { "König": "Koenig", "Läufer": "Laeufer", "fünf": "fuenf" };
/** @param {string} text */
export const spelt = (text) => text.replace(/\p{Script=Latn}+|[^\P{L}\p{Script=Latn}]+/gu, (word) => words[`spelt.${RECORDED[word] ?? word}`] ?? word);

/** @param {string} key */
export const has = (key) => key in words;

// The languages to choose from, each by its own name.
/** @param {string} [now] */
export const offered = (now) => Object.entries(LANGUAGES).map(([tag, { name }]) => {
  const option = new Option(name, tag, false, tag === now);
  option.lang = tag;
  return option;
});

/** @param {HTMLElement} place */
function chooser(place) {
  const label = document.createElement("label");
  label.className = "unseen";
  label.htmlFor = "language";
  label.dataset.t = "language";
  label.textContent = t("language");
  const select = document.createElement("select");
  select.id = "language";
  select.append(...offered(language));
  select.addEventListener("change", () => change(select.value, true));
  place.append(label, select);
}

// From now on the page is in this language: `chosen` by its person, or that of the seat, which the seat itself keeps.
/** @param {string} tag */
export async function change(tag, chosen = false) {
  const choice = ++choices;
  const there = await fetchWords(tag);
  if (choice !== choices) return; // the last choice counts, whichever words come first
  const select = /** @type {HTMLSelectElement} */ (document.getElementById("language"));
  select.value = there ? tag : language;
  if (!there) {
    warn(t("no_answer"));
    return;
  }
  if (chosen) try { localStorage.setItem("language", tag); } catch { /* not kept */ }
  speak(tag);
  document.dispatchEvent(new CustomEvent("language", { detail: { chosen } }));
}
