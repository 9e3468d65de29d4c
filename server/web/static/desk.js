// The reconciliation desk (D.2.9): both boards as the arbiter sees them, the few lines, the answer, the decision.
import { t } from "/static/language.js";
import { Board, NAMES } from "/static/board.js";
import { say } from "/static/live.js";
import { inWords } from "/static/times.js";

const $ = (id) => document.getElementById(id);
const SIDES = ["white", "black"];
const MEN = [["", "desk.empty"], ..."KQRBNPkqrbnp"].map((one) => (Array.isArray(one) ? one : [one, one]));

// 64 squares of a placement, a8 first, and back.
const spread = (placement) => placement.replaceAll("/", "").replace(/\d/g, (count) => ".".repeat(Number(count)));
const folded = (squares) => squares.match(/.{8}/g).join("/").replace(/\.+/g, (run) => run.length);
const place64 = (name) => (8 - Number(name[1])) * 8 + "abcdefgh".indexOf(name[0]);

// A board on which a chosen man is set by pressing a square.
class MarkedBoard extends Board {
  constructor(table, chosen) {
    super(table, { moved: () => {} });
    this.chosenMan = chosen;
  }

  async choose(name) {
    if (!name || !this.placement) return;
    const squares = [...spread(this.placement)];
    squares[place64(name)] = this.chosenMan() || ".";
    this.show(folded(squares.join("")));
    say(this.cells[name].textContent);
  }
}

function piece(letter) {
  return letter ? `${t(letter === letter.toUpperCase() ? "white" : "black")} ${t(`piece.${NAMES[letter.toLowerCase()]}`)}` : t("desk.empty");
}

export class Desk {
  constructor(station, place, told) {
    this.station = station;
    this.place = place;
    this.told = told;
    this.answer = null;
    this.fill();
    document.addEventListener("language", () => { this.fill(); this.look(); });
    this.boards = {};
    for (const side of SIDES) {
      this.boards[side] = new MarkedBoard($(`desk-${side}`), () => $("desk-piece").value);
      $(`desk-show-${side}`).addEventListener("click", () => this.ask({ do: "show_board", board: side, placement: this.boards[side].placement }));
      $(`desk-confirm-${side}`).addEventListener("click", () => this.ask({ do: "confirm_board", board: side }));
    }
    $("desk-sheets").addEventListener("submit", (event) => { event.preventDefault(); this.compare(); });
    $("desk-more").addEventListener("change", () => this.look());
    for (const kind of ["adjust", "back", "mend"]) $(`desk-${kind}`).addEventListener("click", () => this.decide(kind));
  }

  fill() {
    const kept = $("desk-piece").value;
    $("desk-piece").replaceChildren(...MEN.map(([value]) => Object.assign(document.createElement("option"), { value, textContent: piece(value) })));
    $("desk-piece").value = kept;
  }

  recorded(event) {
    if (event.event.startsWith("desk_") || ["board_read", "cell_typed", "cell_heard", "board_confirmed"].includes(event.event)) this.look();
  }

  async ask(body) {
    await this.station.do(body); // a refusal is told by the page
  }

  async look() {
    const plies = $("desk-more").value.replace(/[^\d,]/g, "");
    const answer = await fetch(`/api/desk?${this.place}&plies=${plies}`);
    const said = await answer.json();
    if (!answer.ok) { this.told(said.text, true); return; }
    this.show(said);
  }

  show(said) {
    const opened = said.open && !this.answer?.open;
    this.answer = said;
    $("desk-body").hidden = !said.open;
    $("desk-open").disabled = said.open;
    $("desk-close").disabled = !said.open;
    if (!said.open) return;
    if (opened) $("desk").open = true;
    for (const side of SIDES) {
      if (opened || said.seen[side]) this.boards[side].show(said.seen[side] ?? said.kept[side]);
      $(`desk-confirm-${side}`).disabled = !said.decided || said.confirmed.includes(side);
    }
    this.explain(said);
    this.ply(said);
    this.law(said);
  }

  explain(said) {
    const lines = said.explanations.map((one) => {
      const move = [`${one.ply}.`, one.recorded ?? "-", one.instead ? `→ ${one.instead}` : ""].filter(Boolean).join(" ");
      return `${one.borne_out ? "✓ " : ""}${move}: ${t(`desk.kind.${one.kind}`)} (${t(`desk.where.${one.where}`)})`;
    });
    if (said.out_of_step) lines.unshift(t("desk.out_of_step"));
    if (!lines.length && said.boards.some((board) => board.deviates)) lines.push(t("desk.none"));
    $("desk-explanations").replaceChildren(...lines.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  }

  // One field a ply and side; what is being typed stays as it is.
  ply(said) {
    const wanted = said.lines.map((line) => line.ply).join();
    if ($("desk-lines").dataset.plies !== wanted) {
      $("desk-lines").dataset.plies = wanted;
      $("desk-lines").replaceChildren(...said.lines.map((line) => this.row(line)));
    }
    for (const line of said.lines) for (const side of SIDES) this.cell(line, side);
  }

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

  cell(line, side) {
    const id = `desk-${side}-${line.ply}`;
    const cell = line[side];
    if (document.activeElement !== $(id)) $(id).value = cell.text;
    const notes = [];
    if (cell.text) notes.push(cell.understood ? t("desk.understood", { moves: cell.understood }) : t("desk.not_understood"));
    if (cell.provisional) notes.push(t("desk.provisional"));
    $(`${id}-read`).textContent = notes.join(" · ");
    $(`${id}-listen`).hidden = !cell.clip;
    $(`${id}-listen`).dataset.clip = cell.clip ?? "";
  }

  // One key plays both utterances of this ply, the announcement and the echo; this side's cell then counts as heard.
  async listen(ply, side) {
    const own = $(`desk-${side}-${ply}-listen`).dataset.clip;
    const clips = this.answer.lines.find((line) => line.ply === ply)?.clips ?? [];
    try {
      for (const clip of new Set([...clips, own])) await this.play(clip);
      await this.ask({ do: "hear_cell", seat: side, ply });
    } catch (wrong) {
      this.told(String(wrong?.message ?? wrong), true);
    }
  }

  play(clip) {
    return new Promise((done, failed) => {
      const sound = new Audio(`/evidence/${clip}?${this.place}`);
      sound.addEventListener("ended", done, { once: true });
      sound.addEventListener("error", () => failed(sound.error), { once: true });
      sound.play().catch(failed);
    });
  }

  law(said) {
    const lines = [];
    if (said.verdict) {
      lines.push(t(`desk.verdict.${said.verdict}`), t("desk.agree", { ply: said.agree_plies }));
      if (said.clock) lines.push(t("desk.clock", { white: inWords(said.clock.white), black: inWords(said.clock.black) }));
      lines.push(t(said.settled ? "desk.settled" : "desk.unsettled"));
    }
    for (const one of said.listen) lines.push(`${t("desk.cell_of", { who: t(`score_of.${one.side}`), ply: one.ply })}: ${t("desk.provisional")}`);
    for (const side of SIDES) {
      const squares = said.decided?.[side] ?? [];
      if (squares.length) lines.push(t("desk.to_set", { who: t(side), squares: squares.map((one) => `${one.square} ${piece(one.should_be)}`).join(", ") }));
    }
    $("desk-answer").replaceChildren(...lines.map((text) => Object.assign(document.createElement("p"), { textContent: text })));
    for (const kind of ["adjust", "back"]) $(`desk-${kind}`).disabled = !said.verdict;
    if (said.verdict) say(lines.join(" "));
  }

  // Whole scores, where the few lines do not settle it: the same answer, and what it asks.
  async compare() {
    const sheet = (side) => $(`desk-sheet-${side}`).value.trim() || null;
    const body = JSON.stringify({ white: sheet("white"), black: sheet("black") });
    const answer = await fetch(`/api/desk/sheets?${this.place}`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    const said = await answer.json();
    if (!answer.ok) { this.told(said.text, true); return; }
    const lines = [t(`desk.verdict.${said.verdict}`), t("desk.agree", { ply: said.agree_plies })];
    const [placement, turn] = said.position.split(" ");
    this.answer = { ...this.answer, verdict: said.verdict, agree_plies: said.agree_plies, placement, turn: turn === "w" ? "white" : "black" };
    for (const kind of ["adjust", "back"]) $(`desk-${kind}`).disabled = false;
    for (const one of said.shifts) lines.push(t(`desk.shift.${one.kind}`, { who: t(one.score === "first" ? "score_of.white" : "score_of.black"), ply: one.ply }));
    for (const one of said.questions) lines.push(t("desk.question", { ply: one.ply, white: one.first ?? "-", black: one.second ?? "-", moves: one.candidates.join(", ") || "-" }));
    lines.push(t("desk.likely", { moves: said.written.map((move, index) => (index % 2 ? move : `${index / 2 + 1}. ${move}`)).join(" ") }));
    $("desk-compared").replaceChildren(...lines.map((text) => Object.assign(document.createElement("p"), { textContent: text })));
    $("desk-compared").focus();
    say(lines.slice(0, 2).join(" "));
  }

  decide(kind) {
    const said = this.answer;
    const body = { do: "decide_desk", kind, verdict: said.verdict ?? "" };
    if (kind === "adjust") Object.assign(body, { ply: said.agree_plies, placement: said.placement, turn: said.turn });
    if (kind === "back") Object.assign(body, { ply: said.agree_plies, placement: said.placement, times: $("desk-times").checked ? "stored" : "leave" });
    this.ask(body);
  }
}
