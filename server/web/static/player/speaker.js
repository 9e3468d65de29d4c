// What every player's page has: the last message, the field, the talk button, the press, questions, settings.
import { $ } from "/static/core/element.js";
import { has, listed, spelt, t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { readKeys } from "/static/audio/reading_out.js";
import { hushed, key, mute, play, reporting, sounding, there } from "/static/audio/ear.js";
import { EarChoice } from "/static/audio/ear_choice.js";
import { Consent } from "/static/audio/consent.js";
import { earKeys } from "/static/audio/ear_keys.js";
import { Talk } from "/static/audio/talk.js";
import { nameKey, pressing } from "/static/player/press.js";
import { kept, keep, keySelect } from "/static/core/keys.js";
import { inWords } from "/static/core/times.js";
import { write } from "/static/core/spoken.js";
import { confirmed, decided, seen } from "/static/core/asking.js";
import { TalkWay } from "/static/audio/talk_way.js";
import { staysAwake } from "/static/player/awake.js";
import { attention, feel } from "/static/player/attention.js";
import { fit, inLines, showLines } from "/static/player/said.js";
import { moveNumber, why } from "/static/core/why.js";

// The lines beneath a message are the same message; what the server has made lines of puts those there after this.
/** @param {string} text */
function linesOf(text) {
  const place = $("cells");
  if (!place) return;
  showLines(place, inLines(text));
  place.removeAttribute("lang");
}

// What was taken leaves the field; what was not stays to be mended and is replaced by the first letter of something new.
// Words that were begun meanwhile are left alone.
/** @param {HTMLInputElement} field @param {string} text @param {boolean} ok */
export function wordsAnswered(field, text, ok) {
  if (field.value.trim() !== text) return;
  if (ok) field.value = "";
  else field.select();
}

const CLOCKS = ["paused", "resumed", "started"];
const LATELY_MS = 4000; // what was shown so shortly before the clocks stop or run stays in view

export class Speaker {
  /** @param {Station} station */
  constructor(station) {
    this.station = station;
    /** @type {Wire.Mode | undefined} */
    this.mode = undefined;
    this.heard = this.headphones = false;
    this.whose = ""; // on an assistant's page: whose words they are, or to whom it is told, said before it
    this.asking = ""; // what a key asked last
    this.answer = { n: 0, what: "" }; // the number of the last answer, and to which question
    this.acknowledging = false; // an offer is shown until it has been seen
    /** @type {Told | null} */
    this.telling = null;
    /** @type {Told | null} */
    this.last = null; // what is shown, where a message said it
    /** @type {Told | null} */
    this.before = null; // what was shown before it
    this.stood = ""; // what was shown shortly before the clocks stopped or ran
    /** @type {{ message: Told | null, text: string, by: string, at: number }[]} */
    this.shown = []; // all that stands in the box: what came in one instant
    document.addEventListener("language", () => {
      const again = this.shown.map((one) => one.message);
      if (this.last) this.shown = [];
      for (const one of again) if (one && this.last) this.message(one, false);
    });
    document.addEventListener("lapsed", () => this.show(t("no_taken"), true));
    document.addEventListener("answered", ({ detail: { said, ok } }) => { if (ok && said.body?.do === "verify_position") this.show(t("verified"), true); });
    const field = $("field");
    const form = $("say");
    form?.addEventListener("submit", async (event) => {
      event.preventDefault();
      const text = field.value.trim();
      if (!text || station.waits(text)) return;
      const outcome = await station.type(text);
      if (document.activeElement === document.body || form.contains(document.activeElement)) field.focus(); // else the player went on
      wordsAnswered(field, text, outcome.ok);
    });
    $("law")?.addEventListener("submit", async (event) => {
      event.preventDefault();
      const outcome = await station.do({ do: "ask_law", article: $("law-article").value.trim() });
      if (outcome.ok) this.show(t("acted.ask_law"), true);
    });
    reporting((did, id = "") => station.ear(did, id));
    this.talk = new Talk($("talk"));
    this.hearing = new EarChoice($("ear-choice"), station);
    this.consent = new Consent($("consent"), station);
    /** @type {import("/static/audio/own_voice.js").OwnVoice | null} */
    this.ownVoice = null;
    $("voice-sheet")?.addEventListener("toggle", () => this.openVoice());
    this.way = new TalkWay($("talk-way"), station, (sound) => this.talk.seat(sound));
    earKeys(() => this.talk.talking);
    this.press = pressing(station, $("press"));
    nameKey($("press"));
    document.addEventListener("touch", () => nameKey($("press")));
    for (const button of document.querySelectorAll("[data-ask]"))
      button.addEventListener("click", () => this.ask({ do: "ask", what: /** @type {Wire.Ask["what"]} */ (button.dataset.ask) }));
    for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", () => this.act(button));
    this.settings();
    attention();
    staysAwake();
  }

  // A question stops the answer before it and is answered itself; the same key again only stops, while its answer sounds.
  /** @param {Wire.Ask} body */
  ask(body) {
    const same = this.asking === JSON.stringify(body) && this.answer.what === body.what;
    if (same && this.answer.n && sounding() === this.answer.n) {
      this.asking = "";
      key("stop");
    } else {
      this.asking = JSON.stringify(body);
      this.station.do(body);
    }
  }

  /** @param {HTMLElement} button */
  async act(button) {
    const body = JSON.parse(button.dataset.do ?? "null");
    if (button.dataset.sure && !(await confirmed(t(button.dataset.sure)))) return;
    if (this.station.waits(body)) return;
    const outcome = await this.station.do(body);
    if (outcome.ok && has(`acted.${body.do}`)) this.show(t(`acted.${body.do}`), true); // of all else the server tells
  }

  // A final position that is neither agreed nor disputed stays so: the designated arbiter sees it.
  /** @param {boolean | null} agrees */
  async verify(agrees) {
    if (agrees !== null) await this.station.do({ do: "verify_position", agrees });
  }

  // An offer to a player whom no sound reaches is shown until they have seen it: when it comes, and on a page that came
  // anew (D.2.11).
  async acknowledge() {
    if (this.acknowledging || [...this.station.pending.values()].some(({ said }) => said.body?.do === "acknowledge")) return;
    this.acknowledging = true;
    await seen([this.whose, t("draw_offer_came")].filter(Boolean).join(": "));
    this.acknowledging = false;
    this.station.do({ do: "acknowledge" });
  }

  settings() {
    if ($("press-key")) keySelect($("press-key"), "press-key", () => nameKey($("press")));
    if ($("talk-key")) keySelect($("talk-key"), "talk-key", () => this.talk.name());
    if ($("talk-toggle")) {
      $("talk-toggle").checked = kept("talk-way") === "toggled";
      $("talk-toggle").addEventListener("change", () => keep("talk-way", $("talk-toggle").checked ? "toggled" : "held"));
    }
    for (const name of /** @type {const} */ (["preroll", "headset", "capitals"])) {
      if (!$(name)) continue;
      $(name).checked = kept(name) === "on";
      $(name).addEventListener("change", () => {
        keep(name, $(name).checked ? "on" : "off");
        this.talk.settings();
        if (name === "headset" && $(name).checked) say(t("headset.check"));
      });
    }
    const size = $("message-size");
    const sized = () => document.documentElement.style.setProperty("--message", kept("message-size"));
    size.value = /** @type {any} */ (kept("message-size"));
    size.addEventListener("change", () => { keep("message-size", size.value); sized(); });
    sized();
    $("check")?.addEventListener("click", () => this.talk.check());
    if ($("voice")) {
      $("voice").checked = kept("voice") === "on";
      this.muted();
      $("voice").addEventListener("change", () => { keep("voice", $("voice").checked ? "on" : "off"); this.muted(); });
    }
  }

  // Before anything was told: whether the game has begun, so that nobody speaks to a clock that stands.
  /** @param {Wire.Greeting} greeting */
  greeted(greeting) {
    if ($("about-to-castle")) $("about-to-castle").hidden = !greeting.chess960;
    this.begun(greeting.started);
    this.mode = greeting.mode;
    this.finish(greeting);
    if (greeting.offer_unread) this.acknowledge();
  }

  // What may be asked for in a quickplay finish (Guidelines III); without an arbiter nobody grants an increment (III.6).
  /** @param {Finish} said */
  finish({ quickplay, unsupervised }) {
    for (const one of document.querySelectorAll("[data-finish]")) one.hidden = !quickplay || (unsupervised && one.dataset.finish === "arbiter");
  }

  /** @param {boolean} yes */
  begun(yes) {
    const last = $("last");
    if (!last.dataset.t) return;
    last.dataset.t = yes ? "nothing_yet" : "not_begun";
    last.textContent = t(last.dataset.t);
  }

  // A voice is seldom taught: what that needs comes when its sheet is opened.
  async openVoice() {
    if (this.ownVoice || !$("voice-sheet").open) return;
    const room = await import("/static/audio/own_voice.js").catch(() => null);
    if (room) this.ownVoice ??= new room.OwnVoice(this.talk);
    else warn(t("no_answer"));
  }

  // What the server holds of this seat's microphone, devices and voice.
  /** @param {Wire.SoundShown | null} sound */
  seat(sound) {
    this.consent.show(sound);
    if (!sound) return;
    this.way.show(sound);
    this.headphones = sound.headphones;
    this.muted();
    this.hearing.show(sound.ear);
    readKeys(sound.ear.read_keys);
  }

  // Never two voices in one ear: where the player wears the server's headphones this page is silent.
  muted() {
    mute(this.headphones || ($("voice") ? !$("voice").checked : false));
  }

  // A check at the server's own microphone.
  /** @param {Wire.LevelFound} said */
  level(said) {
    this.talk.heardLevel(said);
  }

  /** @param {Wire.SoundReady} ready */
  sound(ready) {
    play(ready);
  }

  there() {
    there();
  }

  /** @param {Wire.Hush} said */
  hush(said) {
    hushed(said.id);
  }

  // What lies in the own envelope now: shown and said here alone.
  /** @param {Wire.SealedWords} said */
  sealed(said) {
    const ask = t(has(`ask.${said.ask}`) ? `ask.${said.ask}` : "ask.repeat");
    this.show(said.understood ? fit(said.text, said.words) : ask, true, t("in_envelope"), true);
  }

  // A step of the rehearsal: outside the game, shown and said here alone.
  /** @param {Wire.RehearsalShown} said */
  rehearsal({ text, step, of, over }) {
    this.show(text, true, over ? "" : t("rehearsal.step", { step, of }), true);
  }

  /** @param {string} text */
  refused(text) {
    this.show(text || t("not_understood"), false);
    warn(text || t("not_understood"));
    feel("refused");
  }

  // `heard`: the server says it into their ear by itself.
  /** @param {string} text @param {boolean} live */
  show(text, live, by = "", heard = this.heard) {
    const message = this.last = this.telling;
    const others = this.shown.filter((one) => message && message.type !== "square_to_set_now" && one.message !== message && one.message?.instant === message.instant);
    this.shown = [...others, { message, text, by, at: live ? performance.now() : -Infinity }];
    delete $("last").dataset.t;
    write($("last"), this.shown.map((one) => one.text).join(" "));
    $("last-by").textContent = [...new Set(this.shown.map((one) => one.by))].filter(Boolean).join(" · ");
    linesOf($("last").textContent ?? "");
    if (live) say(this.whose ? `${this.whose}: ${text}` : text, { heard });
  }

  // Where the player hears nothing of their own words, the page reads out those that keys made.
  /** @param {Told} message */
  saidByServer(message) {
    if (message.type !== "understood" || message.utterance || message.echo) return message.lines.length > 0;
    const wanted = this.hearing.ear?.read_back ?? (this.mode === "relay" ? "full" : "none");
    return wanted !== "none";
  }

  // Clocks that stop or run by a call, a ruling or an opened envelope: what was said of that stays in view before it, and
  // is not said again.
  /** @param {string} text @param {Told} message @param {boolean} live */
  tellClocks(text, message, live) {
    const at = live ? performance.now() : -Infinity;
    if (this.last !== message) { // else it is told anew, in another language
      this.before = this.last;
      this.stood = this.shown.filter((one) => at - one.at < LATELY_MS && !CLOCKS.includes(one.message?.type ?? "")).map((one) => one.text).join(" ");
    }
    const before = this.before;
    let first = message.type === "resumed" ? this.stood : ""; // what a ruling or an envelope said before it
    if (before?.instant === message.instant) first = "";
    else if (message.type === "paused" && before?.type === "act_taken") first = before.lines.join(" ");
    else if (message.type === "resumed" && before?.type === "adjournment_shown" && before.stage === "resumed") first = adjourned(before);
    this.show(first ? `${first} ${text}` : text, false);
    if (live) say(text, { heard: this.heard });
  }

  // The messages that all players' pages treat alike; true where this was one.
  /** @param {Told} message @param {boolean} live */
  message(message, live) {
    this.heard = this.saidByServer(message);
    this.telling = message;
    try {
      return this.told(message, live);
    } finally {
      this.heard = false;
      this.telling = null;
    }
  }

  /** @param {Told} message @param {boolean} live */
  told(message, live) {
    switch (message.type) {
      case "understood": {
        const text = fit(message.text, message.words);
        this.show(message.echo ? t("as_echo", { text }) : text, live, t("as_understood"));
        return true;
      }
      case "relayed":
        this.show(fit(message.text, message.words), live, t(message.again ? "opponent_again" : "opponent_said"));
        return true;
      case "question":
        this.show(spelt(message.text) || t(has(`ask.${message.ask}`) ? `ask.${message.ask}` : "ask.repeat", { choices: listed(message.choices ?? []) }), live);
        return true;
      case "answer_given":
        if (live) this.answer = { n: this.station.last, what: message.what };
        this.show(answered(message), live);
        return true;
      case "not_done":
      case "position_told":
        this.show(message.text, live);
        return true;
      case "draw_offer":
        if (message.by_claim) this.show(t(message.own ? "draw_claimed_own" : "draw_claim_came"), live);
        else this.show(t(message.own ? "draw_offered" : "draw_offer_came"), live);
        if (live && message.acknowledge) this.acknowledge();
        return true;
      case "claim_shown":
        this.show(message.own ? t("claim_own") : message.text, live);
        if (live && !message.own) decided(message.text).then((agrees) => this.verify(agrees));
        return true;
      case "law_read":
        this.show(message.text, live, t("law.read", { article: message.article }));
        return true;
      case "draw_reply":
        this.show(t(`draw_${message.accepted ? "accepted" : "declined"}${message.own ? "" : "_other"}`), live);
        return true;
      case "no_taken":
        this.show(t(has(`no_taken.${message.what}`) ? `no_taken.${message.what}` : "no_taken"), live);
        return true;
      case "resignation_shown":
        this.show(t(message.own ? "resigned_own" : "resigned_other"), live);
        return true;
      case "flag_shown":
        this.show(`${t(message.own ? "own_time" : "opponents_time")} ${inWords(0)}`, live);
        return true;
      case "next_game_shown":
        this.show(message.lines.join(" "), live);
        return true;
      case "ended":
        if (message.result === "*") { this.show(message.lines.join(" "), live); return true; }
        this.show(t("ended", { result: message.result }), live, why(message.reason));
        return true;
      case "time_cue": // a tick is heard, not read out
        this.show(message.lines.join(" "), live && message.way !== "ticks");
        return true;
      case "guidelines_shown":
        this.finish(message);
        this.show(message.lines.join(" "), live);
        return true;
      case "review_shown":
        this.show(message.lines.join(" "), live);
        if (message.released) { // the sentence leads to the review
          const link = document.createElement("a");
          link.href = "/review";
          link.append(...$("last").childNodes);
          $("last").append(link);
        }
        return true;
      case "pairing_shown":
      case "link_shown":
      case "clock_setting":
      case "clock_corrected":
      case "clock_master_shown":
      case "time_given":
      case "increment_shown":
      case "act_taken":
      case "ruling_shown":
      case "board_to_set":
      case "square_to_set_now":
        this.show(message.lines.join(" "), live);
        return true;
      case "paused":
        this.tellClocks(t(message.medical ? "paused_medical" : "paused"), message, live);
        return true;
      case "resumed":
        this.tellClocks(t("resumed"), message, live);
        return true;
      case "started":
        this.show(t("started"), live);
        return true;
      case "session_shown":
        this.show(t("session_shown", { time: inWords(message.length_ms) }), live);
        return true;
      case "adjournment_shown":
        this.show(adjourned(message), live);
        return true;
      case "sound_shown":
        if (live) this.seat(message);
        return true;
      case "mode_shown":
        this.mode = message.mode;
        this.show(t(`mode.${message.mode}`), live);
        return true;
    }
    return false;
  }
}

/** @param {number} first @param {string[]} score */
function moves(first, score) {
  const told = [];
  for (let place = 0; place === 0 || place < score.length; place += 2) {
    const cells = [...score.slice(place, place + 2), "", ""].slice(0, 2);
    told.push(`${first + place / 2}. ${cells.map((cell) => spelt(cell) || "–").join(", ")}`);
  }
  return told.join("; ");
}

/** @param {Wire.AdjournmentShown} message */
function adjourned(message) {
  return t(`adjourn.${message.stage}${message.own ? "_own" : ""}`);
}

// How old a time is that was read off another clock.
/** @param {Wire.AnswerGiven} message */
const readAgo = ({ age_ms }) => (age_ms == null ? "" : ` ${t("read_ago", { time: inWords(age_ms) })}`);

/** @param {Wire.AnswerGiven & Lines} message */
function answered(message) {
  switch (message.what) {
    case "time": return `${t(document.body.dataset.page === "assistant" ? "assist.time" : "own_time")} ${inWords(message.own_ms ?? 0)}${readAgo(message)}`;
    case "opponent_time": return `${t("opponents_time")} ${inWords(message.opponent_ms ?? 0)}${readAgo(message)}`;
    case "moves": return t("moves_made", { count: message.moves });
    case "last": return message.words.length ? fit(message.text, message.words) : t("nothing_yet");
    case "position":
    case "set_up":
    case "article":
    case "pairing":
    case "help": return message.text;
    case "clock": return message.lines.join(" ");
    case "score": if (message.move) return moves(message.move, message.score);
    // falls through
    default: return message.score.length ? t("score_of", { move: moveNumber(message.score.length) }) : t("nothing_yet");
  }
}
