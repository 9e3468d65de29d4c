// Words for the eye and the finger: how the files are said in the spelling of D.2.1, and announcements in the short form.
import { spelt, t } from "/static/core/language.js";
import { FILES, RANKS, write } from "/static/core/spoken.js";

/** @type {{ [word: string]: string }} */
const SIGNS = { "castle.short": "0-0", "castle.long": "0-0-0", "word.takes": "x", "word.ep": " e.p.", "word.check": "+", "word.mate": "#" };
const CELLS = 39; // of forty: Orca puts a blank before what a live region tells

export const LEGEND = FILES.map((file, index) => [`${"abcdefgh"[index]} ${index + 1}`, `${file} ${RANKS[index]}`]);

/** @param {string[]} words */
export function signs(words) {
  return words.map((word) => {
    const [kind, name] = word.split(".");
    if (kind === "piece") return t(`letter.${name}`);
    return SIGNS[word] ?? (["file", "letter", "nato", "spelling", "rank"].includes(kind) ? name : "");
  }).join("");
}

// A braille display has forty cells: what has no room there becomes the short form, move first.
/** @param {string} text @param {string[]} [words] */
export const fit = (text, words) => (text.length <= CELLS || !words?.length ? spelt(text) : signs(words));

// A text of the page itself as lines of at most forty cells, broken between words.
/** @param {string} text */
export function inLines(text) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const longer = [lines.at(-1), word].filter(Boolean).join(" ");
    if (longer.length <= CELLS) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.filter(Boolean);
}

const FROM_THE_RIGHT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufefc]/u;

// The lines of a braille display, one below the other; one without a letter goes the way of the first that has one.
/** @param {HTMLElement} place @param {string[]} lines */
export function showLines(place, lines) {
  place.dir = FROM_THE_RIGHT.test(lines.join(" ")) ? "rtl" : "ltr";
  place.replaceChildren(...lines.map((line) => {
    const item = document.createElement("li");
    if (/\p{L}/u.test(line)) item.dir = "auto";
    write(item, line);
    return item;
  }));
}
