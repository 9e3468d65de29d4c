// A score as a table: number, White, Black.
import { spelt, t } from "/static/core/language.js";
import { write } from "/static/core/spoken.js";

export class Score {
  /** @param {HTMLTableElement} table */
  constructor(table) {
    this.body = table.tBodies[0] ?? table.createTBody();
    /** @type {string[]} */
    this.cells = [];
    document.addEventListener("language", () => { if (this.cells.length) this.draw(); });
  }

  /** @param {number} index @param {string} text */
  put(index, text) {
    this.cells[index - 1] = text;
    this.draw();
  }

  /** @param {(string | null)[]} cells */
  set(cells) {
    this.cells = cells.map((cell) => cell ?? "");
    this.draw();
  }

  get next() {
    const gap = this.cells.findIndex((cell) => !cell);
    return gap === -1 ? this.cells.length + 1 : gap + 1;
  }

  draw() {
    const rows = [];
    for (let i = 0; i < Math.max(1, Math.ceil(this.cells.length / 2)); i++) {
      const row = document.createElement("tr");
      for (const text of [`${i + 1}.`, this.cells[2 * i] ?? "", this.cells[2 * i + 1] ?? ""]) write(row.insertCell(), spelt(text));
      rows.push(row);
    }
    this.body.replaceChildren(...rows);
  }
}

/** @param {HTMLTableElement} table */
export function head(table) {
  const row = table.createTHead().insertRow();
  for (const key of ["number", "white", "black"]) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.dataset.t = key;
    cell.textContent = t(key);
    row.append(cell);
  }
}
