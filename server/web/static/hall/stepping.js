// A finished game on a board to step through: by button, by key in the board, by finger and by ear. No page of a player
// has it before their game is over and its result approved; the server answers nobody sooner.
import { make } from "/static/core/element.js";
import { language, spelt, t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { write } from "/static/core/spoken.js";
import { Explored } from "/static/hall/explored.js";
import { hush, speak } from "/static/hall/said.js";

/** @param {Http} one */
export const number = (one) => `${Math.ceil(one.ply / 2)}.${one.seat === "white" ? "" : "…"}`;

/** @param {string} name @param {string} key */
function button(name, key) {
  const element = make("button", { type: "button" });
  element.dataset.step = name;
  element.dataset.t = key;
  return element;
}

// What stands in its place: the board, the buttons, what is said of the move, and what is asked of the position. Words
// with a `data-t` come with their part (`more` in language.js).
/** @param {HTMLElement} place @param {string} id */
export function build(place, id) {
  const at = make("h3", { id: `${id}-at` });
  const board = make("table", { id: `${id}-board`, className: "board" });
  board.setAttribute("aria-labelledby", at.id);
  board.setAttribute("aria-describedby", `${id}-stepping`);
  const left = make("div");
  left.append(at, board);
  const steps = make("div", { className: "row steps" });
  const aloud = button("aloud", "hall.aloud");
  aloud.setAttribute("aria-pressed", "false");
  steps.append(button("first", "hall.first"), button("previous", "hall.previous"), button("next", "hall.next"), button("again", "reviewed.again"), aloud);
  const told = make("p", { className: "told" });
  const form = make("form", { className: "row", autocomplete: "off" });
  const label = make("label", { htmlFor: `${id}-about` });
  label.dataset.t = "hall.ask";
  const about = make("input", { id: `${id}-about`, type: "text", maxLength: 60, spellcheck: false });
  const grow = make("div", { className: "grow" });
  grow.append(label, about);
  const tell = make("button", { className: "first" });
  tell.dataset.t = "hall.tell";
  form.append(grow, tell, button("whole", "hall.tell_position"));
  const answer = make("p", { className: "hush" });
  const stepping = make("p", { id: `${id}-stepping`, className: "soft small" });
  stepping.dataset.t = "hall.stepping";
  const right = make("div", { className: "stack" });
  for (const [name, element] of Object.entries({ at, board, told, form, about, answer })) element.dataset.step = name;
  right.append(steps, told, form, answer, stepping);
  const looked = make("div", { className: "two looked" });
  looked.append(left, right);
  place.append(looked);
}

export class Stepping {
  // `address(path, more)`: where the server tells of it; `drawn(at)`: the move that is looked at was drawn.
  /** @param {HTMLElement} place @param {(path: string, more?: { [name: string]: string }) => string} address @param {(at: number) => void} [drawn] */
  constructor(place, address, drawn = () => {}) {
    this.address = address;
    this.drawn = drawn;
    /** @type {Http | null} */
    this.game = null;
    this.at = 0; // the move that is looked at, 0: the start
    this.asked = 0; // the last question counts, whichever answer comes first
    /** @param {string} name @returns {any} */
    this.part = (name) => place.querySelector(`[data-step="${name}"]`);
    this.board = new Explored(this.part("board"), {
      step: (by) => this.read(this.at + by),
      sound: (square) => this.address("/spoken", { ...this.ply(), about: square }),
    });
    /** @type {{ [name: string]: () => unknown }} */
    const steps = { first: () => this.read(0), previous: () => this.read(this.at - 1), again: () => this.read(this.at), next: () => this.read(this.at + 1), whole: () => this.ask("position"), aloud: () => this.aloud() };
    for (const [name, run] of Object.entries(steps)) this.part(name).addEventListener("click", run);
    this.part("form").addEventListener("submit", (/** @type {Event} */ event) => { event.preventDefault(); this.ask(this.part("about").value.trim()); });
  }

  /** @returns {{ [name: string]: string }} */
  ply() {
    return this.at ? { ply: String(this.at) } : {};
  }

  aloud() {
    const on = this.part("aloud").getAttribute("aria-pressed") !== "true";
    this.part("aloud").setAttribute("aria-pressed", String(on));
    if (on) this.read(this.at); else hush();
  }

  // Shows this game, or none.
  /** @param {Http | null} game */
  show(game) {
    this.game = game;
    this.at = Math.min(this.at, game?.plies.length ?? 0);
    this.draw();
  }

  // The board after this move; where that is not known, the last one that is, and words say so.
  draw() {
    if (!this.game) return;
    const { plies, start } = this.game;
    const one = plies[this.at - 1];
    const known = [...plies.slice(0, this.at)].reverse().find((/** @type {Http} */ ply) => ply.placement);
    const missing = one && !one.placement ? t("reviewed.no_position") : "";
    const place = one ? t("hall.after", { move: `${number(one)} ${one.notation || spelt(one.own)}` }) : t("hall.start");
    write(this.part("at"), [place, missing].filter(Boolean).join(" "));
    this.board.position(known?.placement ?? start, missing ? [] : (one?.squares ?? []));
    if (!this.at) this.part("told").textContent = "";
    for (const [name, end] of /** @type {[string, boolean][]} */ ([["first", !this.at], ["previous", !this.at], ["next", this.at === plies.length]])) this.part(name).setAttribute("aria-disabled", String(end));
    this.drawn(this.at);
  }

  // One move, or the start (0), for the eye, the screen reader and, where it is wanted, aloud.
  /** @param {number} ply */
  async read(ply) {
    if (!this.game) return;
    this.at = Math.min(Math.max(0, ply), this.game.plies.length);
    this.draw();
    const text = await this.told(this.ply());
    if (text) write(this.part("told"), this.at ? text : "");
  }

  // What the server says of it, for the eye, the screen reader or aloud; "" where it refuses, null where more was asked since.
  /** @param {{ [name: string]: string }} more @returns {Promise<string | null>} */
  async told(more) {
    const mine = ++this.asked;
    const answer = await fetch(this.address("/told", more)).catch(() => null);
    const said = await answer?.json();
    if (mine !== this.asked) return null;
    if (!answer?.ok) { warn(said ? said.text : t("no_answer")); return ""; }
    const { text } = said;
    if (this.part("aloud").getAttribute("aria-pressed") === "true") speak(this.address("/spoken", more), text, language);
    else say(text);
    return text;
  }

  // How the board stands: a square, a file, a rank, a kind of piece, all of it.
  /** @param {string} about */
  async ask(about) {
    const text = about ? await this.told({ ...this.ply(), about }) : null;
    if (text !== null) write(this.part("answer"), text);
  }
}
