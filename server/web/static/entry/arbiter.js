// The arbiter's page: everything that is recorded, both boards, both scores, and the acts that are theirs alone.
import { $ } from "/static/core/element.js";
import { has, language, spelt, start, t } from "/static/core/language.js";
import { Station, place } from "/static/core/station.js";
import { Score, head } from "/static/core/score.js";
import { Clocks, SEATS, inWords } from "/static/core/times.js";
import { Board } from "/static/core/board.js";
import { say, warn } from "/static/core/live.js";
import { confirmed } from "/static/core/asking.js";
import { door } from "/static/arbiter/door.js";
import { SetUp } from "/static/arbiter/set_up.js";
import { inviting } from "/static/arbiter/inviting.js";
import { Acts, milliseconds, sayingOut, timeInWords } from "/static/arbiter/acts.js";
import { Record, details, earlier, exports, saidBy } from "/static/arbiter/record.js";
import { Stations } from "/static/arbiter/stations.js";
import { Desk } from "/static/arbiter/desk.js";
import { seen } from "/static/arbiter/seen_alerts.js";
import { key, mute } from "/static/audio/ear.js";
import { aloud, sounding } from "/static/audio/aloud.js";
import { keep, kept } from "/static/core/keys.js";
import { rehearsalSheet, rehearsalShown } from "/static/arbiter/rehearsal.js";
import { serverDevices } from "/static/arbiter/server_devices.js";
import { why } from "/static/core/why.js";
import { write } from "/static/core/spoken.js";

await start();
const clocks = new Clocks($("clocks"));
const boards = { white: new Board($("white-board")), black: new Board($("black-board")) };
const scores = { white: new Score($("white-score")), black: new Score($("black-score")) };
for (const seat of SEATS) head($(`${seat}-score`));
// Several tables are open beside one another: page and tab say whose this is.
function titled() {
  $("who").textContent = [t("title.arbiter"), table].filter(Boolean).join(" – ");
  document.title = [table, t("title.arbiter"), "Anna Eins"].filter(Boolean).join(" – ");
}
const LONGEST = 300;
let started = false;
let alertCount = 0;
const table = new URLSearchParams(location.search).get("table") ?? "";
const looked = () => { if (document.visibilityState === "visible") seen(table, alertCount); };
document.addEventListener("visibilitychange", looked);

// What the record has for a claim, in numbers; what follows from them the arbiter decides (9.5, 11.12).
/** @param {Wire.ClaimLooked | null} claim */
function claimLooked(claim) {
  $("claim-section").hidden = !claim;
  if (!claim) return;
  const where = claim.same.map((ply) => (ply ? String(ply) : t("claim.start"))).join(", ");
  $("claim-open").textContent = `${t(claim.seat)}: ${t(`claim.kind.${claim.kind}`)}`;
  const found = claim.known ? [t("claim.same", { count: claim.same.length, plies: where }), t("claim.quiet", { count: claim.quiet })] : claim.awaits ? [] : [t("claim.unknown")];
  const lines = [claim.awaits ? t("claim.awaits") : t(claim.intended ? "claim.with" : "claim.without", { move: spelt(claim.intended) }), ...found];
  $("claim-found").replaceChildren(...lines.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
}

/** @type {Wire.Picture | null} */
let pictured = null;
/** @param {Wire.Picture} shown @param {boolean} live */
function picture(shown, live) {
  pictured = shown;
  acts.plies = shown.made_plies;
  acts.turn = shown.running ?? acts.turn ?? (shown.made_plies % 2 ? "black" : "white");
  if (live) clocks.show(shown);
  claimLooked(shown.claim);
  for (const seat of SEATS) {
    boards[seat].show(shown[`${seat}_board`]);
    scores[seat].set(shown[`${seat}_score`]);
  }
  ended(shown.ended);
  const same = shown.white_board === shown.black_board;
  const lags = !same && shown.behind; // nothing wrong: the last move is not carried out there yet
  $("boards-state").textContent = same ? t("boards_same") : lags ? t(`boards_behind.${shown.behind}`) : t("boards_differ");
  $("boards-state").classList.toggle("differs", !same && !lags);
  $("scores-state").textContent = t("score_lengths", { white: shown.white_score.filter(Boolean).length, black: shown.black_score.filter(Boolean).length });
  $("state").textContent = [t(`mode_name.${shown.mode}`), t("half_moves", { count: shown.made_plies }), shown.out_of_step ? t("is_out_of_step") : ""].filter(Boolean).join(" · ");
}

// A cancelled game and the one that is played instead lead to each other.
/** @param {"next-game" | "game-before"} id @param {string | undefined} name */
function leads(id, name) {
  $(id).hidden = !name;
  if (name) $(id).href = `/arbiter?table=${encodeURIComponent(name)}`;
}

// A finished game: how it ended, and nothing is offered any more that would go on with it.
/** @param {Wire.EndShown | null} end */
function ended(end) {
  if (!end) return;
  const approved = SEATS.map((seat) => (end[seat] ? t("outcome.approved", { who: t(seat), result: end[seat] }) : t("outcome.open", { who: t(seat) })));
  const by = [why(end.reason), end.article].filter(Boolean).join(", ");
  $("outcome").hidden = false;
  $("outcome").textContent = [`${t("ended", { result: end.result })}${by ? ` (${by})` : ""}.`, ...approved].join(" ");
  if (acts.over) return;
  acts.over = true;
  acts.list();
  for (const part of document.querySelectorAll("[data-playing]")) part.hidden = true;
  for (const answer of document.querySelectorAll("#alerts button:not([data-after])")) answer.hidden = true;
  $("rule-button").dataset.t = "rule_again";
  $("rule-button").textContent = t("rule_again");
}

/** @param {Kept} event */
function line(event) {
  const who = event.listener ? `${t(event.listener === "room" ? "room" : "alerts.ear")}: ` : event.seat ? `${t(event.seat)}: ` : event.board ? `${t(`board_of.${event.board}`)}: ` : "";
  const what = has(`event.${event.event}`) ? t(`event.${event.event}`) : event.event.replaceAll("_", " ");
  const detail = details(event);
  const origin = event.origin && has(`origin.${event.origin}`) ? ` (${t(`origin.${event.origin}`)})` : "";
  const heard = event.heard_ms == null ? "" : ` (${event.heard_ms} / ${event.length_ms} ms)`;
  return `${who}${what}${detail ? ` – ${detail}` : ""}${heard}${event.agrees === false ? ` – ${t("differs")}` : ""}${origin}`;
}

/** @param {RecordedHere} message @param {boolean} live */
function recorded({ event, picture: shown, told: said }, live) {
  event.told = said; // what the program says there, in each language
  record.put(event, () => line(event), live);
  if (event.event === "alerted") alerted(event, live);
  if (["clock_proposed", "clock_set_up", "clock_kept", "game_started"].includes(event.event)) $("proposed-clock").hidden = event.event !== "clock_proposed";
  if (shown) picture(shown, live);
}

// What this device was not there for: no news, and below what it has been told.
/** @param {Kept} event */
function before(event) {
  record.put(event, () => line(event), false, true);
  if (event.event === "alerted") alerted(/** @type {Wire.Alerted} */ (event), false, true);
}

/** @param {Wire.Alerted & Pick<Kept, "told">} event @param {boolean} live */
function alerted(event, live, older = false) {
  const item = document.createElement("li");
  item.className = `alert-line${event.grey ? " grey" : ""}`;
  const words = document.createElement("span");
  const answer = answering(event.kind);
  item.append(words, ...(answer ? [" ", answer] : []));
  item.write = () => {
    const name = has(`alert.${event.kind}`) ? t(`alert.${event.kind}`) : event.kind.replaceAll("_", " ");
    if (answer) answer.textContent = t(ANSWERS[event.kind] === "result" ? "ruling" : ANSWERS[event.kind] === "desk" ? "desk" : `act.${ANSWERS[event.kind]}`);
    write(words, `${name}${event.ply ? ` (${t("at_ply", { ply: event.ply })})` : ""}${event.grey ? ` – ${t("as_heard")}` : ""}${saidBy(event) ? `: ${saidBy(event)}` : ""}`);
  };
  item.write();
  among(item, older);
  alertCount += 1;
  looked();
  if (live) say(words.textContent ?? "");
}

// What an alert waits for stands beside it: the form where the arbiter decides it, opened and under the fingers.
/** @type {{ [kind: string]: string }} */
const ANSWERS = { draw_claimed: "rule_claim", medical_call: "pause", flag: "call_flag", irregularity_claimed: "rule_irregularity", law_asked: "release_law", stop_not_valid: "rule_stop", board_differs: "desk", time_claimed: "result", flag_called: "result", flags_called: "result", resigned: "result", checkmate: "result", stalemate: "result", dead_position: "result", fivefold: "result", seventy_five_moves: "result", loses: "result", draw_irregular: "result", ended_before: "result" };
/** @param {string} kind */
function answering(kind) {
  const where = ANSWERS[kind];
  if (!where) return null;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "listen";
  if (["result", "release_law"].includes(where)) button.dataset.after = "yes";
  else button.hidden = acts.over;
  button.addEventListener("click", () => {
    if (where !== "result" && where !== "desk") { acts.choose(where); return; }
    const fold = where === "desk" ? $("desk") : $("result").closest("details");
    if (!fold) return;
    fold.open = true;
    (where === "desk" ? fold.querySelector("summary") : $("result"))?.focus();
  });
  return button;
}

/** @param {HTMLElement} item */
function among(item, older = false) {
  if ($("alerts").dataset.empty) { $("alerts").replaceChildren(); delete $("alerts").dataset.empty; }
  if (older) $("alerts").append(item);
  else $("alerts").prepend(item);
  while ($("alerts").childElementCount > LONGEST) $("alerts").lastElementChild?.remove();
}

// The code of an envelope comes once and is kept nowhere: it stays here until this page is left.
/** @param {Wire.SealCode} said */
function sealed(said) {
  const item = document.createElement("li");
  item.className = "alert-line";
  write(item, t("seal_code", { words: said.words, squares: said.squares.join(" ") }));
  among(item);
  told(item.textContent ?? "", true);
}

function none() {
  const item = document.createElement("li");
  item.className = "soft";
  item.dataset.t = "no_alerts";
  item.textContent = t("no_alerts");
  $("alerts").replaceChildren(item);
  $("alerts").dataset.empty = "yes";
}
none();

/** @param {string} text */
function told(text, grave = false) {
  write($("said"), text);
  (grave ? warn : say)(text);
}

const station = new Station({
  rehearsal: rehearsalShown,
  ...sounding,
  greeting(greeting, first) {
    if (first) earlier(place, before);
    started = greeting.started;
    clocks.named(greeting.names);
    delete $("who").dataset.t;
    titled();
    $("start").disabled = started;
    $("questions").hidden = started; // answered before the start; changed later as an adaptation
    if (greeting.picture) picture(greeting.picture, true);
    leads("next-game", greeting.next_game?.table);
    leads("game-before", greeting.follows);
    setUp.show(greeting.table);
    desk.look();
    stations.look();
  },
  message(message, live) {
    if (message.type === "answer_given") write($("set-up-read"), message.text);
    if (message.type !== "recorded") return;
    recorded(message, live);
    if (message.event.event === "next_game_opened") leads("next-game", message.event.table);
    if (live) setUp.recorded(message.event);
    if (live) desk.recorded(message.event);
    if (live) stations.recorded(message.event);
    if (live && "names" in message.event && message.event.names) clocks.named(message.event.names); // exchanged with the colours (7.3)
    if (message.event.event === "game_started") $("start").disabled = $("questions").hidden = true;
  },
  code: sealed,
  refused: (text) => told(text || t("refused_act"), true),
});

/** @param {Command} body @param {string | (() => string)} [sure] */
async function act(body, sure) {
  if (sure && !(await confirmed(t(typeof sure === "function" ? sure() : sure)))) return false;
  const outcome = await station.do(body);
  if (outcome.ok) told(t("done"));
  return outcome.ok;
}

const record = new Record(place, told);
exports(place);
const stations = new Stations(place, told, act);
const setUp = new SetUp(act);
const acts = new Acts(act, told);

for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", () => act(JSON.parse(button.dataset.do ?? "null")));

/** @param {"permit-voice" | "allow-room" | "adapt" | "rule"} id @param {() => Command | string} body @param {() => string} [sure] */
function form(id, body, sure) {
  $(id).addEventListener("submit", async (event) => {
    event.preventDefault();
    const made = body();
    if (typeof made === "string") told(made, true);
    else await act(made, sure);
  });
}

sayingOut($("correct-time"), $("correct-time-said"), timeInWords);
// One side alone: whose, the time, Enter. The other side runs on meanwhile (6.10.2).
$("correct-clock").addEventListener("submit", async (event) => {
  event.preventDefault();
  const ms = milliseconds($("correct-time").value);
  if (ms === null) { told(t("write_time"), true); return; }
  const seat = $("correct-side").value;
  const moves = $("correct-moves").value === "" ? null : Number($("correct-moves").value);
  const outcome = await station.do({ do: "correct_clock", seat, ms, completed: moves, reason: "6.10.2" });
  if (!outcome.ok) return;
  told(`${t(seat)}: ${inWords(ms)}${moves === null ? "" : `, ${t("moves_made", { count: moves })}`}`);
  $("correct-time").value = $("correct-moves").value = $("correct-time-said").textContent = "";
});
form("permit-voice", () => ({ do: "permit_voice_activity", seat: $("voice-seat").value, granted: $("voice-granted").value === "yes" }));
form("allow-room", () => ({ do: "allow_room", allowed: $("room").value === "yes", language: "" }));
$("alerts-ear").value = kept("alerts-ear") === "yes" ? "yes" : "no";
aloud(station, kept("alerts-ear") === "yes");
$("choose-alerts").addEventListener("submit", async (event) => {
  event.preventDefault();
  const spoken = $("alerts-ear").value === "yes";
  if (!(await act({ do: "choose_alerts", spoken, language }))) return;
  keep("alerts-ear", $("alerts-ear").value);
  mute(!spoken);
});
addEventListener("keydown", (event) => { if (event.key === "Escape") key("stop"); });
form("adapt", () => ({ do: "record_adaptation", name: $("adaptation").value, value: $("adaptation-value").value, approved: $("adaptation-approved").checked }));
form("rule", () => ($("result").value ? { do: "rule_result", result: /** @type {Wire.RuleResult["result"]} */ ($("result").value), reason: $("result-reason").value, article: $("article").value } : t("choose_result")), () => (acts.over ? "sure.rule_again" : "sure.rule"));

const handout = () => { $("handout").href = `/handout?language=${language}`; };
handout();
document.addEventListener("language", () => {
  titled();
  for (const item of $("alerts").children) item.write?.();
  if (pictured) picture(pictured, false);
});
document.addEventListener("language", () => { handout(); for (const one of Object.values(boards)) one.show(one.placement); });
const desk = new Desk(station, place, told);
door($("devices"), place, told);
inviting(place, told);
$("learn-press-keys").addEventListener("submit", (event) => {
  event.preventDefault();
  act({ do: "learn_press_keys", at: $("press-keys-at").value || null });
});
rehearsalSheet(place);
serverDevices(place, act, told);
