import { LANGUAGES, has, t } from "/static/core/language.js";

// The words of D.2.1 are German wherever they stand in Latin letters: on a page in another language they are marked as
// German, so that a screen reader says them in a German voice. Two together are an announcement; one may be a name, or a
// word of the page's own language, but not where that has another script.
export const FILES = ["Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector"];
export const RANKS = ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"];
const PIECES = ["König", "Dame", "Turm", "Läufer", "Springer", "Bauer"];
const OF_THE_RECORD = ["Koenig", "Laeufer", "fuenf"]; // what a player wrote stays as it was written
const OTHERS = ["Kurze", "Lange", "Rochade", "schlägt", "Schach", "matt", "Umwandlung", "von", "nach", ...OF_THE_RECORD];
const SPELT = ["Alfa", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot", "Golf", "Hotel", "Anton", "Berta", "Caesar", "Dora", "Emil", "Friedrich", "Heinrich"];
export const WORDS = [...FILES, ...RANKS, ...PIECES, ...OTHERS, ...SPELT, "en passant", "null", "neun", "zehn", "elf", "zwölf"];
const ONE = `(?:(?:${WORDS.join("|")})|[a-h](?= (?:${RANKS.join("|")})))(?!\\p{L})`;
const RUN = new RegExp(`(?<!\\p{L})${ONE}(?:,? ${ONE})+`, "gu");
const ALONE = new RegExp(`${RUN.source}|(?<!\\p{L})(?:${[...PIECES, ...OTHERS].join("|")})(?!\\p{L})`, "gu");

// On a page from the right a text that begins with a Latin word and has others from the right runs from the right as a
// whole ("Läufer سيزر فير" in Arabic, where the pieces keep their German names): its first letter would turn it round.
// And numbers with a sign between them keep their order after Arabic letters: 1-0, 90+30, a date.
const MIXED = /^\P{L}*\p{Script=Latin}[^\u2069]*[\u0590-\u08ff]/u;
/** @param {string} text */
const fromTheRight = (text) => (MIXED.test(text) ? "\u200f" : "") + text
  .replace(/\u2068([^\u2068\u2069]*)(?=\u2069)/g, (all, inner) => MIXED.test(inner) ? `\u2067${inner}` : all)
  .replace(/(?<![\u2066-\u2068\p{L}\d½+-])[\d½]+(?:[-+][\d½]+)+/gu, "\u2068$&\u2069");

// A result as it is said, "White wins": a screen reader would read "1-0" as figures. In a sentence 0-0 may be castling.
const RESULT = /(?<![\w/-])(?:1\/2-1\/2|1\/2-0|0-1\/2|½-½|1-0|0-1|\+\/-|-\/\+)(?![\w/-])/g;
/** @param {string} sign */
export const resultSaid = (sign) => {
  const key = `result.${sign.replaceAll("½", "1/2")}`;
  return has(key) ? t(key) : sign;
};
/** @param {string} text */
export const resultsSaid = (text) => text.replace(RESULT, resultSaid);

// Puts a text into an element, what is German in it marked.
/** @param {Element} element @param {string} said */
export function write(element, said) {
  const text = document.documentElement.dir === "rtl" ? fromTheRight(said) : said;
  const page = document.documentElement.lang;
  const german = (LANGUAGES[page]?.script ?? "Latn") === "Latn" ? RUN : ALONE;
  if (page === "de" || text.search(german) < 0) { element.textContent = text; return; }
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(german)) {
    const words = document.createElement("span");
    words.lang = "de";
    words.textContent = found[0];
    const from = found.index ?? 0;
    parts.push(text.slice(at, from), words);
    at = from + found[0].length;
  }
  element.replaceChildren(...parts, text.slice(at));
}
