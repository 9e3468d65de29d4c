// The observer's page (12.4): both boards and the clocks, and one form that reaches the arbiter alone.
import { $ } from "/static/core/element.js";
import { start, t } from "/static/core/language.js";
import { Station } from "/static/core/station.js";
import { say, warn } from "/static/core/live.js";
import { Clocks, SEATS, inWords } from "/static/core/times.js";
import { Board } from "/static/core/board.js";

await start();
const clocks = new Clocks($("clocks"));
const boards = { white: new Board($("white-board")), black: new Board($("black-board")) };
/** @param {Wire.BoardsShown | null} message @param {string[]} [before] */
function boardsShown(message, before = []) {
  SEATS.forEach((seat, at) => boards[seat].show(message?.[seat], before[at]));
}
/** @param {string} text @param {boolean} live */
function told(text, live, urgent = false) {
  delete $("last").dataset.t;
  $("last").textContent = text;
  if (live) (urgent ? warn : say)(text);
}
const station = new Station({
  greeting(greeting) {
    clocks.named(greeting.names);
    clocks.show(greeting.clock);
    boardsShown(greeting.boards, greeting.before);
    if (greeting.result) told(t("ended", { result: greeting.result }), false);
  },
  message(message, live) {
    if (message.type === "ended" && live) clocks.stop();
    if (message.type === "clock_shown" && live) clocks.show(message);
    if (message.type === "boards_shown") boardsShown(message);
    if (message.type === "session_shown") told(t("session_shown", { time: inWords(message.length_ms) }), live);
    if (message.type === "ended") told(t("ended", { result: message.result }), live);
  },
  refused: (text) => told(text || t("refused_act"), true, true),
});
$("report").addEventListener("submit", async (event) => {
  event.preventDefault();
  /** @type {Command} */
  const body = { do: "report_to_arbiter", kind: $("report-kind").value, seat: $("report-seat").value || null, text: $("report-text").value.trim() };
  if (station.waits(body)) return;
  const typed = $("report-text").value;
  const outcome = await station.do(body);
  if (!outcome.ok) return;
  if ($("report-text").value === typed) $("report-text").value = ""; // else the next one is being typed
  told(t("reported"), true);
});
document.addEventListener("language", () => { for (const one of Object.values(boards)) one.show(one.placement); });
