// Six keys as on a brailler: f d s are dots 1 2 3, j k l dots 4 5 6; what is held together is one cell.
import { asked } from "/static/player/functions.js";

/** @type {{ [code: string]: number }} */
const DOTS = { KeyF: 1, KeyD: 2, KeyS: 3, KeyJ: 4, KeyK: 5, KeyL: 6 };
const LETTERS = "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵";
const NAMES = "abcdefghijklmnopqrstuvwxyz";
const LOWER = "⠴⠂⠆⠒⠲⠢⠖⠶⠦⠔";
const NUMBER = "⠼";

export class Chords {
  // `cell(text, said)`: a whole cell, and how it is read out.
  /** @param {(text: string, said: string) => void} cell */
  constructor(cell) {
    this.cell = cell;
    /** @type {Set<number>} */
    this.down = new Set();
    /** @type {Set<number>} */
    this.dots = new Set();
  }

  letGo() {
    this.down = new Set();
    this.dots = new Set();
  }

  // By the place of the keys, whatever the keyboard writes. True where the key was one of ours.
  /** @param {KeyboardEvent} event */
  key(event) {
    const dot = DOTS[event.code];
    if (!dot) return false;
    if (event.type === "keydown") {
      if (event.ctrlKey || event.altKey || event.metaKey) return false;
      if (event.repeat) return true;
      this.down.add(dot);
      this.dots.add(dot);
      return true;
    }
    if (!this.down.delete(dot)) return false; // let go wherever the focus is by then, with whatever other key
    if (this.down.size || !this.dots.size) return true;
    const dots = [...this.dots].sort();
    this.dots = new Set();
    const cell = String.fromCodePoint(0x2800 + dots.reduce((sum, one) => sum + 2 ** (one - 1), 0));
    const at = LETTERS.indexOf(cell);
    this.cell(cell, at >= 0 ? NAMES[at] : LOWER.includes(cell) ? String(LOWER.indexOf(cell)) : dots.join(" "));
    return true;
  }
}

// Cells that begin with the number sign: the number of a function and what follows it; else null.
/** @param {string} text */
export function askedInCells(text) {
  if (!text.startsWith(NUMBER)) return null;
  let number = false;
  let plain = "";
  for (const cell of text) {
    const letter = LETTERS.indexOf(cell);
    if (cell === NUMBER) number = true;
    else if (cell === " " || cell === "\u2800") { number = false; plain += " "; }
    else if (cell === "⠲" && number) plain += "."; // between the numbers of an article
    else if (number && letter >= 0 && letter < 10) plain += (letter + 1) % 10;
    else if (letter >= 0) plain += NAMES[letter];
    else if (LOWER.includes(cell)) plain += LOWER.indexOf(cell);
    else return null;
  }
  return asked(`*${plain}`);
}
