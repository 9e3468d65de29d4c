// Words for the eye and the finger: how the files are said in the spelling of D.2.1, and announcements in the short form.
import { t } from "/static/core/language.js";

const FILES = ["Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector"];
const RANKS = ["eins", "zwei", "drei", "vier", "fuenf", "sechs", "sieben", "acht"];
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
export const fit = (text, words) => (text.length <= CELLS || !words?.length ? text : signs(words));

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
