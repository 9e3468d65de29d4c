// A board that can be explored: a grid of squares with real text, of which one is in the way of the Tab key; the arrow keys
// go from square to square, Home and End to the ends of a rank, with Ctrl to the corners, Page Up and Page Down through the
// moves of a game. A finger that moves over it on a touch screen hears each square. Nothing can be moved. No board of a
// player in play is such a board.
import { Board } from "/static/core/board.js";
import { language } from "/static/core/language.js";
import { speakAtOnce } from "/static/hall/said.js";

const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Explored extends Board {
  // `step(by)`: a move further or back; `sound(square)`: where the server says how a square stands.
  /** @param {HTMLTableElement} table @param {{ step?: (by: number) => void, sound?: (square: string) => string }} how */
  constructor(table, { step, sound } = {}) {
    super(table, { follows: false });
    this.step = step;
    this.sound = sound;
    table.classList.add("explored");
    table.addEventListener("pointerdown", (event) => this.finger(event));
    table.setAttribute("role", "grid");
    table.setAttribute("aria-readonly", "true");
    for (const row of table.rows) row.setAttribute("role", "row");
    for (const head of table.querySelectorAll("th")) head.setAttribute("role", head.scope === "row" ? "rowheader" : "columnheader");
    for (const [name, square] of Object.entries(this.cells)) {
      const cell = this.cellOf(name);
      cell.setAttribute("role", "gridcell");
      cell.tabIndex = name === "e4" ? 0 : -1;
      cell.addEventListener("keydown", (event) => this.go(event, name));
      cell.addEventListener("focus", () => this.stand(name));
      square.addEventListener("click", () => cell.focus());
    }
  }

  /** @param {string} name */
  cellOf(name) {
    return /** @type {HTMLTableCellElement} */ (this.cells[name].parentElement);
  }

  /** @param {string} name */
  stand(name) {
    for (const other of Object.keys(this.cells)) this.cellOf(other).tabIndex = other === name ? 0 : -1;
  }

  /** @param {KeyboardEvent} event @param {string} name */
  go(event, name) {
    const last = this.files.length - 1;
    let [file, rank] = [this.files.indexOf(name[0]), this.ranks.indexOf(Number(name[1]))];
    if (event.key in STEPS) {
      const [right, down] = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
      [file, rank] = [file + right, rank + down];
    } else if (event.key === "Home" || event.key === "End") {
      file = event.key === "Home" ? 0 : last;
      if (event.ctrlKey) rank = event.key === "Home" ? 0 : last;
    } else if (this.step && (event.key === "PageDown" || event.key === "PageUp")) {
      event.preventDefault();
      this.step(event.key === "PageDown" ? 1 : -1);
      return;
    } else return;
    event.preventDefault();
    const next = this.cells[`${this.files[file]}${this.ranks[rank]}`];
    if (next) /** @type {HTMLElement} */ (next.parentElement).focus();
  }

  // Each square that a finger comes to is said at once; the one before is said no further.
  /** @param {PointerEvent} down */
  finger(down) {
    if (down.pointerType !== "touch" || !down.isPrimary) return;
    let under = "";
    const over = (/** @type {PointerEvent} */ event) => {
      const square = document.elementFromPoint(event.clientX, event.clientY)?.closest("td")?.firstElementChild;
      const name = Object.keys(this.cells).find((one) => this.cells[one] === square) ?? "";
      if (name === under) return;
      under = name;
      if (name) speakAtOnce(this.reading(name), language, this.sound?.(name));
    };
    const done = () => {
      removeEventListener("pointermove", over);
      for (const kind of /** @type {const} */ (["pointerup", "pointercancel"])) removeEventListener(kind, done);
    };
    addEventListener("pointermove", over);
    for (const kind of /** @type {const} */ (["pointerup", "pointercancel"])) addEventListener(kind, done);
    over(down);
  }

  // A position with the move that led there; where it is not known, none is marked.
  /** @param {string} placement @param {string[]} squares */
  position(placement, squares) {
    const [from, to] = squares;
    this.went = to ? /** @type {[string, string]} */ ([from, to]) : null;
    this.show(placement);
  }
}
