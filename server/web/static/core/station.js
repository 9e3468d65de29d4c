// A station's line to its table: hello, numbered messages, commands with an identity of their own. A command whose
// answer was lost with the connection is sent again under the same id, and gets the same answer.
import { language, t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { kept } from "/static/core/keys.js";
import { asksStatus, tellStatus } from "/static/audio/status.js";
import { keepUnanswered, keepWords, unanswered } from "/static/core/unsent.js";
import { away, learn, line, next, several } from "/static/core/servers.js";
import { hold, pressAbout, pressCounted, serverBack, serverGone } from "/static/core/gone.js";

const query = new URLSearchParams(location.search);
query.set("page", document.body.dataset.page ?? "");
export const place = query.toString();

function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The server beats twice a second. A line that is silent for so long is lost, though nobody closed it; one that does not
// open is given up for a fresh one, since a lost packet is repeated late. Now and then an attempt has more time.
const SILENT_MS = 1500;
const OPEN_MS = 800;
const SLOWLY_MS = 4000;
const AGAIN_MS = 350;
const LOOK_MS = 100;
const BUTTON_MS = 5000;

const capitals = () => (kept("capitals") === "on" ? { capitals: true } : {});
// So long a page stays for what is said of it; then it goes where the new game is played.
const NEXT_MS = 4000;
/** @param {Wire.AnyMessage} message */
const nextOf = (message) => (message.type === "next_game_shown" ? message : message.type === "recorded" && message.event.event === "next_game_opened" ? { table: message.event.table } : null);
/** @param {keyof DocumentEventMap} name @param {unknown} detail */
const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

export class Station {
  /** @param {Handlers} on */
  constructor(on) {
    this.on = on;
    this.last = 0;
    /** @type {number | null} */
    this.known = null; // what the first greeting counted: older messages are history, not news
    /** @type {Map<string, Pending>} */
    this.pending = new Map();
    for (const { id, payload, at } of unanswered(place)) this.pending.set(id, { payload, said: JSON.parse(payload), at, resolve() {} });
    keepWords(place);
    this.tries = this.heard = this.timer = 0;
    /** @type {number | undefined} */
    this.looked = undefined;
    this.doubted = this.down = this.going = false;
    this.instant = 0; // messages of one instant have one number
    this.state = document.querySelector("header .state");
    // Refusals come in the language of the page.
    document.addEventListener("language", () => { if (this.known !== null) this.hello(); });
    document.addEventListener("to-server", ({ detail }) => { if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(detail)); });
    addEventListener("online", () => { if (this.down) this.give_up(0); });
    setInterval(() => this.watch(), LOOK_MS);
    this.socket = this.open();
  }

  open() {
    clearTimeout(this.timer);
    const socket = line(`/ws?${place}`);
    this.socket = socket;
    this.tries += 1;
    this.heard = performance.now();
    this.doubted = false;
    socket.onopen = () => { this.heard = performance.now(); this.hello(); };
    socket.onmessage = (event) => { this.heard = performance.now(); this.take(JSON.parse(event.data)); };
    socket.onclose = (event) => this.lost(event);
    return socket;
  }

  hello() {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ kind: "hello", after: this.last, language, beats: true }));
  }

  // A page that itself was asleep hears first what waits for it; and it doubts once before it gives a line up.
  watch() {
    const now = performance.now();
    const slept = now - (this.looked ?? now) > 2500;
    this.looked = now;
    const opening = this.socket.readyState === WebSocket.CONNECTING;
    if (!opening && this.socket.readyState !== WebSocket.OPEN) return;
    // The first line of a page is waited for: the server was there a moment ago, and may be slow.
    const patience = !opening ? SILENT_MS : this.known !== null && this.tries % 6 ? OPEN_MS : SLOWLY_MS;
    if (slept) this.heard = now;
    const silent = now - this.heard > patience;
    if (silent && this.doubted) this.give_up();
    this.doubted = silent;
  }

  give_up(wait = AGAIN_MS) {
    const socket = this.socket;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.lost({}, wait);
  }

  /** @param {Wire.Outgoing} said */
  take(said) {
    switch (said.kind) {
      case "greeting": {
        const first = this.known === null;
        this.known = Math.min(this.known ?? said.n, said.n); // a display that is held back, a server that was restored:
        this.last = Math.min(this.last, said.n); // what comes after this is news
        if (this.down) say(t("connected"));
        this.down = false;
        this.tries = 0;
        serverBack();
        this.show("connected", false);
        this.on.greeting?.(said.greeting, first);
        this.follow(said.greeting.next_game, 0);
        tell("greeted", said.greeting);
        this.on.there?.();
        this.sendAgain();
        break;
      }
      case "message": {
        if (said.n <= this.last) break;
        const news = said.n > (this.known ?? 0);
        this.last = said.n;
        if (news) this.follow(nextOf(said.message), NEXT_MS);
        const together = Boolean(said.together);
        if (!together) this.instant += 1;
        this.on.message?.({ ...said.message, lines: said.lines ?? [], instant: this.instant }, news, said.n);
        tell("told", { message: said.message, lines: said.lines ?? [], live: news, together });
        break;
      }
      case "outcome": {
        const waiting = this.pending.get(said.outcome.id);
        this.pending.delete(said.outcome.id);
        if (!said.outcome.ok) this.on.refused?.(said.text, said.outcome, waiting?.tell);
        else if (waiting?.said.body?.do === "press") pressCounted();
        waiting?.resolve(said.outcome);
        keepUnanswered(place, this.pending);
        if (waiting) tell("answered", { said: waiting.said, ok: said.outcome.ok });
        break;
      }
      case "sound":
        this.on.sound?.(said);
        break;
      case "level":
        this.on.level?.(said);
        break;
      case "hush":
        this.on.hush?.(said);
        break;
      case "sealed_words":
        this.on.sealed?.(said);
        tell("told", { message: {}, lines: said.lines ?? [], live: true, together: false });
        break;
      case "seal_code":
        this.on.code?.(said);
        break;
      case "beat":
        if (said.ask) this.socket.send(JSON.stringify({ kind: "beat", n: said.n }));
        hold(said.held, place);
        tell("held", said.held);
        break;
      case "copy_begins":
      case "copy":
      case "copy_seal":
        tell("record-copy", said);
        break;
      case "lines":
        tell("lines", said);
        break;
      case "rehearsal":
        this.on.rehearsal?.(said);
        break;
      case "record_fails":
        this.on.refused?.(t(!said.now ? "record_goes_on" : said.held ? "record_silent" : "record_fails"), {});
        break;
      case "servers":
        learn(said);
        break;
      case "wrong": // of what, is not known
        for (const one of this.pending.values()) one.unread = true;
        this.on.refused?.(said.text, {});
        break;
    }
  }

  // The game is cancelled: this page goes on at the new one's table, where it is admitted already. An arbiter who
  // comes back to the old one may look at it.
  /** @param {NextGame | null} next @param {number} wait */
  follow(next, wait) {
    const page = document.body.dataset.page;
    if (!next || this.going || (page === "arbiter" && !wait)) return;
    this.going = true;
    const seat = next.seat ? `&seat=${next.seat}` : "";
    setTimeout(() => location.replace(`/${page}?table=${encodeURIComponent(next.table)}${seat}`), wait);
  }

  /** @param {{ code?: number }} event */
  lost(event, wait = AGAIN_MS) {
    if (event.code === 4401 && !away()) {
      location.replace("/#left");
      return;
    }
    if ((event.code === 4409 || event.code === 1013) && this.tries < 9) { // it goes to another server: nothing is wrong
      if (event.code === 4409 && this.tries < 3) wait = 0;
    } else {
      if (!this.down) { serverGone(place); tell("line-lost", null); }
      this.down = true;
      if (several() && this.tries) next();
    }
    this.show("lost", true);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), wait);
  }

  /** @param {string} key @param {boolean} lost */
  show(key, lost) {
    if (!this.state) return;
    this.state.dataset.t = key;
    this.state.textContent = t(key);
    this.state.classList.toggle("lost", lost);
  }

  /** @param {Sent} message */
  send(message) {
    const id = newId();
    const payload = JSON.stringify({ ...message, id });
    return new Promise((resolve) => {
      this.pending.set(id, { payload, said: message, at: Date.now(), resolve, tell: this.on.sending?.() });
      keepUnanswered(place, this.pending);
      if (this.socket.readyState === WebSocket.OPEN && this.known !== null) this.socket.send(payload);
    });
  }

  // Whether this was sent last and its answer has not come: a key that is pressed twice says it once. Said twice, the words
  // of a repetition are a move, and one yes answers two questions.
  /** @param {string | Command} words @param {Seat} [seat] */
  waits(words, seat) {
    const last = [...this.pending.values()].at(-1);
    if (!last || last.unread) return false;
    const { said } = last;
    if (said.kind === "do") return JSON.stringify(said.body) === JSON.stringify(words);
    return (said.text ?? said.cells) === words && said.seat === seat;
  }

  // A press names the ply it means: held up on the way while the game went on elsewhere, it presses nothing.
  /** @param {Command} body @param {number} [about_ply] */
  do(body, about_ply = body.do === "press" ? pressAbout() : undefined) {
    return this.send(about_ply ? { kind: "do", body, about_ply } : { kind: "do", body });
  }

  // What a table's button meant is not known later, so its press is given up soon.
  sendAgain() {
    for (const [id, { payload, said, at, resolve }] of this.pending) {
      if (said.body?.do === "press_key" && Date.now() - at > BUTTON_MS) {
        this.pending.delete(id);
        warn(t("press_lost"));
        resolve({ ok: false });
      } else this.socket.send(payload);
    }
    keepUnanswered(place, this.pending);
  }

  // What happens at this ear: told as it happens, and worth nothing later.
  /** @param {Wire.AtEar["did"]} did @param {string} id */
  ear(did, id) {
    if (this.socket.readyState === WebSocket.OPEN && this.known !== null) this.socket.send(JSON.stringify({ kind: "ear", did, id }));
  }

  // Braille cells as the fingers made them; the server reads them in the player's own codes.
  /** @param {string} text */
  cells(text) {
    return this.send({ kind: "cells", cells: text.replaceAll(" ", "\u2800"), ...capitals() });
  }

  // `seat`: whose words they are, where an assistant announces for both (D.2.10.2).
  /** @param {string} text @param {string} [act] @param {Seat} [seat] */
  type(text, act = "auto", seat = undefined) {
    if (asksStatus(text)) {
      tellStatus(!this.down);
      return Promise.resolve({ ok: true });
    }
    return this.send({ kind: "typed", text, act, ...(seat ? { seat } : {}), ...capitals() });
  }
}
