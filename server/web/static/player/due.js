// What is due from this player now, above talk and press: a question with its answers, a final position to verify, the
// result to approve, an offer, a fallen flag; and what follows a claim. It goes when it is done with, by whatever means. It
// says nothing that the page was not told.
import { $, focused, make } from "/static/core/element.js";
import { has, spelt, t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { confirmed } from "/static/core/asking.js";
import { write } from "/static/core/spoken.js";
import { why } from "/static/core/why.js";

// What answers the player's own words, or takes the place of the question about them.
const ENDS = ["understood", "no_taken", "not_done", "draw_reply", "resignation_shown", "ended", "claim_shown", "act_taken", "started"];
const LOOK_MS = 250;
const HEARD_MS = 5000; // as in `claims/proposals.py`
// What the sound left open and few answers close, in the order in which the server gives them.
/** @type {{ [ask: string]: string[] }} */
const NAMED = { promotion: ["queen", "rook", "bishop", "knight"], piece: ["king", "queen", "rook", "bishop", "knight", "pawn"] };

/** @param {string} label @param {Command} body @param {string} [sure] @returns {DueAnswer} */
const act = (label, body, sure) => ({ label, body, sure });
const yesNo = () => [act(t("yes"), { do: "confirm", yes: true }), act(t("no"), { do: "confirm", yes: false })];

export class Due {
  // `flagged()`: whether the opponent's display stands at zero, where this page shows the clocks; `more`: what else is due
  // on this page, asked first.
  /** @param {Station} station @param {() => boolean} [flagged] @param {() => DueShown | null} [more] */
  constructor(station, flagged, more = () => null) {
    this.station = station;
    this.flagged = flagged;
    this.more = more;
    /** @type {(DueShown & { ask?: string, before?: Set<Sent> }) | null} */
    this.asked = null;
    this.askedAt = this.instant = 0; // in which instant it was asked, and which it is now
    /** @type {Wire.DrawOffer | null} */
    this.offer = null;
    /** @type {Wire.Ended | null} */
    this.ended = null;
    this.approved = "";
    this.flag = this.claimed = this.released = false;
    /** @type {string[]} */
    this.claim = []; // what follows the player's own claim of a draw, by its words
    this.verify = ""; // the final position that the player must still say something of (III.6)
    this.looking = false; // the game may be looked through
    this.shown = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.lapsing = undefined;
    document.addEventListener("language", () => { this.shown = ""; this.draw(); });
    // Doing something else than answering drops the question whether one meant to end the game.
    document.addEventListener("answered", ({ detail: { said, ok } }) => {
      const body = said.body;
      if (ok && body?.do === "verify_position") { this.verify = ""; this.draw(); }
      if (!ok || !this.asked?.before || this.asked.before.has(said) || body?.do === "confirm" || (body?.do === "ask" && body.what === "help")) return;
      if (["resign", "draw_accept"].includes(this.asked.ask ?? "")) this.ask(null);
    });
    if (flagged) setInterval(() => this.look(), LOOK_MS);
    const bar = $("due").parentElement;
    if (bar) new ResizeObserver(() => document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`)).observe(bar);
    const more_below = () => document.documentElement.classList.toggle("more", scrollY + innerHeight < document.documentElement.scrollHeight - 24);
    for (const event of ["scroll", "resize"]) addEventListener(event, more_below, { passive: true });
    new ResizeObserver(more_below).observe($("main"));
  }

  // The opponent's display is looked at as the player looks at it.
  look() {
    const flag = Boolean(this.flagged?.());
    if (flag === this.flag) return;
    this.flag = flag;
    if (!flag) this.claimed = false;
    this.draw();
  }

  /** @param {(DueShown & { ask?: string, before?: Set<Sent> }) | null} asked */
  ask(asked) {
    clearTimeout(this.lapsing);
    this.asked = asked;
    if (asked) this.askedAt = this.instant;
    this.draw();
  }

  // A yes counts for so long; after that nothing is asked any more, and the page says so once none that was said in time
  // may still be recognised.
  /** @param {Wire.Question} message @param {boolean} live */
  question(message, live) {
    const { ask, answers = [], within_ms } = message;
    const text = spelt(message.text) || t(has(`ask.${ask}`) ? `ask.${ask}` : "ask.repeat");
    if (!live && within_ms) return;
    if (!within_ms && (ask === "intended" || ask.startsWith("claim_"))) this.claim = ["due.claimed"];
    const names = NAMED[ask]?.map((name) => t(`piece.${name}`)) ?? (ask === "which" ? message.choices : null);
    if (answers.length) this.ask({ text, answers: answers.map((label, at) => ({ label: names?.[at] ?? spelt(label), typed: label })) });
    else if (ask === "intended") this.ask({ text, answers: [act(t("due.no_move"), { do: "confirm", yes: false })] });
    else if (within_ms || ask.startsWith("claim_")) this.ask({ text, ask, answers: yesNo(), before: new Set([...this.station.pending.values()].map((one) => one.said)) });
    else this.ask(null);
    if (!within_ms) return;
    this.lapsing = setTimeout(() => {
      this.ask(null);
      this.lapsing = setTimeout(() => document.dispatchEvent(new Event("lapsed")), HEARD_MS);
    }, within_ms);
  }

  /** @param {Told} message @param {boolean} live */
  message(message, live) {
    this.instant = message.instant;
    if (ENDS.includes(message.type) && this.askedAt !== this.instant) this.ask(null); // what was asked just now stands
    switch (message.type) {
      case "question":
        this.question(message, live);
        break;
      case "clock_setting":
        this.ask(message.stage === "asked" && live ? { text: message.lines.join(" "), answers: yesNo() } : null);
        break;
      case "square_to_set_now":
        this.ask(message.square ? { text: message.lines.join(" "), answers: [act(t("due.square_set"), { do: "confirm", yes: true }), act(t("due.again"), { do: "confirm", yes: false })] } : null);
        break;
      case "draw_offer":
        this.offer = message.own ? null : message;
        if (message.own) this.ask(null);
        if (message.own && message.by_claim) this.claim = ["due.claimed"];
        break;
      case "claim_shown":
        if (message.own) this.claim = message.ground === "no_effort" ? ["claim_own", "due.write_up"] : ["claim_own"];
        else this.verify = message.text;
        break;
      case "ruling_shown":
        if (message.what.startsWith("claim_")) [this.claim, this.verify] = [[], ""];
        break;
      case "draw_reply":
      case "resignation_shown":
        this.offer = null;
        break;
      case "flag_shown":
        if (!message.own) this.flag = true;
        break;
      case "time_given":
      case "clock_corrected":
        if (!this.flagged) this.flag = false;
        break;
      case "resumed":
        this.claimed = false;
        this.claim = [];
        break;
      case "act_taken":
        if (message.what === "flag") this.claimed = true;
        if (message.what === "claim") this.claim = ["due.claimed"];
        if (message.what === "approved") this.approved = message.result;
        break;
      case "review_shown":
        this.released = message.released;
        break;
      case "ended":
        this.ended = message.result === "*" ? null : message;
        this.offer = null;
        this.flag = false;
        [this.claim, this.verify] = [[], ""];
        document.body.classList.toggle("over", Boolean(this.ended));
        break;
      default:
        return;
    }
    this.draw();
  }

  /** @returns {DueShown | null} */
  now() {
    if (this.asked) return this.asked;
    const more = this.more();
    if (more) return more;
    if (this.ended) return this.afterwards(this.ended);
    if (this.verify) return { text: this.verify, answers: [true, false].map((agrees) => ({ label: t(agrees ? "yes" : "no"), body: { do: "verify_position", agrees } })) };
    if (this.offer) {
      return { text: t(this.offer.by_claim ? "draw_claim_came" : "draw_offer_came"), answers: [
        act(t("due.accept"), { do: "answer_draw", accept: true }, "sure.accept"),
        act(t("due.decline"), { do: "answer_draw", accept: false }),
      ] };
    }
    if (this.claim.length) return { text: this.claim.map((words) => t(words)).join(" "), answers: [{ label: t("due.score"), go: "#score-title" }, act(t("call_arbiter"), { do: "call_arbiter", reason: "" }, "sure.arbiter")] };
    if (this.flag && !this.claimed) return { text: t("due.flag"), answers: [act(t("claim_time"), { do: "claim_time" })] };
    return null;
  }

  // The game is over: the result to approve, then what there is to look through.
  /** @param {Wire.Ended} ended @returns {DueShown} */
  afterwards({ result, reason }) {
    const call = act(t("call_arbiter"), { do: "call_arbiter", reason: "" });
    const approved = this.approved === result;
    const text = approved ? t("due.approved", { result }) : [t("ended", { result }), why(reason)].filter(Boolean).join(" · ");
    if (!approved) return { text, answers: [act(t("due.approve"), { do: "approve_result", result: /** @type {any} */ (result) }), call] };
    /** @type {DueAnswer[]} */
    const places = [{ label: t("due.board"), run: () => { this.look_through(true, true).then(() => go("#after-title"), () => warn(t("no_answer"))); } }, { label: t("due.score"), go: "#score-title" }];
    if (this.released) places.push({ label: t("due.review"), go: "/review" });
    return { text, answers: [...places, call] };
  }

  // The game on a board to step through: fetched when it may be seen, and not before.
  /** @param {boolean} yes @param {boolean} [asked] */
  async look_through(yes, asked = false) {
    const { after } = await import("/static/hall/finished_game.js");
    await after(yes, asked);
  }

  draw() {
    const place = $("due");
    const now = this.now();
    const looking = Boolean(this.ended) && this.approved === this.ended?.result;
    if (looking !== this.looking) this.look_through(this.looking = looking).catch(() => {});
    const shown = now ? JSON.stringify(now) : "";
    if (shown === this.shown) return;
    this.shown = shown;
    const held = place.contains(focused());
    place.hidden = !now;
    if (now) {
      write($("due-text"), now.text);
      $("due-acts").replaceChildren(...now.answers.map((one) => this.button(one)));
      if (now.said) say(now.text, { heard: true });
    }
    // Never on to the press: the key that answered might press it too.
    if (held) $("last").focus();
  }

  /** @param {DueAnswer} one */
  button(one) {
    if (one.go?.startsWith("/")) return make("a", { className: "button", href: one.go, textContent: one.label });
    const button = make("button", { type: "button" });
    write(button, one.label);
    button.addEventListener("click", async () => {
      if (one.go) return go(one.go);
      if (one.run) return one.run();
      if (one.sure && !(await confirmed(t(one.sure)))) return;
      if (this.station.waits(one.typed ?? one.body ?? "")) return;
      if (one.typed) this.station.type(one.typed);
      else if (one.body) this.station.do(one.body);
    });
    return button;
  }
}

/** @param {string} id */
function go(id) {
  const title = document.querySelector(id);
  if (!title) return;
  title.tabIndex = -1;
  title.scrollIntoView({ block: "start" });
  title.focus({ preventScroll: true });
}
