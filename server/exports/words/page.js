// The page on which a native reads the words of a language: one text at a time, by keyboard alone, without the network.
// What is chosen is kept in this browser, and saved as a file that `anna-eins words check` takes back.
(() => {
  /** @typedef {{ key: string, english: Record<string, string>, own: Record<string, string>,
   *   examples: [string, string][], heard: string[], scene: string, reviewed: boolean, terms: number[] }} Entry */
  /** @typedef {{ name: string, title: string, minutes: number, entries: Entry[] }} Chapter */
  /** @typedef {{ verdict: string, on: string, english: Record<string, string>, was: Record<string, string>,
   *   text: Record<string, string>, comment: string }} Done */
  /** @typedef {{ tag: string, direction: string, words: Record<string, string>, scenes: Record<string, string>,
   *   numbers: Record<string, string>, english_numbers: Record<string, string>, glossary: [string, string, string][],
   *   chapters: Chapter[], sound: string }} Data */

  const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const field = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ ($(id));
  /** @type {Data} */
  const data = JSON.parse($("data").textContent ?? "");
  const MARK = "anna-eins words";
  const KEPT = `${MARK} ${data.tag}`;
  const FIRST = 0;
  /** @type {Map<string, Done>} */
  let done = new Map();
  let chapter = FIRST;
  let at = FIRST;

  const told = (/** @type {string} */ key, /** @type {Record<string, string | number>} */ values = {}) =>
    Object.entries(values).reduce((text, [name, value]) => text.replace(`{${name}}`, String(value)), data.words[key]);
  const make = (/** @type {string} */ tag, /** @type {Record<string, unknown>} */ values = {}) =>
    Object.assign(document.createElement(tag), values);
  const say = (/** @type {string} */ text) => { $("status").textContent = text; };
  const same = (/** @type {Record<string, string>} */ one, /** @type {Record<string, string>} */ other) =>
    Object.keys({ ...one, ...other }).every((form) => one[form] === other[form]);
  const entry = () => data.chapters[chapter].entries[at];
  /** What was done with a text; nothing where the text has changed since.
   * @param {Entry} one */
  const doneWith = (one) => {
    const found = done.get(one.key);
    return found && same(found.was, one.own) && same(found.english, one.english) ? found : undefined;
  };
  const isRead = (/** @type {Entry} */ one) => Boolean(doneWith(one)?.verdict);
  const read = () => data.chapters.flatMap((one) => one.entries).filter(isRead).length;

  /** Keep all in this browser. Some keep nothing for a file that was mailed. */
  const keep = () => {
    try {
      localStorage.setItem(KEPT, JSON.stringify({
        by: field("by").value, done: [...done], at: { chapter: data.chapters[chapter].name, key: entry().key },
      }));
    } catch {
      say(told("page.not_kept"));
    }
  };

  /** Names in braces.
   * @param {string} text */
  const placesOf = (text) => new Set(text.match(/\{\w+\}/g) ?? []);

  /** What a better text has lost or has too many of, and which is empty.
   * @param {Record<string, string>} text */
  const lostIn = (text) => {
    const one = entry();
    /** @type {string[]} */
    const found = [];
    for (const [form, own] of Object.entries(text)) {
      if (!own.trim() && one.own[form]) found.push(told("page.empty"));
      const wanted = placesOf(one.own[form] ?? "");
      const there = placesOf(own);
      const lost = [...wanted].filter((place) => !there.has(place));
      const strange = [...there].filter((place) => !wanted.has(place));
      if (own.trim() && lost.length) found.push(told("page.lost", { places: lost.join(" ") }));
      if (strange.length) found.push(told("page.strange", { places: strange.join(" ") }));
    }
    return found.join(" ");
  };

  /** The texts of the fields, each on one line. */
  const written = () => {
    /** @type {Record<string, string>} */
    const text = {};
    for (const one of /** @type {NodeListOf<HTMLTextAreaElement>} */ ($("texts").querySelectorAll("textarea"))) {
      const form = one.dataset.form ?? "";
      text[form] = one.value === entry().own[form] ? one.value : one.value.replace(/\s+/g, " ").trim();
    }
    return text;
  };
  const chosen = () => /** @type {HTMLInputElement | null} */ (document.querySelector("[name=verdict]:checked"));
  const choose = (/** @type {string} */ verdict) => {
    for (const one of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[name=verdict]"))) {
      one.checked = one.value === verdict;
    }
  };
  const today = () => {
    const now = new Date();
    const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
    return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  };

  /** Take what stands in the fields as what was done with this text. */
  const take = () => {
    const one = entry();
    const before = doneWith(one);
    const [verdict, text, comment] = [chosen()?.value ?? "", written(), field("comment").value.trim()];
    if (!verdict && !comment && same(text, one.own)) done.delete(one.key);
    else if (!before || before.verdict !== verdict || before.comment !== comment || !same(before.text, text)) {
      done.set(one.key, { verdict, on: today(), english: one.english, was: one.own, text, comment });
    }
    keep();
    showChapters();
  };

  const showChapters = () => {
    data.chapters.forEach((one, number) => {
      const button = /** @type {HTMLElement} */ ($("chapters").children[number].firstElementChild);
      button.textContent = told("page.chapter", {
        title: one.title, number: one.entries.length, minutes: one.minutes, read: one.entries.filter(isRead).length,
      });
      if (number === chapter) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  };

  /** Lines of a text with plural forms, each with its numbers.
   * @param {HTMLElement} place @param {Record<string, string>} forms @param {Record<string, string>} numbers
   * @param {string} language */
  const showForms = (place, forms, numbers, language) => {
    place.replaceChildren(...Object.entries(forms).map(([form, text]) => {
      const line = make("div");
      if (form) line.append(make("span", { className: "number", textContent: `[${numbers[form] ?? form}] ` }));
      line.append(make("span", { lang: language, dir: "auto", textContent: text }));
      return line;
    }));
  };

  const listen = (/** @type {string} */ key, /** @type {number} */ number) => {
    const sound = /** @type {HTMLAudioElement} */ ($("sound"));
    sound.src = `${data.sound}?key=${encodeURIComponent(key)}&at=${number}`;
    void sound.play();
  };

  const showExamples = (/** @type {Entry} */ one) => {
    /** @type {{ form: string, text: string, heard: number }[]} */
    const lines = one.examples.map(([form, text]) => ({ form, text, heard: one.heard.indexOf(text) }));
    const shown = new Set(lines.map((line) => line.text));
    // What has no example is heard as it stands.
    if (data.sound) one.heard.forEach((text, heard) => { if (!shown.has(text)) lines.push({ form: "", text, heard }); });
    $("examples").replaceChildren(...lines.map(({ form, text, heard }, number) => {
      const line = make("li");
      const inside = make("div", { className: "said" });
      if (form) inside.append(make("span", { className: "number", textContent: `[${data.numbers[form] ?? form}]` }));
      inside.append(make("span", { lang: data.tag, dir: "auto", id: `example-${number}`, textContent: text }));
      if (heard >= 0 && data.sound) {
        const button = make("button", { type: "button", id: `listen-${number}`, textContent: told("page.listen") });
        button.setAttribute("aria-labelledby", `listen-${number} example-${number}`);
        button.addEventListener("click", () => listen(one.key, heard));
        inside.append(button);
      }
      line.append(inside);
      return line;
    }));
    $("examples").hidden = !lines.length;
  };

  const showTexts = (/** @type {Entry} */ one, /** @type {Record<string, string>} */ text) => {
    $("texts").replaceChildren(...Object.keys(one.own).flatMap((form, number) => {
      const numbers = data.numbers[form];
      const name = form === "spoken" ? "page.better_spoken" : numbers ? "page.better_for" : "page.better";
      const label = make("label", { htmlFor: `text-${number}`, textContent: told(name, { numbers: numbers ?? form }) });
      const value = text[form] ?? one.own[form];
      const area = make("textarea", { id: `text-${number}`, rows: 2, lang: data.tag, dir: "auto", value });
      area.dataset.form = form;
      return [label, area];
    }));
  };

  /** Show a text; with `go`, the focus goes to its heading, so that a screen reader reads it. */
  const show = (/** @type {boolean} */ go) => {
    const one = entry();
    const found = doneWith(one);
    $("number").textContent = told("page.text", { number: at + 1, of: data.chapters[chapter].entries.length });
    $("first").textContent = Object.values(one.own)[0];
    $("first-english").textContent = Object.values(one.english)[0];
    // Both stand in the heading, which a screen reader reads; with plural forms there is more to show.
    for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".forms"))) {
      place.hidden = Object.keys({ ...one.own, ...one.english }).length < 2;
    }
    showForms($("english"), one.english, data.english_numbers, "en");
    showForms($("own"), one.own, data.numbers, data.tag);
    $("where").textContent = `${data.scenes[one.scene]} (${one.key})`;
    showExamples(one);
    $("before").hidden = !one.reviewed;
    choose(found?.verdict ?? "");
    showTexts(one, found?.text ?? one.own);
    field("comment").value = found?.comment ?? "";
    $("lost").textContent = lostIn(written());
    $("terms").hidden = !one.terms.length;
    $("terms-list").replaceChildren(...one.terms.map((number) => make("li", { textContent: term(number) })));
    showChapters();
    if (!go) return; // just opened: nothing was chosen, and what is kept must not give way to a page that found none of it
    keep();
    $("heading").focus();
  };
  const term = (/** @type {number} */ number) => {
    const [english, own, not] = data.glossary[number];
    return `${english}: ${own}${not ? ` – ${told("page.not_used")}: ${not}` : ""}`;
  };

  /** Open a chapter at the first text that is not read yet. */
  const open = (/** @type {number} */ number) => {
    chapter = number;
    at = Math.max(data.chapters[number].entries.findIndex((one) => !isRead(one)), FIRST);
    show(true);
  };
  const onward = () => {
    if (at + 1 < data.chapters[chapter].entries.length) {
      at += 1;
      say("");
      show(true);
      return;
    }
    const next = data.chapters.findIndex((one) => one.entries.some((text) => !isRead(text)));
    if (next < 0) {
      say(told("page.end"));
      return;
    }
    open(next);
    say(told("page.chapter_end", { title: data.chapters[next].title }));
  };

  const save = () => {
    const by = field("by").value.trim();
    if (!by) {
      say(told("page.no_name"));
      field("by").focus();
      return;
    }
    const lines = [...done].map(([key, one]) => JSON.stringify({ key, ...one }));
    const text = `{${JSON.stringify(MARK)}: ${JSON.stringify(data.tag)}, "by": ${JSON.stringify(by)}, "entries": [\n`
      + `${lines.join(",\n")}\n]}\n`;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = `anna-eins-words-${data.tag}.json`;
    link.click();
    say(told("page.saved", { file: link.download, read: read() }));
  };

  /** Go on from a file that was saved before, here or elsewhere.
   * @param {File} file */
  const goOn = async (file) => {
    try {
      const saved = JSON.parse(await file.text());
      if (saved[MARK] !== data.tag) throw new TypeError(file.name);
      const there = new Map(saved.entries.map((/** @type {Done & { key: string }} */ { key, ...one }) => [key, one]));
      done = new Map([...done, .../** @type {Map<string, Done>} */ (there)]);
      field("by").value ||= saved.by;
    } catch {
      say(told("page.other_file"));
      return;
    }
    const next = data.chapters.findIndex((one) => one.entries.some((text) => !isRead(text)));
    open(Math.max(next, FIRST));
    say(told("page.opened", { read: read() }));
  };

  const restore = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null");
      if (!kept) return;
      done = new Map(kept.done);
      field("by").value = kept.by;
      chapter = Math.max(data.chapters.findIndex((one) => one.name === kept.at.chapter), FIRST);
      at = Math.max(data.chapters[chapter].entries.findIndex((one) => one.key === kept.at.key), FIRST);
    } catch {
      say(told("page.not_kept"));
    }
  };

  data.chapters.forEach((one, number) => {
    const line = make("li");
    const button = make("button", { type: "button" });
    button.addEventListener("click", () => { take(); open(number); });
    line.append(button);
    $("chapters").append(line);
  });
  $("glossary").replaceChildren(...data.glossary.map((row) => {
    const line = make("tr");
    row.forEach((text, number) => line.append(make("td", { textContent: text, lang: number ? data.tag : "en" })));
    return line;
  }));
  $("note").hidden = Boolean(data.sound);
  $("note").textContent = told("page.no_sound", { command: `anna-eins words serve ${data.tag}` });
  $("entry").addEventListener("submit", (event) => { event.preventDefault(); take(); onward(); });
  $("entry").addEventListener("change", take);
  $("previous").addEventListener("click", () => {
    take();
    at = Math.max(at - 1, FIRST);
    show(true);
  });
  $("texts").addEventListener("input", () => {
    // A better text says that this one is wrong, where its reader has not said that they are unsure.
    if (chosen()?.value !== "unsure") choose(same(written(), entry().own) ? "" : "wrong");
    $("lost").textContent = lostIn(written());
  });
  $("file").addEventListener("submit", (event) => { event.preventDefault(); take(); save(); });
  field("by").addEventListener("change", keep);
  field("open").addEventListener("change", () => {
    const [file] = field("open").files ?? [];
    if (file) void goOn(file);
  });
  restore();
  show(false);
})();
