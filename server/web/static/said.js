// Word ids as they are said: the words of D.2.1 under the scheme d21, else piece letters and squares.
import { has, t } from "/static/language.js";

const FILES = ["Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector"];
const RANKS = ["eins", "zwei", "drei", "vier", "fuenf", "sechs", "sieben", "acht"];
const PIECES = { king: "Koenig", queen: "Dame", rook: "Turm", bishop: "Laeufer", knight: "Springer", pawn: "Bauer" };
const CASTLING = { short: "Kurze Rochade", long: "Lange Rochade" };
const SIGNS = { "castle.short": "0-0", "castle.long": "0-0-0", "word.takes": "x", "word.ep": " e.p.", "word.check": "+", "word.mate": "#" };
const CELLS = 40;

export const LEGEND = FILES.map((file, index) => [`${"abcdefgh"[index]} ${index + 1}`, `${file} ${RANKS[index]}`]);

export function signs(words) {
  return words.map((word) => {
    const [kind, name] = word.split(".");
    if (kind === "piece") return t(`letter.${name}`);
    return SIGNS[word] ?? (["file", "letter", "nato", "rank"].includes(kind) ? name : "");
  }).join("");
}

export function spoken(words, scheme) {
  if (scheme !== "d21") return signs(words);
  return fit(words.map((word) => {
    const [kind, name] = word.split(".");
    if (kind === "file") return FILES["abcdefgh".indexOf(name)];
    if (kind === "rank") return RANKS[Number(name) - 1];
    if (kind === "piece") return PIECES[name];
    if (kind === "castle") return CASTLING[name];
    return has(`word.${word}`) ? t(`word.${word}`) : name;
  }).join(" "), words);
}

// A braille display has forty cells: what is longer becomes the short form, move first.
export const fit = (text, words) => (text.length <= CELLS || !words?.length ? text : signs(words));
