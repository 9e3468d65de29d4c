// The alerts that are not settled, as cards: what it is, its article, its sound, and the acts that settle it at one touch.
import { $, focused, make } from "/static/core/element.js";
import { language, listed, t } from "/static/core/language.js";
import { write } from "/static/core/spoken.js";
import { say, warn } from "/static/core/live.js";
import { alertName, moveNumber } from "/static/core/why.js";
import { ask } from "/static/core/servers.js";
import { confirmed } from "/static/core/asking.js";

/** @type {Wire.SettleAlert["how"][]} */
const HOW = ["acknowledged", "put_off", "filed"];
const AGAIN_MS = 1500;
/** @typedef {(offer: Http) => Promise<unknown>} Offered */
/** @type {typeof import("/static/arbiter/incident_card.js") | null} */
let incidents = null; // fetched with the first incident

// Whether its text says more than its name.
/** @param {Http} card */
const more = (card) => card.text.replace(/ \([^()]*\)$/, "").toLocaleLowerCase() !== alertName(card.kind).toLocaleLowerCase();

// Enters these in this order, and touches nothing that stays: a screen reader keeps its place. Gives what is to leave.
/** @param {HTMLElement} list @param {HTMLElement[]} items */
function enter(list, items) {
  const leaving = [...list.children].filter((one) => !items.includes(/** @type {HTMLElement} */ (one)));
  let at = list.firstElementChild;
  for (const item of items) {
    while (at && leaving.includes(at)) at = at.nextElementSibling;
    if (item === at) at = at.nextElementSibling;
    else list.insertBefore(item, at);
  }
  return leaving;
}

export class Alerts {
  /** @param {string} place @param {Act} act @param {Offered} offered @param {(utterance: string) => void} play */
  constructor(place, act, offered, play) {
    this.place = place;
    this.act = act;
    this.offered = offered;
    this.play = play;
    this.asked = this.changes = this.fresh = 0;
    /** @type {number | null} */
    this.told = null; // how many alerts were news once: a page that is opened tells nothing of those before
    /** @type {number | null} */
    this.newest = null; // when the newest of them came: a server that goes on with an older copy gives their numbers again
    this.last = "";
    /** @type {HTMLElement[]} */
    this.open = []; // the cards of what is neither put off nor filed
    this.none = make("li", { className: "soft" }); // where there is none
    this.none.dataset.t = "no_alerts";
    /** @type {Map<string, HTMLElement>} */
    this.items = new Map();
    document.addEventListener("language", () => { this.items.clear(); this.look(); });
    this.show([]);
  }

  // Something was recorded: whether what is to be settled is another than here.
  /** @param {number} changes @param {boolean} alerted by an alert that is news, though the first answer may have it already */
  changed(changes, alerted) {
    if (alerted && this.told === null) this.fresh += 1;
    if (changes > this.changes) { this.changes = changes; this.look(); }
  }

  // Answers that overtake one another: the last question counts.
  async look() {
    const asked = (this.asked += 1);
    let said;
    try {
      const answer = await ask(`/api/alerts?${this.place}&language=${language}`);
      if (answer.status >= 500) throw new Error(`alerts: ${answer.status}`);
      if (!answer.ok) return;
      said = await answer.json();
      if (said.cards.some((/** @type {Http} */ one) => one.steps.length)) incidents ??= await import("/static/arbiter/incident_card.js");
    } catch {
      setTimeout(() => { if (asked === this.asked) this.look(); }, AGAIN_MS); // nobody knows of an alert that is not shown
      return;
    }
    if (asked !== this.asked) return;
    this.told ??= said.count - this.fresh;
    this.changes = said.changes; // of an older copy of the record they are fewer
    this.show(said.cards);
    this.tell(said);
  }

  // What is new, once: what somebody waits for interrupts, all else waits until the screen reader is done.
  /** @param {Http} said */
  tell({ count, cards }) {
    const newest = this.newest ?? Infinity;
    for (const card of cards) {
      if (card.how || (card.numbers.at(-1) <= /** @type {number} */ (this.told) && card.at <= newest)) continue;
      const about = listed([card.ply ? t("at_ply", { ply: moveNumber(card.ply) }) : "", card.grey ? t("as_heard") : ""].filter(Boolean));
      this.last = `${alertName(card.kind)}${about ? ` (${about})` : ""}${more(card) ? `: ${card.text}` : ""}`;
      (card.at_once ? warn : say)(this.last);
    }
    this.told = count;
    this.newest = Math.max(this.newest ?? 0, ...cards.map((/** @type {Http} */ one) => one.at));
  }

  /** @param {Http[]} cards */
  show(cards) {
    const inside = focused();
    const before = inside?.closest("#alerts-section .list:not(.steps) > li");
    const items = new Map();
    for (const card of cards) {
      const key = JSON.stringify([card, document.body.dataset.state]);
      items.set(key, this.items.get(key) ?? this.card(card));
    }
    this.items = items;
    const made = cards.map((card) => ({ card, item: items.get(JSON.stringify([card, document.body.dataset.state])) }));
    /** @param {string | null} how */
    const those = (how) => made.filter(({ card }) => (card.how || null) === how).map(({ item }) => item);
    this.open = those(null);
    this.none.textContent = t("no_alerts");
    if (this.open.length) delete $("alerts").dataset.empty;
    else $("alerts").dataset.empty = "yes";
    for (const [how, id] of /** @type {const} */ ([["put_off", "put-off"], ["filed", "filed"]])) {
      const count = those(how).length;
      $(id).hidden = !count;
      $(`${id}-count`).textContent = String(count);
    }
    // The focus goes on before the card that had it is taken away: a screen reader goes from one to the other.
    const leaving = [
      ...enter($("alerts"), this.open.length ? this.open : [this.none]),
      ...enter($("alerts-put-off"), those("put_off")),
      ...enter($("alerts-filed"), those("filed")),
    ];
    for (const one of leaving) one.classList.remove("alert-line"); // it is counted no more among those that are shown
    if (before && leaving.includes(before)) this.goOn(before);
    else if (inside?.isConnected && inside !== document.activeElement) inside.focus();
    for (const one of leaving) one.remove();
  }

  // The card under the fingers is drawn anew: the same control of it, or its first act where a button is gone; where the
  // card waits no more, the most urgent one.
  /** @param {Element} before */
  goOn(before) {
    const { number } = /** @type {HTMLElement} */ (before).dataset;
    const cards = /** @type {HTMLElement[]} */ ([...(before.parentElement?.children ?? [])]);
    const same = cards.find((one) => one !== before && number && one.dataset.number === number);
    if (same && !same.offsetParent) $("alerts").classList.remove("short"); // it stands below those that are shown
    if (same && incidents?.handOn(same)) return;
    const words = focused()?.closest("button")?.textContent;
    const buttons = words ? [...(same?.querySelectorAll("button") ?? [])] : [];
    const act = buttons.find((one) => one.textContent === words) ?? buttons[0];
    (act ?? (same ?? this.open[0])?.querySelector("[role=group]") ?? $("alerts-title")).focus();
  }

  // All steps of an incident with one touch; a result among them is asked for once more.
  /** @param {import("/static/arbiter/incident_card.js").IncidentSteps} steps */
  async settle(steps) {
    const body = steps.body();
    const ends = body.steps.find((/** @type {any} */ one) => one.do === "rule_result" || one.penalty === "loss" || one.forfeit);
    if (ends && this.many(body) && !(await confirmed(`${t(`act.${ends.do}`)}? ${ends.result ?? (ends.forfeit ? t("settle.forfeit") : `${t(ends.seat)}: ${t("choice.penalty.loss")}`)}`))) return false;
    const done = await this.act(/** @type {any} */ (body));
    if (done) steps.forget();
    return done;
  }

  // A result that stands on its own button is not asked for again.
  /** @param {any} body */
  many(body) { return body.steps.length > 1 || body.steps[0].do !== "rule_result"; }

  /** @param {Http} card */
  card(card) {
    const item = make("li", { className: `alert-line${card.grey ? " grey" : ""}` });
    item.dataset.kind = card.kind;
    const name = alertName(card.kind);
    const title = make("h3", { textContent: name });
    const times = card.numbers.length > 1 ? t("settle.times", { count: card.numbers.length }) : "";
    if (times) title.append(" ", make("b", { className: "count", textContent: times }));
    const about = [card.ply ? t("at_ply", { ply: moveNumber(card.ply) }) : "", card.grey ? t("as_heard") : "", card.article].filter(Boolean).join(" · ");
    const row = make("div", { className: "row" });
    const over = document.body.dataset.state === "after";
    item.dataset.number = card.numbers[0]; // whatever comes again, it is the same card
    const steps = incidents && card.steps.length && !over ? new incidents.IncidentSteps(card, () => this.act({ do: "pause", reason: "incident" })) : null;
    const all = card.offers.find((/** @type {Http} */ one) => one.body.do === "settle_incident");
    for (const offer of card.offers) {
      if (over && !["rule_result", "release_law", "penalise", "note_incident", "mend", "set_board"].includes(offer.body.do)) continue;
      const who = offer.who ? `: ${t(offer.who)}` : offer.what ? `: ${offer.what}` : "";
      const done = steps && offer === all ? () => this.settle(steps) : () => this.offered(offer);
      row.append(this.button(`${t(`settle.${offer.name}`)}${who}`, name, done, row.childElementCount ? "" : "first"));
    }
    if (card.sound) row[card.grey ? "prepend" : "append"](this.button(`♪ ${t("desk.listen")}`, name, async () => this.play(card.sound)));
    if (card.how !== "filed") for (const how of HOW) if (how !== card.how) row.append(this.button(t(`settle.${how}`), name, () => this.act({ do: "settle_alert", numbers: card.numbers, how }), "quiet"));
    const text = make("p", { hidden: !more(card) });
    write(text, card.text);
    // What the key of the next alert leads to: all of it is the name, so that its beginning stands on a braille display.
    const group = make("div", { tabIndex: -1, ariaLabel: [`${name} ${times}`.trim(), more(card) ? card.text : "", about].filter(Boolean).join(". ") });
    group.setAttribute("role", "group");
    group.append(title, text, make("p", { className: "soft small", textContent: about }), row, ...(steps ? [steps.list] : []));
    item.append(group);
    return item;
  }

  /** @param {string} words @param {string} name @param {() => Promise<unknown>} done */
  button(words, name, done, look = "") {
    const button = make("button", { type: "button", className: `listen ${look}`.trim(), textContent: words });
    button.append(make("span", { className: "unseen", textContent: ` – ${name}` }));
    button.addEventListener("click", () => done());
    return button;
  }
}
