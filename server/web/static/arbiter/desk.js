// The reconciliation desk (D.2.9): both boards as the arbiter sees them, the few lines, the answer, the decision; and the
// boards set square by square, after it and after any position that is restored (7.5.1).
import { $, focused, keepInPlace } from "/static/core/element.js";
import { language, spelt, t } from "/static/core/language.js";
import { asSaid } from "/static/arbiter/record.js";
import { Board, manNamed } from "/static/core/board.js";
import { say } from "/static/core/live.js";
import { inWords } from "/static/core/times.js";
import { milliseconds, sayingOut, timeInWords } from "/static/arbiter/acts.js";
import { playKept } from "/static/arbiter/kept_sound.js";
import { answerOf } from "/static/core/servers.js";
import { write } from "/static/core/spoken.js";
import { moveNumber } from "/static/core/why.js";

/** @type {Seat[]} */
const SIDES = ["white", "black"];
const MEN = [["", "desk.empty"], ..."KQRBNPkqrbnp"].map((one) => (Array.isArray(one) ? one : [one, one]));

// 64 squares of a placement, a8 first, and back.
/** @param {string} placement */
const spread = (placement) => placement.replaceAll("/", "").replace(/\d/g, (count) => ".".repeat(Number(count)));
/** @param {string} squares */
const folded = (squares) => squares.replace(/.{8}(?=.)/g, "$&/").replace(/\.+/g, (run) => String(run.length));
/** @param {string} name */
const place64 = (name) => (8 - Number(name[1])) * 8 + "abcdefgh".indexOf(name[0]);

// A board on which a chosen man is set by pressing a square.
class MarkedBoard extends Board {
  /** @param {HTMLTableElement} table @param {() => string} chosen @param {() => void} changed */
  constructor(table, chosen, changed) {
    super(table, { moved: () => {}, follows: false });
    this.chosenMan = chosen;
    this.changed = changed;
  }

  /** @param {string | null} name */
  async choose(name) {
    if (!name || !this.placement) return;
    const squares = [...spread(this.placement)];
    squares[place64(name)] = this.chosenMan() || ".";
    this.show(folded(squares.join("")));
    this.changed();
    say(this.cells[name].textContent ?? "");
  }
}

/** @param {string} letter */
function piece(letter) {
  return letter ? manNamed(letter) : t("desk.empty");
}

const ALIKE = ["same_record", "out_of_step"];
// With these nothing is to be set any more: play goes on, or what led to it is undone.
const ENDS_SETTING = ["made", "clock_resumed", "incident_undone"];
const SHOWN = ["board_read", "cell_typed", "cell_heard", "unread_accepted", "board_confirmed", "square_asked", "board_said_set", "boards_to_set", "restored"];
// Half-moves as people number moves, those in a row as one range: "1 (White)–2 (White), 4 (Black)".
/** @param {number[]} plies */
const ranges = (plies) => {
  /** @type {number[][]} */
  const rows = [];
  for (const ply of plies) {
    const last = rows.at(-1);
    if (last && last.at(-1) === ply - 1) rows[rows.length - 1] = [last[0], ply];
    else rows.push([ply]);
  }
  return rows.map((row) => row.map(moveNumber).join("–")).join(", ");
};
/** @typedef {{ ply: number, side: Seat }} Cell */
const idOf = (/** @type {Cell} */ { ply, side }) => `desk-${side}-${ply}`;
/** @param {Http} said @returns {Cell[]} */
const cellsOf = (said) => said.lines.flatMap((/** @type {Http} */ { ply }) => SIDES.map((side) => ({ ply, side })));
/** @param {HTMLElement} place @param {string[]} lines */
const list = (place, lines, tag = "li") => place.replaceChildren(...lines.map((text) => Object.assign(document.createElement(tag), { textContent: text })));

// The desk as the arbiter read it when whole scores were compared: their answer holds as long as it is the same.
/** @param {Http} said */
const deskRead = (said) => JSON.stringify([language, said]);

export class Desk {
  /** @param {Station} station @param {string} place @param {Telling} telling */
  constructor(station, place, telling) {
    this.station = station;
    this.place = place;
    this.telling = telling;
    /** @type {Http} */
    this.answer = null;
    /** @type {Http} */
    this.decision = null;
    /** @type {Promise<void> | null} */
    this.looking = null; // until what was asked for last is shown
    this.compared = ""; // the desk beside which the answer to the whole scores stands; "" where none stands there
    this.asked = 0;
    /** @type {{ [side in Seat]?: string }} */
    this.taken = {}; // what the record had of each board when it was shown last
    /** @type {{ [side in Seat]?: string }} */
    this.given = {}; // and what is on its way to it from here
    /** @type {Cell | null} */
    this.at = null; // the cell that is asked for
    this.put = ""; // and what was put into the field of it
    this.typed = new Set(); // the cells that were typed here, also while the server has not answered
    this.fill();
    document.addEventListener("language", () => { this.fill(); this.look(); });
    const board = (/** @type {Seat} */ side) => new MarkedBoard($(`desk-${side}`), () => $("desk-piece").value, () => this.differing());
    this.boards = { white: board("white"), black: board("black") };
    for (const side of SIDES) {
      $(`desk-show-${side}`).addEventListener("click", () => this.record(side));
      $(`desk-confirm-${side}`).addEventListener("click", () => this.ask({ do: "confirm_board", board: side }));
      const time = $(`desk-time-${side}`);
      sayingOut(time, $(`desk-time-${side}-said`), timeInWords);
      time.addEventListener("input", () => { $("desk-times-typed").checked = true; });
    }
    $("desk-sheets").addEventListener("submit", (event) => { event.preventDefault(); this.compare(); });
    $("desk-more").addEventListener("change", () => this.look());
    $("desk-typing").addEventListener("submit", (event) => { event.preventDefault(); this.type(); });
    $("desk-listen").addEventListener("click", () => this.at && this.listen(this.at.ply, this.at.side));
    $("desk-accept").addEventListener("click", () => this.ask({ do: "accept_unread", plies: this.answer.unread }));
    for (const kind of /** @type {const} */ (["adjust", "back", "mend"])) $(`desk-${kind}`).addEventListener("click", () => this.decide(kind));
  }

  fill() {
    const kept = $("desk-piece").value;
    $("desk-piece").replaceChildren(...MEN.map(([value]) => Object.assign(document.createElement("option"), { value, textContent: piece(value) })));
    $("desk-piece").value = kept;
  }

  /** @param {Wire.AnyEvent} event */
  recorded(event) {
    const { open, setting } = this.answer ?? {};
    if (event.event === "desk_opened") this.typed.clear();
    // Other boards than before are shown; what was set on those is no part of them.
    if (event.event === "desk_opened" || (event.event === "restored" && !open)) [this.taken, this.given] = [{}, {}];
    // Where no desk is open, the boards are shown as they shall stand, whatever is recorded of them.
    if (event.event === "board_read" && open) this.noteRead(event.board, event.placement);
    if (event.event.startsWith("desk_") || SHOWN.includes(event.event) || (setting && ENDS_SETTING.includes(event.event))) this.look();
  }

  /** @param {Command} body */
  async ask(body) {
    return this.station.do(body); // a refusal is told by the page
  }

  look() {
    return (this.looking = this.fetch());
  }

  // The desk as it is now is there, with whatever was recorded meanwhile.
  async catchUp() {
    this.look();
    for (let newest = null; newest !== this.looking;) await (newest = this.looking);
  }

  // Answers that overtake one another: the last question counts.
  async fetch() {
    const asked = (this.asked += 1);
    const plies = ($("desk-more").value.match(/\d+/g) ?? []).flatMap((number) => [2 * Number(number) - 1, 2 * Number(number)]).filter((ply) => ply > 0);
    const { ok, gone, said } = await answerOf(`/api/desk?${this.place}&plies=${plies}`);
    if (gone || asked !== this.asked) return; // the page says that the server is gone, and looks again when it is back
    if (!ok) { this.telling()(said.text, true); return; }
    this.show(said);
  }

  /** @param {Http} said */
  show(said) {
    const shown = said.open || Boolean(said.setting);
    const stood = Boolean(this.answer?.open || this.answer?.setting);
    const newly = said.setting && !this.answer?.setting;
    const before = focused(); // what it is on may be gone below
    this.answer = said;
    this.stand(shown);
    $("desk-body").hidden = !shown;
    $("desk-asking").hidden = $("desk-decided").hidden = $("desk-decision").hidden = !said.open || Boolean(said.setting);
    $("to-press").hidden = !$("desk-decision").hidden; // nothing runs at the desk
    $("desk-setting").hidden = !said.setting;
    $("desk-hint").hidden = $("desk-begin").hidden = said.open;
    $("desk-close").hidden = !said.open;
    const holds = shown && this.compared === deskRead(said);
    if (!holds) {
      this.compared = "";
      $("desk-compared").replaceChildren();
    }
    if (!shown) {
      this.decision = null;
      this.taken = {};
      this.typed.clear();
      // A key that was meant for the desk sets nothing going there; Tab leads on to the clocks.
      if (stood && (before === document.body || before?.closest("#desk-body, #desk-decision"))) $("bar").focus();
      return;
    }
    if (!stood) $("desk").open = true;
    for (const side of SIDES) this.showBoard(side, said.seen[side] ?? said.kept[side]);
    if (!holds) this.decision = said.verdict ? { verdict: said.verdict, ply: said.agree_plies, moves: said.moves, placement: said.placement, turn: said.turn, stands: !said.provisional && !said.listen.length } : null;
    this.differing();
    if (said.open) {
      this.explain(said);
      this.ply(said);
      this.law(said);
      if (!holds) this.times(said);
    }
    this.set(said, newly);
    if (said.open && (document.activeElement === document.body || before?.closest("#desk-begin"))) $("desk-piece").focus(); // the button pressed last is gone
  }

  /** @param {Seat} side */
  async record(side) {
    const placement = this.given[side] = this.boards[side].placement ?? "";
    if (!(await this.ask({ do: "show_board", board: side, placement })).ok && this.given[side] === placement) delete this.given[side];
  }

  // A board as it was recorded: what was given from here, or another device's, though before ours the record had the same.
  /** @param {Seat} side @param {string} placement */
  noteRead(side, placement) {
    const known = [this.taken[side], this.given[side]].includes(placement);
    if (this.given[side] === placement) delete this.given[side];
    this.taken[side] = known ? placement : "";
  }

  // A board as the record has it; what was set on it since and is not recorded stays while the record has the same.
  /** @param {Seat} side @param {string} placement */
  showBoard(side, placement) {
    const same = [this.taken[side], this.given[side]].includes(placement);
    if (!same) delete this.given[side];
    this.taken[side] = placement;
    this.boards[side].show(same ? this.boards[side].placement : placement); // in the words of the page's language
  }

  // While there is anything to do at the desk it stands first on the page, and the boards of the game behind it are away.
  /** @param {boolean} shown */
  stand(shown) {
    const table = /** @type {HTMLElement} */ ($("desk").parentElement);
    $("boards").classList.toggle("away", shown);
    if ((table.firstElementChild === $("desk")) === shown) return;
    const before = focused();
    if (shown) table.prepend($("desk"));
    else table.append($("desk"));
    if (before && $("desk").contains(before)) before.focus();
  }

  // What stands on each board on the squares at which they differ from one another, or from what the scores give; each
  // is marked on both boards, in what is read there too, and listed in words.
  differing() {
    const setting = this.answer?.setting;
    const wanted = setting?.placement ?? this.decision?.placement;
    const on = Object.fromEntries(SIDES.map((side) => [side, spread(this.boards[side].placement ?? "8/8/8/8/8/8/8/8")]));
    const should = wanted ? { white: spread(wanted), black: spread(setting?.on_black?.placement ?? wanted) } : null;
    /** @type {{ [side in Seat]: { [square: string]: string } }} */
    const marks = { white: {}, black: {} };
    const lines = [];
    for (const name of Object.keys(this.boards.white.cells).sort()) {
      const at = place64(name);
      const man = (/** @type {string} */ squares) => piece(squares[at] === "." ? "" : squares[at]);
      // After a position was restored the boards are shown as they shall stand.
      for (const side of SIDES) if (setting?.[side].some((/** @type {Http} */ one) => one.square === name)) marks[side][name] = t("desk.marked.set", { cell: this.boards[side].reading(name) });
      if (should ? SIDES.every((side) => should[side][at] === on[side][at]) : on.white[at] === on.black[at]) continue;
      for (const side of SIDES) {
        const other = side === "white" ? "black" : "white";
        const cell = this.boards[side].reading(name);
        marks[side][name] = should ? t(should[side][at] === on[side][at] ? "desk.marked.right" : "desk.marked.should", { cell, man: man(should[side]) }) : t("desk.marked", { cell, other: man(on[other]) });
      }
      const values = { square: name, white: man(on.white), black: man(on.black) };
      lines.push(should ? t("desk.differ.should", { ...values, man: man(should.white) }) : t("desk.differ", values));
    }
    for (const side of SIDES) this.boards[side].remark(marks[side]);
    list($("desk-differing"), lines.length ? lines : [t("desk.differ_none")]);
    $("desk-differing").hidden = $("desk-differing-title").hidden = setting?.because === "restored";
  }

  /** @param {Http} said */
  explain(said) {
    const lines = said.explanations.map((/** @type {Http} */ one) => {
      const move = [`${moveNumber(one.ply)}`, one.recorded ?? "-", one.instead ? `${one.where === "scores" ? "/" : "→"} ${one.instead}` : ""].filter(Boolean).join(" ");
      return `${one.borne_out ? "✓ " : ""}${move}: ${t(`desk.kind.${one.kind}`)} (${t(`desk.where.${one.where}`)})`;
    });
    if (said.out_of_step && !said.verdict) lines.unshift(t("desk.out_of_step"));
    if (!lines.length && !said.settled && !said.undecided && said.boards.some((/** @type {Http} */ board) => board.deviates)) lines.push(t("desk.none"));
    list($("desk-explanations"), lines);
  }

  // The cells of both scores, one after the other: the one that is asked for has the field, each is chosen by its button.
  /** @param {Http} said */
  ply(said) {
    const cells = cellsOf(said);
    this.buttons(cells);
    for (const { ply, side } of cells) this.cell(said, ply, side);
    $("desk-typing").hidden = !cells.length;
    if (!this.at || !this.has(this.at)) this.choose(cells.find((one) => !this.known(one)) ?? cells[0]);
    else this.reading();
  }

  // A button for each cell. Those that stand already stay in their place, so that the one in use keeps the focus.
  /** @param {Cell[]} cells */
  buttons(cells) {
    keepInPlace($("desk-lines"), cells.map(({ ply, side }) => document.getElementById(idOf({ ply, side })) ?? this.button(ply, side)));
  }

  /** @param {Cell} at @returns {Http} */
  has({ ply, side }) {
    return this.answer.lines.find((/** @type {Http} */ line) => line.ply === ply)?.[side];
  }

  // Whether a cell has been read: typed, or written by its player, and nothing in it is left to listen to.
  /** @param {Cell} at */
  known(at) {
    const cell = this.has(at);
    return this.typed.has(idOf(at)) || (Boolean(cell?.text) && !cell.provisional);
  }

  /** @param {number} ply @param {Seat} side */
  button(ply, side) {
    const id = idOf({ ply, side });
    const button = Object.assign(document.createElement("button"), { type: "button", id, ariaPressed: "false" });
    const text = (/** @type {string} */ name, className = "") => Object.assign(document.createElement("span"), { id: `${id}-${name}`, className });
    button.append(text("of", "soft"), " ", text("text"), " ", text("read", "soft"));
    button.addEventListener("click", () => this.chooseAndFocus({ ply, side }));
    return button;
  }

  /** @param {Http} said @param {number} ply @param {Seat} side */
  cell(said, ply, side) {
    const id = idOf({ ply, side });
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (document.getElementById(`${id}-${name}`));
    part("of").textContent = `${t("desk.cell_of", { who: t(`score_of.${side}`), ply: moveNumber(ply) })}:`;
    write(part("text"), asSaid(this.has({ ply, side }).text) || "–"); // as its player wrote it
    part("read").textContent = this.notes(said, this.has({ ply, side }));
  }

  /** @param {Http} said @param {Http} cell */
  notes(said, cell) {
    const notes = [];
    if (cell.text && !said.undecided) notes.push(cell.understood ? t("desk.understood", { moves: cell.understood }) : t("desk.not_understood"));
    if (cell.provisional) notes.push(t("desk.provisional"));
    return notes.join(" · ");
  }

  /** @param {Cell | undefined} at */
  choose(at) {
    this.at = at ?? null;
    if (!at) return;
    for (const one of $("desk-lines").children) one.setAttribute("aria-pressed", String(one.id === idOf(at)));
    $("desk-cell-label").textContent = t("desk.cell_of", { who: t(`score_of.${at.side}`), ply: moveNumber(at.ply) });
    this.put = $("desk-cell").value = spelt(this.has(at).text);
    this.reading();
  }

  // What was read in the cell that is asked for; what is being typed stays as it is.
  reading() {
    if (!this.at) return;
    const cell = this.has(this.at);
    $("desk-cell-read").textContent = this.notes(this.answer, cell);
    $("desk-listen").hidden = !cell.clip;
  }

  // The cell as it was read. The next one that is still to be read, in the order of the moves, is asked for at once: who
  // types on before the server answers writes into that one, and over what was typed into the last. What is refused is
  // asked for again, unless they went on.
  async type() {
    if (!this.at) return;
    const at = this.at;
    const text = $("desk-cell").value.trim();
    const given = text === this.put ? null : this.ask({ do: "type_cell", seat: at.side, ply: at.ply, text });
    const after = (/** @type {Cell} */ one) => one.ply > at.ply || (one.ply === at.ply && at.side === "white" && one.side === "black");
    const put = this.put;
    if (given && text) this.typed.add(idOf(at));
    else if (given) this.typed.delete(idOf(at)); // taken back, it is to be read again
    const left = cellsOf(this.answer).filter((one) => (one.ply !== at.ply || one.side !== at.side) && !this.known(one));
    const next = left.find(after) ?? left[0];
    if (next) this.chooseAndFocus(next);
    else {
      this.put = text;
      $("desk-cell").select();
    }
    if (!given || (await given).ok) return;
    this.typed.delete(idOf(at));
    if (this.at === at) this.put = put;
    if (!next || this.at !== next || $("desk-cell").value !== this.put) return;
    if (!$("desk-typing").contains(document.activeElement)) return; // the arbiter went elsewhere meanwhile
    this.chooseAndFocus(at);
    $("desk-cell").value = text;
  }

  // Ask for a cell, under the fingers.
  /** @param {Cell} at */
  chooseAndFocus(at) {
    this.choose(at);
    $("desk-cell").focus();
    $("desk-cell").select();
  }

  // One key plays both utterances of this ply, the announcement and the echo; this side's cell then counts as heard.
  /** @param {number} ply @param {Seat} side */
  async listen(ply, side) {
    const told = this.telling();
    const own = this.has({ ply, side }).clip;
    const clips = this.answer.lines.find((/** @type {Http} */ line) => line.ply === ply)?.clips ?? [];
    try {
      for (const clip of new Set([...clips, own])) await this.play(clip);
      await this.ask({ do: "hear_cell", seat: side, ply });
    } catch (/** @type {any} */ wrong) {
      told(String(wrong?.message ?? wrong), true);
    }
  }

  /** @param {string} clip */
  play(clip) {
    return playKept(`/evidence/${clip}?${this.place}`);
  }

  /** @param {Http} said */
  law(said) {
    const lines = said.undecided ? [said.undecided] : [];
    if (said.verdict) {
      lines.push(t(`desk.verdict.${said.verdict}`), t("desk.agree", { ply: said.agree_plies ? moveNumber(said.agree_plies) : "0" }));
      if (said.verdict === "same_record") lines.push(...this.deviating(said.against));
      if (said.clock) lines.push(t("desk.clock", { white: inWords(said.clock.white), black: inWords(said.clock.black) }));
      if (said.provisional) lines.push(t("desk.provisional_answer", { plies: ranges(said.unread) }));
      else lines.push(t(said.settled ? "desk.settled" : "desk.unsettled"));
      if (said.accepted) lines.push(t("desk.accepted", { plies: ranges(said.unread) }));
    }
    $("desk-accept").hidden = !said.provisional;
    for (const one of said.listen) lines.push(`${t("desk.cell_of", { who: t(`score_of.${one.side}`), ply: moveNumber(one.ply) })}: ${t("desk.provisional")}`);
    list($("desk-answer"), lines, "p");
    this.deciding();
    if ((said.verdict || said.undecided) && !said.setting) say(lines.join(" "));
  }

  // A board is set right where the scores agree; both go back to an agreement where one is known. Nothing is decided on
  // what was not read, until the arbiter has said that it will do.
  deciding() {
    const stands = this.decision?.stands ?? false;
    const alike = ALIKE.includes(this.decision?.verdict);
    $("desk-adjust").disabled = !(alike && stands);
    $("desk-back").disabled = !stands;
    $("desk-mend").disabled = alike && !stands;
  }

  // Whose board deviates from both scores, and by which squares.
  /** @param {Http} against */
  deviating(against) {
    const lines = SIDES.flatMap((side, index) => {
      const { deviates, squares } = against[index];
      const told = squares.map((/** @type {Http} */ one) => t("desk.square_is", { square: one.square, is: piece(one.is), man: piece(one.should_be) }));
      return deviates ? [t("desk.deviates", { who: t(`board_of.${side}`), squares: told.join("; ") })] : [];
    });
    return lines.length ? lines : [t("desk.deviates_none")];
  }

  // The choice of the clocks: the times of that position, unless nothing is known of them; then they are typed.
  /** @param {Http} said */
  times(said) {
    const exact = (/** @type {{ [side in Seat]: number }} */ { white, black }) => ({ white: inWords(white, true), black: inWords(black, true) });
    const known = said.clock;
    $("desk-times-stored-text").textContent = known ? t(said.clock_read ? "desk.times.read" : "desk.times.stored", exact(known)) : t("desk.times.stored_none");
    $("desk-times-leave-text").textContent = said.now ? t("desk.times.leave", exact(said.now)) : t("desk.times.leave_none");
    $("desk-times-unknown").hidden = Boolean(known) || !said.verdict;
    $("desk-times-stored").disabled = Boolean(said.verdict) && !known;
    if ($("desk-times-stored").disabled && $("desk-times-stored").checked) $("desk-times-typed").checked = true;
  }

  // The boards to set, square by square, with a confirmation for each; after a decision, and after a position restored.
  /** @param {Http} said @param {boolean} newly */
  set(said, newly) {
    const setting = said.setting;
    if (!setting) return;
    const lines = [];
    for (const side of SIDES) {
      const squares = setting[side].map((/** @type {Http} */ one) => `${one.square} ${piece(one.should_be)}`);
      list($(`desk-set-${side}`), squares.length ? squares : [t("desk.nothing_to_set", { who: t(`board_of.${side}`) })]);
      const asked = setting.asked[side];
      const done = setting.confirmed.includes(side);
      $(`desk-state-${side}`).textContent = done ? t("desk.confirmed", { who: t(`board_of.${side}`) }) : setting.said.includes(side) ? t("event.board_said_set") : asked ? t("desk.asked", { number: asked.number, of: asked.of, square: asked.square }) : "";
      $(`desk-confirm-${side}`).disabled = done || !setting.awaited.includes(side);
      lines.push(squares.length ? t("desk.to_set", { who: t(side), squares: squares.join(", ") }) : t("desk.nothing_to_set", { who: t(`board_of.${side}`) }));
    }
    list($("desk-open-still"), this.stillOpen(setting.differs), "p");
    if (newly) {
      say([t("desk.setting"), ...lines].join(" "));
      if (!document.activeElement?.closest("#alerts")) $("desk-setting-title").focus(); // who works at a card stays there
    }
  }

  /** @param {Http[]} differs */
  stillOpen(differs) {
    return differs.map((one) => one.what === "line" ? t("desk.open_line", { ply: moveNumber(one.ply) }) : t("desk.open_board", { who: t(`board_of.${one.what}`), squares: one.squares.join(", ") }));
  }

  // Whole scores, where the few lines do not settle it: the same answer, and what it asks.
  // Where the desk had changed beside this page, they are compared once more: else a late look would take the answer away.
  async compare(told = this.telling(), again = true) {
    const before = deskRead(this.answer);
    const sheet = (/** @type {Seat} */ side) => $(`desk-sheet-${side}`).value.trim() || null;
    const { ok, said } = await answerOf(`/api/desk/sheets?${this.place}`, { white: sheet("white"), black: sheet("black") });
    if (!ok) { told(said.text, true); return; }
    await this.catchUp();
    if (again && deskRead(this.answer) !== before) { await this.compare(told, false); return; }
    this.compared = deskRead(this.answer);
    if (said.missing.length) {
      const lines = [t("desk.sheets.missing", { plies: ranges(said.missing) })];
      list($("desk-compared"), lines, "p");
      $("desk-compared").focus();
      say(lines[0]);
      return;
    }
    const lines = [t(`desk.verdict.${said.verdict}`), t("desk.agree", { ply: said.agree_plies ? moveNumber(said.agree_plies) : "0" })];
    const [placement, turn] = said.position.split(" ");
    this.decision = { verdict: said.verdict, ply: said.agree_plies, moves: said.moves, placement, turn: turn === "w" ? "white" : "black", stands: true };
    this.differing();
    this.times({ ...this.answer, verdict: said.verdict, clock: said.clock, clock_read: said.clock_read });
    this.deciding();
    if (said.verdict === "same_record") lines.push(...this.deviating(said.against));
    for (const one of said.shifts) lines.push(t(`desk.shift.${one.kind}`, { who: t(one.score === "first" ? "score_of.white" : "score_of.black"), ply: moveNumber(one.ply) }));
    for (const one of said.questions) lines.push(t("desk.question", { ply: moveNumber(one.ply), white: one.first ?? "-", black: one.second ?? "-", moves: one.candidates.join(", ") || "-" }));
    lines.push(t("desk.likely", { moves: said.written.map((/** @type {string} */ move, /** @type {number} */ index) => (index % 2 ? move : `${index / 2 + 1}. ${move}`)).join(" ") }));
    list($("desk-compared"), lines, "p");
    $("desk-compared").focus();
    say(lines.slice(0, 3).join(" "));
  }

  // The decision, with the game as both scores give it: the server takes it for its own. Where the scores do not agree to
  // the end, "only the server is wrong" takes what both boards show.
  /** @param {"adjust" | "back" | "mend"} kind */
  async decide(kind) {
    const found = this.decision;
    /** @type {Wire.DecideDesk} */
    const body = { do: "decide_desk", kind, verdict: found?.verdict ?? "" };
    const times = kind === "back" ? this.chosenTimes() : null;
    const alike = ALIKE.includes(found?.verdict);
    if (found?.moves && kind === "back") body.moves = found.moves.slice(0, found.ply);
    else if (found && (kind === "back" || alike)) Object.assign(body, { moves: found.moves, placement: found.placement, turn: found.turn });
    if (times?.wrong) { this.telling()(t("write_time"), true); $(times.wrong).focus(); return; }
    if (times) Object.assign(body, { ply: found.ply }, times);
    // Where an earlier desk left moves unknown, the game of both scores has no beginning: their position counts.
    if (!body.moves && ($("desk-position-alone").checked || body.placement)) body.position_alone = true;
    await this.ask(body);
  }

  /** @returns {Partial<Wire.DecideDesk> & { wrong?: `desk-time-${Seat}` }} */
  chosenTimes() {
    const times = /** @type {Wire.DecideDesk["times"]} */ (document.querySelector("[name='desk-times']:checked")?.getAttribute("value"));
    if (times !== "typed") return { times };
    const [white, black] = SIDES.map((side) => milliseconds($(`desk-time-${side}`).value));
    if (white === null || black === null) return { wrong: white === null ? "desk-time-white" : "desk-time-black" };
    return { times, white_ms: white, black_ms: black };
  }
}
