// The words of the pages: one small module a language, chosen by the person, else by the browser.
export const LANGUAGES = { en: "English", de: "Deutsch" };
let words = {};
export let language = "en";

export function chosen() {
  try {
    const kept = localStorage.getItem("language");
    if (kept in LANGUAGES) return kept;
  } catch { /* storage may be switched off: the browser's language then */ }
  const found = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in LANGUAGES);
  return found ?? "en";
}

export async function speak(tag) {
  words = (await import(`/static/words/${tag}.js`)).default;
  language = tag;
  document.documentElement.lang = tag;
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll("[data-t-label]")) element.setAttribute("aria-label", t(element.dataset.tLabel));
  document.title = `${t(`title.${document.body.dataset.page}`)} – Anna Eins`;
}

export function t(key, values = {}) {
  const text = words[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

export const has = (key) => key in words;

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
