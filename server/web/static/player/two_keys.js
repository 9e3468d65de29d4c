// Two big keys: one steps through what can be chosen, one chooses it. What is chosen opens more, or is done.
import { t } from "/static/core/language.js";
import { FUNCTIONS, PIECES, bodyOf } from "/static/player/functions.js";

const FILES = [..."abcdefgh"];
const RANKS = [..."12345678"];
export const GROUPS = { asking: "ask_title", offers: "offers", touching: "scan.touching", arbiter: "scan.arbiter", ear: "scan.ear", training: "scan.training" };
/** @param {string} text @param {Omit<Item, "label">} more */
const label = (text, more) => ({ label: () => text, ...more });
/** @param {string} key @param {Omit<Item, "label">} more */
const named = (key, more) => ({ label: () => t(key), ...more });

/** @param {Wire.Announcement} said */
export const inShort = (said) =>
  said.castling
    ? t(`castling.${said.castling}`)
    : [said.piece && t(`piece.${said.piece}`), said.from_square, said.to_square, said.promotion && t(`piece.${said.promotion}`)].filter(Boolean).join(" ");

export class TwoKeys {
  // `show(text)`: what would be chosen now; `run(one, body)`: a function; `say(said)`: an announcement; `known()`: all
  // functions that there are at this table.
  /** @param {{ show: (text: string, done?: boolean) => void, run: (one: Doing, body?: Command) => void, say: (said: Wire.Announcement) => void, known?: () => Doing[] }} page */
  constructor({ show, run, say, known = () => FUNCTIONS }) {
    this.show = show;
    this.run = run;
    this.say = say;
    this.known = known;
    /** @type {Item[]} */
    this.items = [];
    this.at = 0;
    this.home();
  }

  home() {
    const all = this.known();
    const groups = [...new Set(all.flatMap((one) => one.group ?? []))];
    this.open([
      ...all.filter((one) => one.page === "press").map((one) => this.function(one)),
      named("scan.move", { open: () => this.pieces() }),
      ...groups.map((group) => named(GROUPS[group], { open: () => this.group(group) })),
      ...all.filter((one) => !one.group && one.page !== "press").map((one) => this.function(one)),
    ]);
  }

  /** @param {Item[]} items */
  open(items) {
    this.items = items;
    this.at = 0;
  }

  get current() {
    return this.items[this.at].label();
  }

  step() {
    this.at = (this.at + 1) % this.items.length;
    this.show(this.current);
  }

  choose() {
    const item = this.items[this.at];
    if (item.open) item.open();
    else { this.home(); item.act?.(); }
    this.show(this.current, !item.open);
  }

  back() {
    return named("scan.back", { open: () => this.home() });
  }

  /** @param {Doing} one */
  function(one) {
    if (one.argument) return named(one.name, { open: () => this.argument(one) });
    return named(one.name, { act: () => this.run(one, bodyOf(one, "").body) });
  }

  /** @param {string} group */
  group(group) {
    this.open([...this.known().filter((one) => one.group === group).map((one) => this.function(one)), this.back()]);
  }

  /** @param {Doing} one */
  argument(one, given = "") {
    /** @param {string} text */
    const done = (text) => { const { body, wrong } = bodyOf(one, text); if (!wrong) this.run(one, body); };
    if (one.argument === "square") return this.square((square) => { this.home(); done(square); });
    if (one.argument === "file" || one.argument === "rank") {
      return this.open([...(one.argument === "file" ? FILES : RANKS).map((mark) => label(mark, { act: () => done(mark) })), this.back()]);
    }
    if (one.argument === "piece") return this.open([...PIECES.map((piece, at) => named(`piece.${piece}`, { act: () => done(String(at + 1)) })), this.back()]);
    const marks = [..."1234567890", ...(one.argument === "article" ? ["."] : [])];
    this.open([
      ...(given ? [label(`${t("scan.ready")}: ${given}`, { act: () => done(given) })] : []),
      ...marks.map((mark) => label(mark, { open: () => this.argument(one, given + mark) })),
      this.back(),
    ]);
  }

  /** @param {(square: string) => void} chosen */
  square(chosen) {
    /** @param {string} file */
    const ranks = (file) => this.open([...RANKS.map((rank) => label(`${file}${rank}`, { open: () => chosen(file + rank) })), this.back()]);
    this.open([...FILES.map((file) => label(file, { open: () => ranks(file) })), this.back()]);
  }

  pieces() {
    const castles = /** @type {const} */ (["short", "long"]).map((side) => named(`castling.${side}`, { open: () => this.ready({ castling: side }) }));
    this.open([
      ...PIECES.map((piece) => named(`piece.${piece}`, { open: () => this.square((to_square) => this.ready({ piece, to_square })) })),
      ...castles,
      this.back(),
    ]);
  }

  /** @param {Wire.Announcement} said */
  ready(said) {
    const from = said.castling ? [] : [named("scan.from", { open: () => this.square((from_square) => this.ready({ ...said, from_square })) })];
    const becomes = said.piece !== "pawn" ? [] : /** @type {const} */ (["queen", "rook", "bishop", "knight"])
      .map((promotion) => label(`${t("scan.becomes")} ${t(`piece.${promotion}`)}`, { open: () => this.ready({ ...said, promotion }) }));
    // On the last rank a pawn must become something, and nothing is taken for that which is not chosen (L017).
    const open = becomes.length > 0 && !said.promotion && /[18]$/.test(said.to_square ?? "");
    const send = open ? [] : [label(`${t("send")}: ${inShort(said)}`, { act: () => this.say(said) })];
    this.open([...send, ...(open ? [...becomes, ...from] : [...from, ...becomes]), this.back()]);
  }
}
