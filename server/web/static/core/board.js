// A board as a table with real text in its cells; where it may be moved on, each square is a button.
import { t } from "/static/core/language.js";
import { promoted } from "/static/core/asking.js";
import { say } from "/static/core/live.js";

/** @type {{ [letter: string]: Man }} */
export const NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const FILES = "abcdefgh";
const DRAG_PX = 6;
// Colour and piece are one text of the catalogue: in most languages the one agrees with the other in gender and place.
/** @param {string} letter */
export const manNamed = (letter) => t(`piece.${letter === letter.toUpperCase() ? "white" : "black"}.${NAMES[letter.toLowerCase()]}`);
const SVG = "http://www.w3.org/2000/svg";

/** @param {Seat} colour @param {Man} name */
export function drawing(colour, name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("viewBox", "0 0 45 45");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `/static/pieces.svg#${colour}-${name}`);
  svg.append(use);
  return svg;
}

/** @param {string} placement */
export function squaresOf(placement) {
  /** @type {Squares} */
  const squares = {};
  placement.split("/").forEach((row, index) => {
    let file = 0;
    for (const mark of row) {
      if (/\d/.test(mark)) { file += Number(mark); continue; }
      squares[FILES[file] + (8 - index)] = { colour: mark === mark.toUpperCase() ? "white" : "black", name: NAMES[mark.toLowerCase()] };
      file += 1;
    }
  });
  return squares;
}

// The move by which one position became another: from where to where; null where it was no single move.
/** @param {Squares} before @param {Squares} after @returns {[string, string] | null} */
export function moveBetween(before, after) {
  const same = (/** @type {string} */ at) => before[at]?.colour === after[at]?.colour && before[at]?.name === after[at]?.name;
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((at) => !same(at));
  const filled = changed.filter((at) => after[at]);
  const left = changed.filter((at) => before[at] && !after[at]);
  if (!changed.length || changed.length > 4 || !filled.length || filled.length > 2) return null;
  const to = filled.find((at) => after[at].name === "king") ?? filled[0];
  const from = left.find((at) => before[at].colour === after[to].colour && (before[at].name === after[to].name || before[at].name === "pawn"));
  return from && (filled.length === 1 || after[to].name === "king") ? [from, to] : null;
}

export class Board {
  // `moved(uci, colour)`: the board may be moved on. `flipped`: Black's side below. `follows`: the last move is marked.
  /** @param {HTMLTableElement} table @param {{ flipped?: boolean, moved?: Moved | null, follows?: boolean, drags?: boolean }} how */
  constructor(table, { flipped = false, moved = null, follows = true, drags = false } = {}) {
    this.drags = drags && Boolean(moved);
    this.dragged = false;
    this.follows = follows;
    /** @type {[string, string] | null} */
    this.went = null;
    this.table = table;
    this.flipped = flipped;
    this.moved = moved;
    /** @type {Squares} */
    this.squares = {};
    /** @type {string | null} */
    this.from = null;
    /** @type {{ [name: string]: HTMLElement }} */
    this.cells = {};
    /** @type {string | undefined} */
    this.placement = undefined;
    /** @type {string[]} */
    this.files = [];
    /** @type {number[]} */
    this.ranks = [];
    this.build();
  }

  build() {
    const files = this.flipped ? [...FILES].reverse() : [...FILES];
    const ranks = this.flipped ? [1, 2, 3, 4, 5, 6, 7, 8] : [8, 7, 6, 5, 4, 3, 2, 1];
    const caption = this.table.caption;
    const body = document.createElement("tbody");
    for (const rank of ranks) {
      const row = document.createElement("tr");
      row.append(header(String(rank), "row"));
      for (const file of files) {
        const name = file + rank;
        const cell = document.createElement("td");
        if ((FILES.indexOf(file) + rank) % 2 === 1) cell.className = "dark";
        const square = document.createElement(this.moved ? "button" : "div");
        square.className = "square";
        if (square instanceof HTMLButtonElement) {
          square.type = "button";
          square.tabIndex = -1;
          square.setAttribute("aria-pressed", "false");
          square.addEventListener("click", () => { if (this.dragged) this.dragged = false; else this.choose(name); });
          if (this.drags) square.addEventListener("pointerdown", (event) => this.lift(event, name));
          square.addEventListener("keydown", (event) => this.walk(event, name));
          square.addEventListener("focus", () => this.rove(name));
        }
        cell.append(square);
        row.append(cell);
        this.cells[name] = square;
      }
      body.append(row);
    }
    const foot = document.createElement("tr");
    foot.insertCell().className = "corner";
    for (const file of files) foot.append(header(file, "col"));
    const head = document.createElement("tfoot");
    head.append(foot);
    const columns = document.createElement("colgroup");
    const edge = document.createElement("col");
    edge.className = "edge";
    columns.append(edge);
    this.table.replaceChildren(...(caption ? [caption] : []), columns, body, head);
    if (this.moved) this.cells[this.flipped ? "e7" : "e2"].tabIndex = 0;
    this.ranks = ranks;
    this.files = files;
  }

  // `stood`: how it stood before its last move, for a page that was not there when that was made.
  /** @param {string | null | undefined} placement @param {string} [stood] */
  show(placement, stood = this.placement) {
    if (!placement) return;
    const held = this.from ? this.squares[this.from] : null;
    this.squares = squaresOf(placement);
    const there = this.squares[this.from ?? ""];
    if (held && (there?.colour !== held.colour || there?.name !== held.name)) this.mark(null); // the man that was chosen went
    if (this.follows && stood && stood !== placement) this.went = moveBetween(squaresOf(stood), this.squares);
    else if (stood === "") this.went = null; // it was set, and no move made it
    this.placement = placement;
    for (const [name, square] of Object.entries(this.cells)) {
      const piece = this.squares[name];
      const text = document.createElement("span");
      text.className = "unseen";
      text.textContent = this.reading(name);
      square.classList.remove("marked");
      square.replaceChildren(text, ...(piece ? [drawing(piece.colour, piece.name)] : []));
      square.classList.toggle("went-from", this.went?.[0] === name);
      square.classList.toggle("went-to", this.went?.[1] === name);
    }
  }

  // A man is drawn along under the pointer, and set down where it is let go, legal or not. A square that another man of
  // the same side stands on, and what is no square, leave it where it was; less than a few pixels is a tap.
  /** @param {PointerEvent} event @param {string} name */
  lift(event, name) {
    const drawn = this.cells[name].querySelector("svg");
    if (!event.isPrimary || event.button || !drawn) return;
    /** @type {SVGElement | null} */
    let hand = null;
    const carry = (/** @type {PointerEvent} */ at) => {
      if (!hand) {
        if (Math.hypot(at.clientX - event.clientX, at.clientY - event.clientY) < DRAG_PX) return;
        hand = /** @type {SVGElement} */ (drawn.cloneNode(true));
        hand.classList.add("in-hand");
        hand.style.width = hand.style.height = `${drawn.getBoundingClientRect().width}px`;
        document.body.append(hand);
        drawn.classList.add("lifted");
        this.mark(name);
      }
      hand.style.left = `${at.clientX}px`;
      hand.style.top = `${at.clientY}px`;
    };
    const release = (/** @type {PointerEvent} */ at) => {
      removeEventListener("pointermove", carry);
      for (const kind of /** @type {const} */ (["pointerup", "pointercancel"])) removeEventListener(kind, release);
      drawn.classList.remove("lifted");
      if (!hand) return;
      hand.remove();
      const over = at.type === "pointerup" ? document.elementFromPoint(at.clientX, at.clientY)?.closest(".square") : null;
      const to = over && Object.keys(this.cells).find((one) => this.cells[one] === over);
      this.dragged = over === this.cells[name]; // the click that follows there is none
      if (!to || to === name || this.from !== name || this.squares[to]?.colour === this.squares[name]?.colour) this.mark(null);
      else this.choose(to);
    };
    addEventListener("pointermove", carry);
    for (const kind of /** @type {const} */ (["pointerup", "pointercancel"])) addEventListener(kind, release);
  }

  // Shown as it must be set up (the arbiter's restoration): each square that changes is marked, and says so.
  /** @param {readonly Wire.SquareToSet[]} changes */
  toSet(changes) {
    const rows = [8, 7, 6, 5, 4, 3, 2, 1].map((rank) => [...FILES].map((file) => {
      const change = changes.find(({ square }) => square === `${file}${rank}`);
      const man = this.squares[`${file}${rank}`];
      const letter = man ? /** @type {string} */ (Object.keys(NAMES).find((one) => NAMES[one] === man.name)) : "";
      return change ? change.should_be ?? "" : man?.colour === "white" ? letter.toUpperCase() : letter;
    }));
    const placement = rows.map((row) => row.map((one) => one || "1").join("").replace(/1+/g, (empty) => String(empty.length))).join("/");
    this.went = null;
    this.show(placement, "");
    this.remark(Object.fromEntries(changes.map(({ square }) => [square, `${this.reading(square)}, ${t("to_set")}`])));
  }

  // Squares with words of their own (name -> how the whole square is read): marked by a sign that is seen without colour.
  /** @param {{ [square: string]: string }} marks */
  remark(marks) {
    for (const [name, square] of Object.entries(this.cells)) {
      square.classList.toggle("marked", name in marks);
      const text = square.querySelector(".unseen");
      if (text) text.textContent = marks[name] ?? this.reading(name);
    }
  }

  /** @param {string} name */
  reading(name) {
    const piece = this.squares[name];
    const went = this.went?.includes(name) ? `, ${t(this.went[0] === name ? "went.from" : "went.to")}` : "";
    return `${piece ? `${name} ${t(`piece.${piece.colour}.${piece.name}`)}` : `${name} ${t("empty")}`}${went}`;
  }

  /** @param {string} name */
  rove(name) {
    for (const [other, square] of Object.entries(this.cells)) square.tabIndex = other === name ? 0 : -1;
  }

  /** @param {KeyboardEvent} event @param {string} name */
  walk(event, name) {
    /** @type {{ [key: string]: number[] }} */
    const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    if (event.key === "Escape") { this.choose(null); return; }
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const file = this.files.indexOf(name[0]) + step[0];
    const rank = this.ranks.indexOf(Number(name[1])) + step[1];
    const next = this.cells[`${this.files[file]}${this.ranks[rank]}`];
    next?.focus();
  }

  /** @param {string | null} name */
  mark(name) {
    if (this.from) this.cells[this.from].setAttribute("aria-pressed", "false");
    this.from = name;
    if (name) this.cells[name].setAttribute("aria-pressed", "true");
  }

  /** @param {string | null} name */
  async choose(name) {
    const from = this.from;
    if (name === null || name === from) { this.mark(null); return; }
    const piece = this.squares[name];
    if (!from || (piece && piece.colour === this.squares[from]?.colour)) {
      if (piece) { this.mark(name); say(t("lifted", { square: name })); }
      return;
    }
    const mover = this.squares[from];
    let promotion = "";
    if (mover.name === "pawn" && (name[1] === "8" || name[1] === "1")) {
      promotion = (await promoted(mover.colour, drawing)) ?? "";
      if (!promotion || this.from !== from) { this.mark(null); return; }
    }
    this.mark(null);
    this.moved?.(from + name + promotion, mover.colour);
  }
}

/** @param {string} text @param {"row" | "col"} scope */
function header(text, scope) {
  const cell = document.createElement("th");
  cell.scope = scope;
  cell.textContent = text;
  return cell;
}

// A move in words: "knight g1 to f3"; the piece is left out where it is not known.
/** @param {string} uci @param {Man | undefined} [man] */
export function inMoveWords(uci, man) {
  const bare = t("move.squares", { from: uci.slice(0, 2), to: uci.slice(2, 4) });
  const promoted = uci[4] ? ` (${t(`piece.${NAMES[uci[4]]}`)})` : "";
  return `${man ? `${t(`piece.${man}`)} ` : ""}${bare}${promoted}`;
}

// Which man made each move of a line from the usual position; undefined where that is not known.
/** @param {(string | null)[]} line @returns {(Man | undefined)[]} */
export function menOf(line) {
  const men = squaresOf("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
  let known = true;
  return line.map((uci) => {
    if (!uci || !known) { known = false; return undefined; }
    const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
    const man = men[from];
    if (!man) { known = false; return undefined; }
    delete men[from];
    men[to] = uci[4] ? { colour: man.colour, name: NAMES[uci[4]] } : man;
    const rook = man.name === "king" && { e1g1: ["h1", "f1"], e1c1: ["a1", "d1"], e8g8: ["h8", "f8"], e8c8: ["a8", "d8"] }[uci];
    if (rook) { men[rook[1]] = men[rook[0]]; delete men[rook[0]]; }
    return man.name;
  });
}
