// The words of the pages: one file a language, all pages in all six, chosen by the person, else by the browser.
export const LANGUAGES = { en: "English", de: "Deutsch", hu: "magyar", hy: "հայերեն", ar: "العربية", he: "עברית" };
const FROM_THE_RIGHT = ["ar", "he"];
/** @type {{ [key: string]: string }} */
let words = {};
/** @type {{ [tag: string]: { [key: string]: string } }} */
const fetched = {}; // a language that was there once needs no server any more
let plural = new Intl.PluralRules("en");
export let language = "en";

export function chosen() {
  try {
    const kept = localStorage.getItem("language");
    if (kept && kept in LANGUAGES) return kept;
  } catch { /* storage may be switched off: the browser's language then */ }
  const found = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in LANGUAGES);
  return found ?? "en";
}

/** @param {string} tag */
export async function speak(tag) {
  words = fetched[tag] ??= await wordsIn(tag);
  language = tag;
  plural = new Intl.PluralRules(tag);
  document.documentElement.lang = tag;
  document.cookie = `language=${tag}; Path=/; SameSite=Strict; Max-Age=31536000`; // what the server answers is in it too
  document.documentElement.dir = FROM_THE_RIGHT.includes(tag) ? "rtl" : "ltr";
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(/** @type {string} */ (element.dataset.t));
  for (const element of document.querySelectorAll("[data-t-label]")) element.setAttribute("aria-label", t(/** @type {string} */ (element.dataset.tLabel)));
  document.title = `${t(`title.${document.body.dataset.page}`)} – Anna Eins`;
}

/** @param {string} tag @returns {Promise<{ [key: string]: string }>} */
async function wordsIn(tag) {
  const answer = await fetch(`/static/words/${tag}.json`);
  if (!answer.ok) throw new Error(`no words in ${tag}`);
  return answer.json();
}

/** @param {string} key @param {{ [name: string]: unknown }} [values] */
export function t(key, values = {}) {
  const text = words[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => placed(values[name] ?? ""));
}

// A number with what it counts, in the plural form of the language: "hour" -> "1 hour", "2 hours".
/** @param {string} key @param {number} count */
export const counted = (key, count) => t(`${key}.${plural.select(count)}`, { count });

// What is put into a text from the right, and what runs from the right itself, keeps its own direction (U+2068, U+2069):
// after Arabic letters a bare 1-0 would be shown as 0-1.
/** @param {unknown} value */
export function placed(value) {
  const text = String(value);
  const turned = document.documentElement.dir === "rtl" || /[\u0590-\u08ff\ufb1d-\ufefc]/.test(text);
  return text && typeof value !== "number" && turned && !text.startsWith("\u2068") ? `\u2068${text}\u2069` : text;
}

/** @param {string} key */
export const has = (key) => key in words;

/** @param {HTMLElement} place */
export function chooser(place) {
  const label = document.createElement("label");
  label.className = "unseen";
  label.htmlFor = "language";
  label.dataset.t = "language";
  label.textContent = t("language");
  const select = document.createElement("select");
  select.id = "language";
  for (const [tag, name] of Object.entries(LANGUAGES)) {
    const option = new Option(name, tag, false, tag === language);
    option.lang = tag;
    select.append(option);
  }
  select.addEventListener("change", async () => {
    try { localStorage.setItem("language", select.value); } catch { /* not kept */ }
    await speak(select.value);
    document.dispatchEvent(new Event("language"));
  });
  place.append(label, select);
}
