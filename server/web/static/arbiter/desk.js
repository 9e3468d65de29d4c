// The reconciliation desk (D.2.9): both boards as the arbiter sees them, the few lines, the answer, the decision; and the
// boards set square by square, after it and after any position that is restored (7.5.1).
import { $ } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { Board, manNamed } from "/static/core/board.js";
import { say } from "/static/core/live.js";
import { inWords } from "/static/core/times.js";
import { milliseconds, sayingOut, timeInWords } from "/static/arbiter/acts.js";
import { playKept } from "/static/arbiter/kept_sound.js";
import { ask } from "/static/core/servers.js";

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
const SHOWN = ["board_read", "cell_typed", "cell_heard", "unread_accepted", "board_confirmed", "square_asked", "board_said_set", "boards_to_set", "restored"];
// Numbers in a row as one range: 1-3, 7.
/** @param {number[]} plies */
const ranges = (plies) => {
  /** @type {number[][]} */
  const rows = [];
  for (const ply of plies) {
    const last = rows.at(-1);
    if (last && last.at(-1) === ply - 1) rows[rows.length - 1] = [last[0], ply];
    else rows.push([ply]);
  }
  return rows.map((row) => row.join("–")).join(", ");
};
/** @param {HTMLElement} place @param {string[]} lines */
const list = (place, lines, tag = "li") => place.replaceChildren(...lines.map((text) => Object.assign(document.createElement(tag), { textContent: text })));

export class Desk {
  /** @param {Station} station @param {string} place @param {Tell} told */
  constructor(station, place, told) {
    this.station = station;
    this.place = place;
    this.told = told;
    /** @type {Http} */
    this.answer = null;
    /** @type {Http} */
    this.decision = null;
    this.asked = 0;
    this.fill();
    document.addEventListener("language", () => { this.fill(); this.look(); });
    const board = (/** @type {Seat} */ side) => new MarkedBoard($(`desk-${side}`), () => $("desk-piece").value, () => this.differing());
    this.boards = { white: board("white"), black: board("black") };
    for (const side of SIDES) {
      $(`desk-show-${side}`).addEventListener("click", () => this.ask({ do: "show_board", board: side, placement: this.boards[side].placement ?? "" }));
      $(`desk-confirm-${side}`).addEventListener("click", () => this.ask({ do: "confirm_board", board: side }));
      const time = $(`desk-time-${side}`);
      sayingOut(time, $(`desk-time-${side}-said`), timeInWords);
      time.addEventListener("input", () => { $("desk-times-typed").checked = true; });
    }
    $("desk-sheets").addEventListener("submit", (event) => { event.preventDefault(); this.compare(); });
    $("desk-more").addEventListener("change", () => this.look());
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
    if (event.event.startsWith("desk_") || SHOWN.includes(event.event)) this.look();
  }

  /** @param {Command} body */
  async ask(body) {
    return this.station.do(body); // a refusal is told by the page
  }

  // Answers that overtake one another: the last question counts.
  async look() {
    const asked = (this.asked += 1);
    const plies = $("desk-more").value.replace(/[^\d,]/g, "");
    const answer = await ask(`/api/desk?${this.place}&plies=${plies}`);
    const said = await answer.json();
    if (asked !== this.asked) return;
    if (!answer.ok) { this.told(said.text, true); return; }
    this.show(said);
  }

  /** @param {Http} said */
  show(said) {
    const shown = said.open || Boolean(said.setting);
    const opened = shown && !(this.answer?.open || this.answer?.setting);
    const newly = said.setting && !this.answer?.setting;
    this.answer = said;
    $("desk-body").hidden = !shown;
    $("desk-asking").hidden = !said.open;
    $("desk-setting").hidden = !said.setting;
    $("desk-open").disabled = said.open;
    $("desk-close").disabled = !said.open;
    if (!shown) { this.decision = null; return; }
    if (opened) $("desk").open = true;
    for (const side of SIDES) if (opened || said.seen[side]) this.boards[side].show(said.seen[side] ?? said.kept[side]);
    this.decision = said.verdict ? { verdict: said.verdict, ply: said.agree_plies, moves: said.moves, placement: said.placement, turn: said.turn, stands: !said.provisional && !said.listen.length } : null;
    this.differing();
    if (said.open) {
      this.explain(said);
      this.ply(said);
      this.law(said);
      this.times(said);
    }
    this.set(said, newly);
  }

  // What stands on each board on the squares at which they differ from one another, or from what the scores give; each
  // is marked on both boards, in what is read there too, and listed in words.
  differing() {
    const setting = this.answer?.setting;
    const wanted = setting?.placement ?? this.decision?.placement;
    const on = Object.fromEntries(SIDES.map((side) => [side, spread(this.boards[side].placement ?? "8/8/8/8/8/8/8/8")]));
    const should = wanted ? spread(wanted) : null;
    /** @type {{ [side in Seat]: { [square: string]: string } }} */
    const marks = { white: {}, black: {} };
    const lines = [];
    for (const name of Object.keys(this.boards.white.cells).sort()) {
      const at = place64(name);
      const man = (/** @type {string} */ squares) => piece(squares[at] === "." ? "" : squares[at]);
      // After a position was restored the boards are shown as they shall stand.
      for (const side of SIDES) if (setting?.[side].some((/** @type {Http} */ one) => one.square === name)) marks[side][name] = t("desk.marked.set", { cell: this.boards[side].reading(name) });
      if (on.white[at] === on.black[at] && (!should || should[at] === on.white[at])) continue;
      for (const side of SIDES) {
        const other = side === "white" ? "black" : "white";
        const cell = this.boards[side].reading(name);
        marks[side][name] = should ? t(should[at] === on[side][at] ? "desk.marked.right" : "desk.marked.should", { cell, man: man(should) }) : t("desk.marked", { cell, other: man(on[other]) });
      }
      const values = { square: name, white: man(on.white), black: man(on.black) };
      lines.push(should ? t("desk.differ.should", { ...values, man: man(should) }) : t("desk.differ", values));
    }
    for (const side of SIDES) this.boards[side].remark(marks[side]);
    list($("desk-differing"), lines.length ? lines : [t("desk.differ_none")]);
    $("desk-differing").hidden = $("desk-differing-title").hidden = setting?.because === "restored";
  }

  /** @param {Http} said */
  explain(said) {
    const lines = said.explanations.map((/** @type {Http} */ one) => {
      const move = [`${one.ply}.`, one.recorded ?? "-", one.instead ? `${one.where === "scores" ? "/" : "→"} ${one.instead}` : ""].filter(Boolean).join(" ");
      return `${one.borne_out ? "✓ " : ""}${move}: ${t(`desk.kind.${one.kind}`)} (${t(`desk.where.${one.where}`)})`;
    });
    if (said.out_of_step && !said.verdict) lines.unshift(t("desk.out_of_step"));
    if (!lines.length && !said.settled && !said.undecided && said.boards.some((/** @type {Http} */ board) => board.deviates)) lines.push(t("desk.none"));
    list($("desk-explanations"), lines);
  }

  // One field a ply and side; what is being typed stays as it is.
  /** @param {Http} said */
  ply(said) {
    const wanted = said.lines.map((/** @type {Http} */ line) => line.ply).join();
    if ($("desk-lines").dataset.plies !== wanted) {
      $("desk-lines").dataset.plies = wanted;
      $("desk-lines").replaceChildren(...said.lines.map((/** @type {Http} */ line) => this.row(line)));
    }
    for (const line of said.lines) for (const side of SIDES) this.cell(line, side);
  }

  /** @param {Http} line */
  row(line) {
    const group = document.createElement("div");
    group.className = "row";
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", t("desk.ply", { ply: line.ply }));
    for (const side of SIDES) {
      const id = `desk-${side}-${line.ply}`;
      const box = document.createElement("div");
      box.className = "grow";
      const label = Object.assign(document.createElement("label"), { htmlFor: id, textContent: t("desk.cell_of", { who: t(`score_of.${side}`), ply: line.ply }) });
      const field = Object.assign(document.createElement("input"), { id, type: "text", maxLength: 60, autocomplete: "off", spellcheck: false });
      field.setAttribute("aria-describedby", `${id}-read`);
      field.addEventListener("change", () => this.ask({ do: "type_cell", seat: side, ply: line.ply, text: field.value.trim() }));
      const read = Object.assign(document.createElement("p"), { id: `${id}-read`, className: "soft small" });
      const listen = Object.assign(document.createElement("button"), { type: "button", id: `${id}-listen`, textContent: t("desk.listen") });
      listen.addEventListener("click", () => this.listen(line.ply, side));
      box.append(label, field, read, listen);
      group.append(box);
    }
    return group;
  }

  /** @param {Http} line @param {Seat} side */
  cell(line, side) {
    const id = /** @type {`desk-${Seat}-${number}`} */ (`desk-${side}-${line.ply}`);
    const cell = line[side];
    if (document.activeElement !== $(id)) $(id).value = cell.text;
    const notes = [];
    if (cell.text && !this.answer.undecided) notes.push(cell.understood ? t("desk.understood", { moves: cell.understood }) : t("desk.not_understood"));
    if (cell.provisional) notes.push(t("desk.provisional"));
    $(`${id}-read`).textContent = notes.join(" · ");
    $(`${id}-listen`).hidden = !cell.clip;
    $(`${id}-listen`).dataset.clip = cell.clip ?? "";
  }

  // One key plays both utterances of this ply, the announcement and the echo; this side's cell then counts as heard.
  /** @param {number} ply @param {Seat} side */
  async listen(ply, side) {
    const own = $(`desk-${side}-${ply}-listen`).dataset.clip;
    const clips = this.answer.lines.find((/** @type {Http} */ line) => line.ply === ply)?.clips ?? [];
    try {
      for (const clip of new Set([...clips, own])) await this.play(clip);
      await this.ask({ do: "hear_cell", seat: side, ply });
    } catch (/** @type {any} */ wrong) {
      this.told(String(wrong?.message ?? wrong), true);
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
      lines.push(t(`desk.verdict.${said.verdict}`), t("desk.agree", { ply: said.agree_plies }));
      if (said.verdict === "same_record") lines.push(...this.deviating(said.against));
      if (said.clock) lines.push(t("desk.clock", { white: inWords(said.clock.white), black: inWords(said.clock.black) }));
      if (said.provisional) lines.push(t("desk.provisional_answer", { plies: ranges(said.unread) }));
      else lines.push(t(said.settled ? "desk.settled" : "desk.unsettled"));
      if (said.accepted) lines.push(t("desk.accepted", { plies: ranges(said.unread) }));
    }
    $("desk-accept").hidden = !said.provisional;
    for (const one of said.listen) lines.push(`${t("desk.cell_of", { who: t(`score_of.${one.side}`), ply: one.ply })}: ${t("desk.provisional")}`);
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
    return differs.map((one) => one.what === "line" ? t("desk.open_line", { ply: one.ply }) : t("desk.open_board", { who: t(`board_of.${one.what}`), squares: one.squares.join(", ") }));
  }

  // Whole scores, where the few lines do not settle it: the same answer, and what it asks.
  async compare() {
    const sheet = (/** @type {Seat} */ side) => $(`desk-sheet-${side}`).value.trim() || null;
    const body = JSON.stringify({ white: sheet("white"), black: sheet("black") });
    const answer = await ask(`/api/desk/sheets?${this.place}`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    const said = await answer.json();
    if (!answer.ok) { this.told(said.text, true); return; }
    if (said.missing.length) {
      const lines = [t("desk.sheets.missing", { plies: ranges(said.missing) })];
      list($("desk-compared"), lines, "p");
      $("desk-compared").focus();
      say(lines[0]);
      return;
    }
    const lines = [t(`desk.verdict.${said.verdict}`), t("desk.agree", { ply: said.agree_plies })];
    const [placement, turn] = said.position.split(" ");
    this.decision = { verdict: said.verdict, ply: said.agree_plies, moves: said.moves, placement, turn: turn === "w" ? "white" : "black", stands: true };
    this.differing();
    this.times({ ...this.answer, verdict: said.verdict, clock: said.clock, clock_read: said.clock_read });
    this.deciding();
    if (said.verdict === "same_record") lines.push(...this.deviating(said.against));
    for (const one of said.shifts) lines.push(t(`desk.shift.${one.kind}`, { who: t(one.score === "first" ? "score_of.white" : "score_of.black"), ply: one.ply }));
    for (const one of said.questions) lines.push(t("desk.question", { ply: one.ply, white: one.first ?? "-", black: one.second ?? "-", moves: one.candidates.join(", ") || "-" }));
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
    if (times?.wrong) { this.told(t("write_time"), true); $(times.wrong).focus(); return; }
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
