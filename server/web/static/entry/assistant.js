// The assistant's page: exactly the duties that the arbiter has granted (D.2.10); what is none of them is not there. What
// is due by them stands in the bar: a move to make on a board, a press, a fallen flag, a move to seal.
import { $ } from "/static/core/element.js";
import { also, spelt, start, t } from "/static/core/language.js";
import { say } from "/static/core/live.js";
import { Station } from "/static/core/station.js";
import { confirmed } from "/static/core/asking.js";
import { Due } from "/static/player/due.js";
import { Speaker } from "/static/player/speaker.js";
import { Score, head } from "/static/core/score.js";
import { Clocks, SEATS } from "/static/core/times.js";
import { fit } from "/static/player/said.js";
import { writing } from "/static/player/writing.js";

also("player");
await start();
head($("score"));
const score = new Score($("score"));
const clocks = new Clocks($("clocks"));
/** @type {Speaker} */
let speaker;
/** @type {Due} */
let due;
/** @type {Seat} */
let seat = "white";
/** @type {readonly string[]} */
let duties = [];
/** @type {{ seat: Seat, text: string } | null} */
let said = null; // the last words for a move, and whose
/** @type {string} */
let repeating = ""; // the opponent's words that the player has not repeated yet (D.2.1)
let sealing = false; // the player must seal
let enclosed = false; // and something lies in the envelope
let flag = false;
let claimed = false;
let pressing = false; // the player's move was said, and made where that is a duty: the press comes when they ask for it
let over = false;

/** @param {Seat} one @returns {Seat} */
const other = (one) => (one === "white" ? "black" : "white");
/** @param {string} duty */
const may = (duty) => duties.includes(duty);
const whose = () => /** @type {Seat} */ (document.querySelector("[name=whose]:checked")?.getAttribute("value") ?? seat);

// A move is made on the board of who did not make it (D.2.10.1); it is answered in words.
/** @param {Seat} board @returns {DueAnswer} */
const made = (board) => ({ label: t("assist.made", { board: t(`board_of.${board}`) }), run: async () => {
  const now = said;
  if (station.waits({ do: "execute", board })) return;
  const outcome = await station.do({ do: "execute", board });
  if (!outcome.ok) return;
  if (said === now) said = null; // the next words may have come before the answer
  pressing ||= board !== seat && clocks.shown?.running === seat;
  speaker.show(t("assist.made", { board: t(`board_of.${board}`) }), true);
  due.draw();
} });

// The player's assistant may repeat them as the player's, where announcing is granted (D.2.10.2): as they were said.
/** @returns {DueAnswer[]} */
const repeat = () => (repeating && may("announce") ? [{ label: t("assist.repeat", { seat: t(seat) }), run: () => { if (!station.waits(repeating, seat)) station.type(repeating, "auto", seat); } }] : []);

/** @returns {DueShown | null} */
function dueNow() {
  if (over) return null;
  if (sealing && may("adjourn")) {
    const close = async () => { if ((await station.do({ do: "stop_sealed" })).ok) enclosed = false; };
    // A page that came anew does not know what lies in it: the server refuses to close an empty one.
    return { text: t(enclosed ? "assist.enclosed" : "assist.seal"), answers: [{ label: t("assist.close"), run: close }] };
  }
  if (flag && !claimed && may("claim_and_report")) return { said: true, text: t("due.flag_of", { seat: t(other(seat)) }), answers: [{ label: t("claim_time"), body: { do: "claim_time" }, sure: "sure.flag" }] };
  if (pressing && !said && may("score_and_clock")) return { said: true, text: t("assist.press"), answers: [{ label: t("press"), run: () => { station.do({ do: "press" }); } }] };
  const again = repeat();
  const words = said ?? (again.length ? { seat: other(seat), text: spelt(repeating) } : null);
  // The opponent announces the opponent's own move alone; the player's words may repeat that move, or be the player's own.
  const boards = said && may("execute") ? (said.seat === seat ? SEATS : [seat]).map(made) : [];
  if (words && (again.length || boards.length)) {
    const text = t("assist.said", { seat: t(words.seat), move: words.text });
    return { text: again.length ? `${text} – ${t("assist.to_repeat", { seat: t(seat) })}` : text, answers: [...again, ...boards] };
  }
  if (!may("execute")) return null;
  return { text: t("duty.execute"), answers: SEATS.map(made) };
}

function parts() {
  for (const part of document.querySelectorAll("[data-duty]")) part.hidden = !(part.dataset.duty ?? "").split(" ").some(may);
  const field = may("announce") || (may("adjourn") && sealing);
  $("saying").hidden = !field;
  $("announce-title").textContent = t(sealing && may("adjourn") ? "duty.adjourn" : "duty.announce");
  const lines = duties.length ? duties.map((duty) => t(`duty.${duty}`)) : [t("no_duties")];
  $("duties").replaceChildren(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  due?.draw();
}

// What was told to the player, or is the opponent's, is said to be theirs.
/** @param {string} text */
const by = (text) => { $("last-by").textContent = text; };

const station = new Station({
  greeting(greeting) {
    seat = greeting.seat ?? seat;
    duties = greeting.duties;
    delete $("who").dataset.t;
    $("who").textContent = `${t("title.assistant")} – ${t(seat)}`;
    clocks.named(greeting.names);
    clocks.show(greeting.clock);
    score.set(greeting.own_score);
    over ||= Boolean(greeting.result);
    number();
    if (!document.querySelector("[name=whose]:checked")) for (const one of document.querySelectorAll("[name=whose]")) /** @type {HTMLInputElement} */ (one).checked = one.getAttribute("value") === seat;
    parts();
    speaker.whose = t("assist.told", { seat: t(seat) });
    if (greeting.offer_unread) speaker.acknowledge();
    speaker.whose = "";
  },
  message(message, live) {
    told(message, live);
    parts();
  },
  sound: (ready) => speaker.sound(ready),
  sealed(words) {
    enclosed ||= words.understood;
    speaker.sealed(words);
    due.draw();
  },
  refused: (text) => speaker.refused(text),
});

/** @param {Told} message @param {boolean} live */
function told(message, live) {
  switch (message.type) {
    case "clock_shown":
      if (live) clocks.show(message);
      if (message.running !== seat) pressing = false;
      if (message.told) told({ ...message.told, lines: message.lines, instant: message.instant }, live);
      return;
    case "score_line":
      score.put(message.index, message.text);
      number();
      return;
    case "understood":
    case "relayed": {
      const from = message.type === "understood" ? seat : other(seat);
      const repeated = from === seat && message.text === repeating;
      repeating = from === seat ? "" : message.text;
      if (!repeated) said = { seat: from, text: fit(message.text, message.words) };
      if (!repeated && live && message.type === "understood" && !message.echo && !may("execute")) { said = null; pressing = true; }
      speaker.whose = t(from);
      speaker.message(message, live);
      speaker.whose = "";
      by(t(from));
      if (live && repeating && may("announce")) say(t("assist.to_repeat", { seat: t(seat) }));
      return;
    }
    case "claim_shown": // the player looks at the final position, not the assistant
      speaker.whose = t("assist.told", { seat: t(seat) });
      speaker.show(message.text || t("claim_own"), live, t(seat));
      speaker.whose = "";
      return;
    case "draw_offer": // who brings the player the words brings them this too, and says so (D.2.11)
      message = { ...message, acknowledge: message.acknowledge && may("announce") };
      break;
    case "adjournment_shown":
      sealing = message.stage === "ordered" && message.own;
      enclosed = false;
      break;
    case "act_taken":
      claimed ||= message.what === "flag";
      break;
    case "resumed":
      claimed = false;
      break;
    case "ended":
      over = true;
      repeating = "";
      if (live) clocks.stop();
      break;
  }
  const before = $("last").textContent;
  const theirs = !["ended", "answer_given", "not_done", "act_taken"].includes(message.type);
  if (theirs) speaker.whose = t("assist.told", { seat: t(seat) });
  speaker.message(message, live);
  speaker.whose = "";
  if (theirs && $("last").textContent !== before) by(t("assist.told", { seat: t(seat) }));
}

const number = writing(station, score);
due = new Due(station, undefined, dueNow);
speaker = new Speaker(station);
$("say").addEventListener("submit", async (event) => { // whose words they are goes with them
  event.preventDefault();
  event.stopImmediatePropagation();
  const field = $("field");
  const text = field.value.trim();
  const mover = may("announce") ? whose() : undefined;
  if (!text || station.waits(text, mover)) return;
  field.focus(); // at once: who goes on elsewhere before the answer is not called back
  const outcome = await station.type(text, "auto", mover);
  if ((outcome.ok || outcome.code === "sure_flag") && field.value.trim() === text) field.value = "";
  if (outcome.code !== "sure_flag") return; // a claim in a word is asked about once, like that of the button
  if (await confirmed(t("sure.flag"))) station.do({ do: "claim_time" });
}, { capture: true });
$("touch").addEventListener("submit", async (event) => {
  event.preventDefault();
  const typed = $("touch-square").value;
  const square = typed.toLowerCase();
  const how = $("touch-how").value;
  /** @type {Command} */
  const body = { do: "report_touch", seat: other(seat), square, how };
  if (station.waits(body)) return;
  const outcome = await station.do(body);
  if (!outcome.ok) return;
  if ($("touch-square").value === typed) $("touch-square").value = "";
  speaker.show(t("assist.reported", { square, how: t(`choice.how.${how}`) }), true, t(other(seat)));
});
for (const one of document.querySelectorAll("[name=whose]")) one.addEventListener("change", () => { $("talk").hidden = whose() !== seat; }); // a voice is the own player's
document.addEventListener("language", () => { $("who").textContent = `${t("title.assistant")} – ${t(seat)}`; parts(); });
setInterval(() => {
  const now = Boolean(clocks.shown) && clocks.left(other(seat)) <= 0;
  if (now === flag) return;
  flag = now;
  if (!flag) claimed = false;
  due.draw();
}, 250);
