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
/** @typedef {(offer: Http) => Promise<unknown>} Offered */
/** @type {typeof import("/static/arbiter/incident_card.js") | null} */
let incidents = null; // fetched with the first incident

// Whether its text says more than its name.
/** @param {Http} card */
const more = (card) => card.text.replace(/ \([^()]*\)$/, "").toLocaleLowerCase() !== alertName(card.kind).toLocaleLowerCase();

export class Alerts {
  /** @param {string} place @param {Act} act @param {Offered} offered @param {(utterance: string) => void} play */
  constructor(place, act, offered, play) {
    this.place = place;
    this.act = act;
    this.offered = offered;
    this.play = play;
    this.asked = this.changes = 0;
    /** @type {number | null} */
    this.told = null; // how many alerts were news once: a page that is opened tells nothing of those before
    this.last = "";
    /** @type {HTMLElement[]} */
    this.kept = []; // what stands here until this page is left: the code of an envelope
    /** @type {Map<string, HTMLElement>} */
    this.items = new Map();
    document.addEventListener("language", () => { this.items.clear(); this.look(); });
    this.show([]);
  }

  // Something was recorded: whether what is to be settled is another than here.
  /** @param {number} changes */
  changed(changes) {
    if (changes > this.changes) { this.changes = changes; this.look(); }
  }

  // Answers that overtake one another: the last question counts.
  async look() {
    const asked = (this.asked += 1);
    let said;
    try {
      const answer = await ask(`/api/alerts?${this.place}&language=${language}`);
      if (!answer.ok) return;
      said = await answer.json();
    } catch {
      return; // the server is gone; it is asked when it is back
    }
    if (said.cards.some((/** @type {Http} */ one) => one.steps.length)) incidents ??= await import("/static/arbiter/incident_card.js");
    this.told ??= said.count;
    if (asked !== this.asked) return;
    this.changes = Math.max(this.changes, said.changes);
    this.show(said.cards);
    this.tell(said);
  }

  // What is new, once: what somebody waits for interrupts, all else waits until the screen reader is done.
  /** @param {Http} said */
  tell({ count, cards }) {
    for (const card of cards) {
      if (card.how || card.numbers.at(-1) <= /** @type {number} */ (this.told)) continue;
      const about = listed([card.ply ? t("at_ply", { ply: moveNumber(card.ply) }) : "", card.grey ? t("as_heard") : ""].filter(Boolean));
      this.last = `${alertName(card.kind)}${about ? ` (${about})` : ""}${more(card) ? `: ${card.text}` : ""}`;
      (card.at_once ? warn : say)(this.last);
    }
    this.told = count;
  }

  /** @param {HTMLElement} item */
  keep(item) {
    this.kept.unshift(item);
    this.put([...$("alerts").querySelectorAll("li:not(.soft)")].filter((one) => !this.kept.includes(one)));
  }

  /** @param {Http[]} cards */
  show(cards) {
    const before = focused()?.closest("#alerts-section li");
    const items = new Map();
    for (const card of cards) {
      const key = JSON.stringify([card, document.body.dataset.state]);
      items.set(key, this.items.get(key) ?? this.card(card));
    }
    this.items = items;
    const made = cards.map((card) => ({ card, item: items.get(JSON.stringify([card, document.body.dataset.state])) }));
    this.put(made.filter(({ card }) => !card.how).map(({ item }) => item));
    for (const [how, id] of /** @type {const} */ ([["put_off", "put-off"], ["filed", "filed"]])) {
      const some = made.filter(({ card }) => card.how === how).map(({ item }) => item);
      $(`alerts-${id}`).replaceChildren(...some);
      $(id).hidden = !some.length;
      $(`${id}-count`).textContent = String(some.length);
    }
    if (before && !before.isConnected) this.goOn(before);
  }

  // The card under the fingers was drawn anew: its first act, where it still waits; else the most urgent card.
  /** @param {Element} before */
  goOn(before) {
    const same = [...$("alerts").querySelectorAll("li")].find((one) => one.dataset.numbers && one.dataset.numbers === /** @type {HTMLElement} */ (before).dataset.numbers);
    (same?.querySelector("button") ?? $("alerts").querySelector("[role=group]") ?? $("alerts-title")).focus();
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

  /** @param {HTMLElement[]} open */
  put(open) {
    const all = [...this.kept, ...open];
    if (all.length) delete $("alerts").dataset.empty;
    else {
      const none = make("li", { className: "soft", textContent: t("no_alerts") });
      none.dataset.t = "no_alerts";
      all.push(none);
      $("alerts").dataset.empty = "yes";
    }
    const same = all.length === $("alerts").childElementCount && all.every((one, at) => one === $("alerts").children[at]);
    if (same) return;
    const inside = focused();
    $("alerts").replaceChildren(...all);
    if (inside?.isConnected && inside !== document.activeElement) inside.focus();
  }

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
    item.dataset.numbers = card.numbers.join(" ");
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
