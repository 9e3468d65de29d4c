// The arbiter's page: everything that is recorded, both boards, both scores, and the acts that are theirs alone.
import { $, focusOn, focused, make } from "/static/core/element.js";
import { has, language, listed, more, start, t } from "/static/core/language.js";
import { Station, place } from "/static/core/station.js";
import { Score, head } from "/static/core/score.js";
import { Clocks, SEATS, inWords } from "/static/core/times.js";
import { Board, menOf } from "/static/core/board.js";
import { confirmed } from "/static/core/asking.js";
import { door } from "/static/arbiter/door.js";
import { SetUp } from "/static/arbiter/set_up/set_up.js";
import { inviting } from "/static/arbiter/set_up/inviting.js";
import { Acts, milliseconds, sayingOut, timeInWords } from "/static/arbiter/acts.js";
import { Record, asSaid, details, earlier, exports } from "/static/arbiter/record.js";
import { Stations } from "/static/arbiter/stations.js";
import { Alerts } from "/static/arbiter/alerts.js";
import { strip, told, telling } from "/static/arbiter/bar.js";
import { cockpit, lead, staged, step } from "/static/arbiter/cockpit.js";
import { envelopeCode, keptCode } from "/static/arbiter/envelope_code.js";
import { key, mute } from "/static/audio/ear.js";
import { aloud, sounding } from "/static/audio/aloud.js";
import { keep, kept } from "/static/core/keys.js";
import { rehearsalOver, rehearsalSheet, rehearsalShown } from "/static/arbiter/set_up/rehearsal.js";
import { moveNumber, why } from "/static/core/why.js";
import { write } from "/static/core/spoken.js";
import { sending } from "/static/tables/cards.js";
import { answerOf } from "/static/core/servers.js";

await start();
const clocks = new Clocks($("clocks"));
const boards = { white: new Board($("white-board")), black: new Board($("black-board")) };
const scores = { white: new Score($("white-score")), black: new Score($("black-score")) };
for (const seat of SEATS) head($(`${seat}-score`));
// Several tables are open beside one another: page and tab say whose this is, and the tab what waits there.
let waiting = "";
function titled() {
  $("who").textContent = [t("title.arbiter"), table].filter(Boolean).join(" – ");
  document.title = [waiting, table, t("title.arbiter"), "Anna Eins"].filter(Boolean).join(" – ");
}
const table = new URLSearchParams(location.search).get("table") ?? "";
let started = false;

// What the record has for a claim, in numbers; what follows from them the arbiter decides (9.5, 11.12).
/** @param {Wire.ClaimLooked | null} claim */
function claimLooked(claim) {
  $("claim-section").hidden = !claim;
  if (!claim) return;
  const where = claim.same.map((ply) => (ply ? moveNumber(ply) : t("claim.start"))).join(", ");
  $("claim-open").textContent = `${t(claim.seat)}: ${t(`claim.kind.${claim.kind}`)}`;
  const found = claim.known ? [t("claim.same", { count: claim.same.length, plies: where }), t("claim.quiet", { count: `${Math.floor(claim.quiet / 2)}${claim.quiet % 2 ? "½" : ""}` })] : claim.awaits ? [] : [t("claim.unknown")];
  const lines = [claim.awaits ? t("claim.awaits") : t(claim.intended ? "claim.with" : "claim.without", { move: asSaid(claim.intended) }), ...found];
  $("claim-found").replaceChildren(...lines.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
}

/** @type {Wire.Picture | null} */
let pictured = null;
/** @type {(Man | undefined)[]} */
let men = [];
/** @param {Wire.Picture} shown @param {boolean} live @param {string[]} [before] */
function picture(shown, live, before = []) {
  pictured = shown;
  men = menOf(shown.line);
  acts.plies = shown.made_plies;
  acts.complained = shown.complained ?? 0;
  acts.turn = shown.running ?? acts.turn ?? (shown.made_plies % 2 ? "black" : "white");
  if (live) clocks.show(shown);
  claimLooked(shown.claim);
  SEATS.forEach((seat, at) => {
    boards[seat].show(shown[`${seat}_board`], before[at]);
    scores[seat].set(shown[`${seat}_score`]);
  });
  ended(shown.ended);
  staged(shown.ended ? "after" : started ? "play" : "before");
  const same = shown.white_board === shown.black_board;
  const lags = !same && shown.behind; // nothing wrong: the last move is not carried out there yet
  $("boards-state").textContent = same ? t("boards_same") : lags ? t(`boards_behind.${shown.behind}`) : t("boards_differ");
  $("boards-state").classList.toggle("differs", !same && !lags);
  $("reconcile").hidden = same || Boolean(lags || shown.ended);
  $("pause").classList.toggle("first", Boolean(shown.running));
  $("resume").classList.toggle("first", !shown.running);
  $("scores-state").textContent = t("score_lengths", { white: shown.white_score.filter(Boolean).length, black: shown.black_score.filter(Boolean).length });
  $("state").textContent = [t(`mode_name.${shown.mode}`), shown.made_plies ? t("last_move_is", { move: moveNumber(shown.made_plies) }) : "", shown.out_of_step ? t("is_out_of_step") : ""].filter(Boolean).join(" · ");
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
  const by = listed([why(end.reason), end.article].filter(Boolean));
  $("outcome").hidden = false;
  const result = make("strong", { textContent: `${t("ended", { result: end.result })}${by ? ` (${by})` : ""}.` });
  $("outcome").replaceChildren(result, " ", make("span", { className: "small", textContent: approved.join(" ") }));
  if (acts.over) return;
  acts.over = true;
  acts.list();
  for (const part of document.querySelectorAll("[data-playing]")) part.hidden = true;
  $("rule-button").dataset.t = "rule_again";
  $("rule-button").textContent = t("rule_again");
}

/** @param {Kept} event */
function line(event) {
  const who = event.listener ? `${t(event.listener === "room" ? "room" : "alerts.ear")}: ` : event.seat ? `${t(event.seat)}: ` : event.board ? `${t(`board_of.${event.board}`)}: ` : "";
  const what = has(`event.${event.event}`) ? t(`event.${event.event}`) : event.event.replaceAll("_", " ");
  if (event.uci && event.ply && pictured?.line[event.ply - 1] === event.uci) event.man ??= men[event.ply - 1];
  const detail = event.event === "alert_settled" ? t(`settled.${event.how}`) : details(event);
  if (event.event === "board_moved") return `${who}${detail}${event.differs ? ` – ${t("differs")}` : ""}`;
  const origin = event.origin && has(`origin.${event.origin}`) ? ` (${t(`origin.${event.origin}`)})` : "";
  const heard = event.heard_ms == null ? "" : ` (${event.heard_ms} / ${event.length_ms} ms)`;
  return `${who}${what}${detail ? ` – ${detail}` : ""}${heard}${event.agrees === false ? ` – ${t("differs")}` : ""}${origin}`;
}

// A player's own setting waits for a yes or no; the button that gave it goes, and the focus to the title above.
/** @param {boolean} waits */
function showProposal(waits) {
  const held = !waits && $("proposed-clock").contains(focused());
  $("proposed-clock").hidden = !waits;
  if (held) focusOn($("acts-title"));
}

/** @param {RecordedHere} message @param {boolean} live */
function recorded({ event, picture: shown, told: said, alerts: changes, wall_ms }, live) {
  event.wall = wall_ms;
  event.told = said; // what the program says there, in each language
  if (event.event === "board_moved") event.man = boards[event.board].squares[event.uci.slice(0, 2)]?.name;
  if (event.event === "rehearsal_noted") { rehearsed(); rehearsalOver(); }
  record.put(event, () => line(event), live);
  alerts.changed(changes, live && event.event === "alerted");
  if (["clock_proposed", "clock_set_up", "clock_kept", "game_started"].includes(event.event)) showProposal(event.event === "clock_proposed");
  if (shown) picture(shown, live);
}

// What this device was not there for: no news, and below what it has been told.
/** @param {Kept} event */
function before(event) {
  record.put(event, () => line(event), false, true);
  if (event.event === "rehearsal_noted") rehearsed();
}
const rehearsed = (done = true) => step("rehearsal", "rehearsal-sheet", () => (done ? t("done") : t("step.not_yet")), done);

// An act that settles an alert: at once where all of it is known, else its form, filled in as far as it is.
/** @param {Http} offer */
async function offered({ body, form, who }) {
  if (body.do === "rule_result" && form) { $("ruling").open = true; $("result").focus(); return; }
  if (form) { acts.choose(body.do, body); return; }
  const done = await acts.give(body, who ? [t(who)] : body.result ? [body.result] : []);
  if (done && body.do === "open_desk") lead("desk");
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
    if (greeting.picture) picture(greeting.picture, true, greeting.before);
    step("start", "start", () => t(started ? "done" : "step.not_yet"), started);
    if (first) rehearsed(false);
    alerts.look();
    leads("next-game", greeting.next_game?.table);
    leads("game-before", greeting.follows);
    setUp.show(greeting.table);
    desks();
    stations.look();
  },
  message(message, live) {
    if (message.type === "answer_given") write($("set-up-read"), message.text);
    if (message.type !== "recorded") return;
    recorded(message, live);
    if (message.event.event === "next_game_opened") leads("next-game", message.event.table);
    if (live) setUp.recorded(message.event);
    if (live) deskRecorded(message.event);
    if (live) stations.recorded(message.event);
    if (live && "names" in message.event && message.event.names) clocks.named(message.event.names); // exchanged with the colours (7.3)
    if (message.event.event === "game_started") {
      started = $("start").disabled = true;
      if (!acts.over) staged("play");
    }
  },
  code: envelopeCode,
  sending: telling,
  refused: (text, _, tell = telling(null)) => tell(text || t("refused_act"), true),
});

/** @param {Command} body @param {string | (() => string)} [sure] */
async function act(body, sure, tell = telling()) {
  if (sure && !(await confirmed(t(typeof sure === "function" ? sure() : sure)))) return false;
  if (station.waits(body)) return false; // a second press of the same key, on a line that is slow
  const [last, ran] = [station.last, Boolean(pictured?.running)];
  const outcome = await station.do(body);
  // What was recorded stands on this page before the answer comes; a pause of clocks that stand changes nothing.
  const same = (body.do === "pause" || body.do === "resume") && ran === Boolean(pictured?.running);
  if (outcome.ok) tell(t(station.last > last && !same ? "done" : "nothing_done"));
  return outcome.ok;
}

// The desk is fetched with its words when it is needed: where one is open, or its fold is.
/** @type {Promise<import("/static/arbiter/desk.js").Desk | null> | null} */
let desk = null;
async function theDesk() {
  desk ??= Promise.all([import("/static/arbiter/desk.js"), more("desk", $("main"))])
    .then(([{ Desk }]) => new Desk(station, place, telling), () => (desk = null)); // no server: fetched when it is next asked for
  (await desk)?.look();
}
async function desks() {
  if (desk) { (await desk)?.look(); return; }
  const { ok, said } = await answerOf(`/api/desk?${place}`);
  if (ok && (said.open || said.setting || $("desk").open)) theDesk(); // its fold may have been opened without a server
}
/** @param {Wire.AnyEvent} event */
async function deskRecorded(event) {
  if (desk) (await desk)?.recorded(event);
  else if (event.event === "desk_opened" || event.event === "boards_to_set" || event.event === "restored") desks();
}
$("desk").addEventListener("toggle", () => { if ($("desk").open && !desk) theDesk(); });

const record = new Record(place, telling);
exports(place);
const stations = new Stations(place, telling, act);
const setUp = new SetUp(act);
const acts = new Acts(act, told);
const alerts = new Alerts(place, act, offered, (utterance) => record.play(utterance));
cockpit();
keptCode();
strip((open) => { waiting = open; titled(); });
$("reconcile").addEventListener("click", async () => { if (await act({ do: "open_desk" })) lead("desk"); });

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
  const typed = [$("correct-time").value, $("correct-moves").value];
  const ms = milliseconds($("correct-time").value);
  if (ms === null) { told(t("write_time"), true); return; }
  const seat = $("correct-side").value;
  const moves = $("correct-moves").value === "" ? null : Number($("correct-moves").value);
  const tell = telling();
  const outcome = await station.do({ do: "correct_clock", seat, ms, completed: moves, reason: "6.10.2" });
  if (!outcome.ok) return;
  tell(`${t(seat)}: ${inWords(ms)}${moves === null ? "" : `, ${t("moves_made", { count: moves })}`}`);
  if (typed[0] !== $("correct-time").value || typed[1] !== $("correct-moves").value) return; // the next one is being typed
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
  keep("alerts-ear", spoken ? "yes" : "no");
  mute(!spoken);
});
const gone = () => telling(null)(t("no_answer"), true);
// The arbiter's keys: no letters, which a screen reader takes for itself while it reads a page. What they do comes at the first.
addEventListener("keydown", (event) => {
  if (event.key === "Escape") key("stop");
  if (!["F2", "F4", "F8", "F9"].includes(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  if (!event.repeat) import("/static/arbiter/at_hand.js").then(({ pressed }) => pressed(event.key, clocks, alerts), gone);
});
form("adapt", () => ({ do: "record_adaptation", name: $("adaptation").value, value: $("adaptation-value").value, approved: $("adaptation-approved").checked }));
form("rule", () => ($("result").value ? { do: "rule_result", result: /** @type {Wire.RuleResult["result"]} */ ($("result").value), reason: $("result-reason").value, article: $("article").value } : t("choose_result")), () => (acts.over ? "sure.rule_again" : "sure.rule"));

const handout = () => { $("handout").href = `/handout?language=${language}`; };
handout();
// Opening the cards makes the codes that are missing, and voids none.
$("seat-cards-of").value = `table:${table}`;
sending($("seat-cards"), (text, button) => telling(button)(text || t("no_answer"), true));
document.addEventListener("language", () => {
  titled();
  if (pictured) picture(pictured, false);
});
document.addEventListener("language", () => { handout(); for (const one of Object.values(boards)) one.show(one.placement); });
door($("devices"), place, telling);
inviting(place, telling);
$("learn-press-keys").addEventListener("submit", (event) => {
  event.preventDefault();
  act({ do: "learn_press_keys", at: $("press-keys-at").value || null });
});
rehearsalSheet(place);
let devices = false; // whether what the sheet does is here, or on its way
$("devices-sheet").addEventListener("toggle", () => {
  if (devices || !$("devices-sheet").open) return;
  devices = true;
  import("/static/arbiter/set_up/server_devices.js").then(({ serverDevices }) => serverDevices(place, act, told), () => { devices = false; gone(); });
});
