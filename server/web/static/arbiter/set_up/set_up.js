// Setting up a table: the rules in force, the questions that must be answered, adaptations (D.1), the checklist.
import { $, focused, make } from "/static/core/element.js";
import { telling } from "/static/arbiter/bar.js";
import { step } from "/static/arbiter/cockpit.js";
import { LANGUAGES, has, language, t } from "/static/core/language.js";

/** @param {[string, string][]} text */
const words = (text) => { const found = Object.fromEntries(text); return found[language] ?? found.en; };
/** @param {string} value */
const valued = (value) => (has(`value.${value}`) ? t(`value.${value}`) : LANGUAGES[value]?.name ?? value);
const texts = new Map();
/** @type {Seat[]} */
const SEATS = ["white", "black"];

// What was recorded of an adaptation, in words: "position_readout", "on".
/** @param {string} name @param {string} value */
export const adapted = (name, value) => [texts.has(name) ? words(texts.get(name)) : name, valued(value)].filter(Boolean).join(": ");

// What was ticked of the checklist, and whether the player answered it.
/** @param {Wire.ChecklistTicked} event */
export const ticked = (event) => [texts.has(event.item) ? words(texts.get(event.item)) : event.item, t(event.ok ? "yes" : "no"), event.own ? t("consent.own") : ""].filter(Boolean).join(" – ");

export class SetUp {
  /** @param {Act} act */
  constructor(act) {
    this.act = act;
    /** @type {Wire.TableShown | null} */
    this.table = null;
    this.stood = ""; // the value of the adaptation as it was shown before anybody chose another
    $("adaptation").addEventListener("change", () => this.chosen());
    document.addEventListener("language", () => this.show(this.table));
  }

  /** @param {Wire.TableShown | null} table */
  show(table) {
    this.table = table;
    if (!table) return;
    for (const one of table.adaptations) texts.set(one.name, one.text);
    for (const one of table.checklist) texts.set(one.item, one.text);
    const parts = [has(`rules.${table.rule_set}`) ? t(`rules.${table.rule_set}`) : table.title || table.rule_set, t(table.rated ? "rated" : "not_rated"), t(`supervision.${table.supervision}`), t(`boards_at_table.${table.boards}`), ...this.guidelines(table), ...this.hearing(table)];
    $("rules").textContent = [...parts, ...table.overrides, ...table.needs.filter(Boolean)].join(" · ");
    this.ask(table.adaptations.filter((one) => one.must_answer));
    const before = $("adaptation").value;
    $("adaptation").replaceChildren(...table.adaptations.map((one) => new Option(words(one.text), one.name)));
    if (before) $("adaptation").value = before;
    this.chosen();
    this.checks();
  }

  // Who is hearing-impaired (D.2.11).
  /** @param {Wire.TableShown} table */
  hearing({ hearing_impaired }) {
    return SEATS.filter((_, index) => hearing_impaired[index]).map((seat) => `${t(seat)}: ${t("described.hearing_impaired")}`);
  }

  // Which Guidelines hold: adjournments (I), a quickplay finish (III), and whether an arbiter is there.
  /** @param {Wire.TableShown} table */
  guidelines({ guidelines, quickplay, unsupervised }) {
    const announced = guidelines.includes("III");
    return [guidelines.includes("I") ? "I" : "", quickplay ? "III" : announced ? "III_not" : "", unsupervised ? "alone" : ""].filter(Boolean).map((one) => t(`guidelines.${one}`));
  }

  // What the start waits for, and what cannot be kept before the arbiter has looked at it.
  holds() {
    if (!this.table) return;
    const { adaptations, checklist, assistant_needed, sound_needs_consent } = this.table;
    const lines = [];
    if (adaptations.some((one) => one.must_answer && !one.recorded)) lines.push(t("holds.question"));
    if (assistant_needed) lines.push(t("holds.assistant"));
    for (const one of checklist) {
      if (one.item === "voice_recording" && (one.ok === false || (one.ok === null && sound_needs_consent))) lines.push(t("holds.consent", { who: t(one.seat ?? "") }));
    }
    const asked = adaptations.filter((one) => one.must_answer);
    const left = asked.filter((one) => !one.recorded).length;
    if (asked.length) step("questions", "questions", () => t(left ? "checks_open" : "done", { count: left }), !left);
    $("questions-step").hidden = !asked.length;
    $("holds").replaceChildren(...lines.map((text) => make("li", { className: "notice", textContent: `⚠ ${text}` })));
  }

  // The questions; an answer that was chosen and is not recorded yet stays, and so does the focus.
  /** @param {Wire.AdaptationShown[]} asked */
  ask(asked) {
    const controls = () => /** @type {HTMLInputElement[]} */ ([...$("questions").querySelectorAll("input, button")]);
    const before = controls();
    const at = before.findIndex((one) => one === focused());
    $("questions").replaceChildren(...asked.map((one) => this.question(one)));
    for (const one of controls()) {
      if (before.some(({ name, value, checked, defaultChecked }) => name && name === one.name && value === one.value && checked && !defaultChecked)) one.checked = true;
    }
    controls()[at]?.focus();
  }

  // One radio group; nothing is chosen beforehand.
  /** @param {Wire.AdaptationShown} one */
  question(one) {
    const form = make("form", { className: "fields" });
    const group = make("fieldset");
    group.append(make("legend", { textContent: `${words(one.text)} (${one.article})` }));
    for (const value of one.values) {
      const label = make("label", { className: "check" });
      label.append(make("input", { type: "radio", name: one.name, value, defaultChecked: one.value === value, required: true }), ` ${valued(value)}`);
      group.append(label);
    }
    form.append(group, make("button", { textContent: t("record_it") }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.act({ do: "record_adaptation", name: one.name, value: String(new FormData(form).get(one.name)) });
    });
    return form;
  }

  // The values of an adaptation; one that was chosen and is not recorded yet stays.
  chosen() {
    const one = this.table?.adaptations.find((known) => known.name === $("adaptation").value);
    if (!one) return;
    const field = $("adaptation-value");
    const left = field.dataset.of === one.name && field.value !== this.stood ? field.value : "";
    $("adaptation-text").textContent = `${words(one.text)} (${one.article})`;
    field.replaceChildren(...one.values.map((value) => new Option(valued(value), value, false, value === one.value)));
    field.dataset.of = one.name;
    this.stood = field.value;
    if (one.values.includes(left)) field.value = left;
  }

  checks() {
    if (!this.table) return;
    this.holds();
    const list = this.table.checklist;
    const count = list.filter((one) => !one.ok).length;
    $("checklist-state").textContent = `– ${t("checks_open", { count })}`;
    step("checklist", "checklist-sheet", () => t("checks_open", { count }), !count);
    const before = focused()?.dataset.check;
    const row = make("div", { className: "row" });
    row.append(...this.groups(list));
    $("checklist").replaceChildren(row, ...list.map((one) => {
      const label = make("label", { className: "check" });
      const box = make("input", { type: "checkbox", checked: one.ok === true });
      box.dataset.check = `${one.item} ${one.seat ?? ""}`;
      box.addEventListener("change", () => this.act({ do: "tick_checklist", item: one.item, seat: one.seat, ok: box.checked }));
      label.append(box, ` ${one.seat ? `${t(one.seat)}: ` : ""}${words(one.text)} (${one.article})`);
      return label;
    }));
    // What was ticked last of a group takes its button away.
    if (before) /** @type {HTMLElement} */ (document.querySelector(`[data-check="${before}"]`) ?? document.querySelector("#checklist-sheet > summary")).focus();
  }

  // One touch for all that is still open of a seat, or of the table itself.
  /** @param {Wire.TableShown["checklist"]} list */
  groups(list) {
    return [...SEATS, null].flatMap((seat) => {
      const still = list.filter((one) => one.seat === seat && !one.ok);
      if (!still.length) return [];
      const button = make("button", { type: "button", textContent: t("checklist.group", { who: t(seat ?? "checklist.table") }) });
      button.dataset.check = `group ${seat ?? ""}`;
      button.addEventListener("click", async () => {
        const tell = telling();
        for (const { item } of still) await this.act({ do: "tick_checklist", item, seat, ok: true }, undefined, tell);
      });
      return [button];
    });
  }

  // What was recorded meanwhile; the greeting told the rest.
  /** @param {Wire.AnyEvent} event */
  recorded(event) {
    if (!this.table) return;
    if (event.event === "station_admitted" && event.role === "assistant") {
      this.table.assistant_needed &&= !event.duties?.length;
      this.holds();
    } else if (event.event === "adaptation_recorded") {
      const one = this.table.adaptations.find((known) => known.name === event.name);
      if (one && event.approved) { one.value = event.value; one.recorded = true; }
      this.show(this.table);
    } else if (event.event === "checklist_ticked") {
      const one = this.table.checklist.find((known) => known.item === event.item && known.seat === event.seat);
      if (one) { one.ok = event.ok; one.note = event.note; }
      this.checks();
    } else if (event.event === "player_described") {
      const at = SEATS.indexOf(event.seat);
      if (typeof event.hearing_impaired === "boolean") this.table.hearing_impaired[at] = event.hearing_impaired;
      if (typeof event.needs === "string") this.table.needs[at] = event.needs;
      this.table.assistant_needed = event.assistant_needed ?? false;
      this.show(this.table);
    } else if (event.event === "guidelines_settled") {
      Object.assign(this.table, { guidelines: event.guidelines, quickplay: event.quickplay, unsupervised: event.unsupervised });
      this.show(this.table);
    } else if (event.event === "two_boards_demanded") {
      if (this.table.boards === "one") this.table.boards = "two";
      this.show(this.table);
    }
  }
}
