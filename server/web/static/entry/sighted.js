// The sighted player's page: clocks, their own board, their own score, the press.
import { $ } from "/static/core/element.js";
import { also, has, spelt, start, t } from "/static/core/language.js";
import { Station } from "/static/core/station.js";
import { Due } from "/static/player/due.js";
import { Speaker } from "/static/player/speaker.js";
import { Score, head } from "/static/core/score.js";
import { claiming } from "/static/player/claiming.js";
import { installed } from "/static/entry/installed.js";
import { seatLanguage } from "/static/player/seat_language.js";
import { Clocks } from "/static/core/times.js";
import { Board, inMoveWords } from "/static/core/board.js";
import { LEGEND } from "/static/player/said.js";
import { writing } from "/static/player/writing.js";

also("player");
await start();
head($("score"));
const score = new Score($("score"));
const clocks = new Clocks($("clocks"));
/** @type {Board | null} */
let board = null;
/** @type {Seat | null} */
let seat = null;
/** @type {Speaker} */
let speaker;
/** @type {Due} */
let due;

function legend() {
  $("legend").replaceChildren(...LEGEND.map(([mark, said]) => {
    const item = document.createElement("li");
    const own = `legend.${mark[0]}`; // where the page has another script, how its readers read the words of D.2.1
    if (!has(own)) item.lang = "de";
    const sign = document.createElement("b");
    sign.textContent = mark;
    item.append(sign, has(own) ? t(own) : spelt(said));
    return item;
  }));
}
legend();

// What the hand did last on this board can be put back until the clock is pressed.
/** @type {DueShown | null} */
let byHand = null;
async function putBack() {
  const outcome = await station.do({ do: "put_back" });
  hand(null);
  if (outcome.ok) speaker.show(t("put_back.done"), true);
}
/** @param {string | null} text @param {string} [label] @param {() => void} [run] */
function hand(text, label = t("put_back"), run = putBack) {
  byHand = text ? { text, answers: [{ label, run }] } : null;
  due.draw();
}
/** @param {Wire.BoardToSet} message */
function toSet({ squares }) {
  board?.toSet(squares);
  hand(t("to_set.list"), t("due.square_set"), () => { board?.remark({}); hand(null); });
}

/** @param {string} uci @param {Seat} colour */
async function moved(uci, colour) {
  const move = inMoveWords(uci, board?.squares[uci.slice(0, 2)]?.name);
  const outcome = await station.do(colour === seat ? { do: "enter_move", uci } : { do: "execute", uci, origin: "entered" });
  if (!outcome.ok) return;
  if (!due.ended) hand(t(colour === seat ? "put_back.own" : "executed", { move }));
  if (colour !== seat) speaker.show(t("executed", { move }), true);
  else if (speaker.mode !== "relay") speaker.show(t("placed", { move }), true);  // in relay it is announced, and read back
}

const station = new Station({
  greeting(greeting) {
    seat = greeting.seat;
    delete $("who").dataset.t;
    $("who").textContent = `${t(seat ?? "")} – ${t("title.sighted")}`;
    clocks.named(greeting.names);
    score.set(greeting.own_score);
    speaker.seat(greeting.sound);
    speaker.greeted(greeting);
    number();
    clocks.show(greeting.clock);
    board ??= new Board($("board"), { flipped: seat === "black", moved, drags: true });
    board.show(greeting.board, greeting.before[0]);
    /** @type {HTMLElement} */ ($("board").closest("section")).hidden = !greeting.board;
  },
  message(message, live) {
    if (message.type === "ended" && live) { clocks.stop(); hand(null); }
    if (message.type === "clock_shown") {
      if (live) clocks.show(message);
      if (live && !message.told) hand(null); // pressed
      if (message.running) speaker.begun(true);
      if (message.told) speaker.message({ ...message.told, lines: message.lines, instant: message.instant }, live);
    }
    else if (message.type === "board_shown") { if (live) board?.show(message.placement, message.before); }
    else if (message.type === "score_line") { score.put(message.index, message.text); number(); }
    else speaker.message(message, live);
    if (live && message.type === "board_to_set") toSet(message);
    due.message(message.type === "clock_shown" && message.told ? { ...message.told, lines: message.lines, instant: message.instant } : message, live);
  },
  sound: (ready) => speaker.sound(ready),
  level: (said) => speaker.level(said),
  hush: (said) => speaker.hush(said),
  there: () => speaker?.there(),
  sealed: (said) => speaker.sealed(said),
  rehearsal: (said) => speaker.rehearsal(said),
  refused: (text) => speaker.refused(text),
});
$("large-clock").addEventListener("click", () => {
  const large = document.body.classList.toggle("large-clock");
  $("large-clock").setAttribute("aria-pressed", String(large));
});
const number = writing(station, score);
due = new Due(station, () => Boolean(seat && clocks.shown && !due?.ended && clocks.left(seat === "white" ? "black" : "white") <= 0), () => byHand);
speaker = new Speaker(station);
claiming(station);
seatLanguage(station);
installed();
document.addEventListener("language", () => { board?.show(board.placement); legend(); });
