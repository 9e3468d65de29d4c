// A board that can be explored: a grid of squares with real text, of which one is in the way of the Tab key; the arrow keys
// go from square to square, Home and End to the ends of a rank, with Ctrl to the corners. Nothing can be moved.
import { Board } from "/static/core/board.js";

const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Explored extends Board {
  /** @param {HTMLTableElement} table */
  constructor(table) {
    super(table, { follows: false });
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
    } else return;
    event.preventDefault();
    const next = this.cells[`${this.files[file]}${this.ranks[rank]}`];
    if (next) /** @type {HTMLElement} */ (next.parentElement).focus();
  }

  // A position with the move that led there; where it is not known, none is marked.
  /** @param {string} placement @param {string[]} squares */
  position(placement, squares) {
    const [from, to] = squares;
    this.went = to ? /** @type {[string, string]} */ ([from, to]) : null;
    this.show(placement);
  }
}
