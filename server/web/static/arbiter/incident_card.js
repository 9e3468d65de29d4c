// The steps of an incident on its card: numbered, what the Laws prescribe filled in, each to be left out or changed.
import { inMoveWords } from "/static/core/board.js";
import { focused, make } from "/static/core/element.js";
import { listed, t } from "/static/core/language.js";
import { SEATS, inWords } from "/static/core/times.js";
import { ask } from "/static/core/servers.js";

/** @typedef {{ taken: boolean, open: boolean, set: { [field: string]: any }, typed: { [field: string]: string } }} Handled */
/** @type {Map<string, Handled>} */
const handled = new Map(); // what was done at a step, until it is settled: the card is drawn anew when the clocks stop
/** @type {{ control: Function, value: Function, acts: Form[] } | null} */
let making = null; // what makes the fields of a fold, fetched with the first one that is opened

/** @param {any} body */
function about(body, uci = "") {
  if (body.do === "add_time") return `${body.ms < 0 ? "−" : "+"}${inWords(Math.abs(body.ms))}`;
  if (body.do === "rule_result") return body.result;
  if (body.do === "penalise") return t(`choice.penalty.${body.penalty}`);
  if (body.do === "set_clock") return SEATS.map((seat) => `${t(seat)} ${inWords(body[`${seat}_ms`])}`).join(", ");
  return uci && inMoveWords(uci);
}

// What is done at a step is about it, however often its alert comes again.
/** @param {Http} card @param {Http} step */
const named = ({ numbers }, { name, who }) => [numbers[0], name, who].filter(Boolean).join(" ");

// A card whose step has the focus gives way to another: the same control there has it, or the whole card where that step
// is gone. Whether a step had the focus.
/** @param {HTMLElement} after */
export function handOn(after) {
  const at = focused();
  const step = /** @type {HTMLElement | null | undefined} */ (at?.closest("[data-step]"))?.dataset.step;
  if (!at || !step) return false;
  const same = [.../** @type {NodeListOf<HTMLElement>} */ (after.querySelectorAll("[data-step]"))].find((one) => one.dataset.step === step);
  /** @type {HTMLElement | null | undefined} */
  const to = same?.querySelector(at.id ? `#${at.id}` : at.matches("summary") ? "summary" : "label input");
  at.dataset.gone = "yes";
  (to ?? after.querySelector("[role=group]"))?.focus();
  if (at instanceof HTMLInputElement && at.selectionStart !== null && to instanceof HTMLInputElement) to.setSelectionRange(at.selectionStart, at.selectionEnd);
  return true;
}

export class IncidentSteps {
  /** @param {Http} card @param {() => Promise<unknown>} stop */
  constructor(card, stop) {
    this.card = card;
    this.stop = stop;
    this.list = make("ol", { className: "list steps", ariaLabel: t("settle.steps") });
    this.list.append(...card.steps.map((/** @type {Http} */ step) => this.step(step)));
  }

  /** @param {Http} step @returns {Handled} */
  kept(step) {
    return handled.get(named(this.card, step)) ?? { taken: true, open: false, set: {}, typed: {} };
  }

  // A card of which anything is touched is looked at: the clocks stop, unless they stand.
  touched() {
    if (this.card.steps.some((/** @type {Http} */ one) => one.body.do === "pause" && !one.done)) this.stop();
  }

  /** @param {Http} step */
  step(step) {
    const item = make("li", { className: step.done ? "done" : "" });
    const name = t(`settle.${step.name}`);
    if (step.done) {
      item.textContent = `✓ ${name}: ${t("done")}`;
      return item;
    }
    item.dataset.step = named(this.card, step);
    const found = this.kept(step);
    const keep = () => handled.set(named(this.card, step), found);
    const label = make("label", { className: "check" });
    const box = make("input", { type: "checkbox", checked: found.taken });
    const words = make("span");
    const say = () => {
      const body = filledIn(step, found);
      const more = [about(body, step.uci), step.who ? t(body.seat ?? step.who) : ""].filter(Boolean);
      words.textContent = ` ${name}${more.length ? `: ${listed(more)}` : ""}`;
    };
    say();
    label.append(box, words);
    box.addEventListener("change", () => { found.taken = box.checked; keep(); this.touched(); });
    item.append(label, this.fold(step, found, name, () => { keep(); say(); }));
    return item;
  }

  // The fields of a step, behind "Change": open again on a card that is drawn anew, with what was being typed.
  /** @param {Http} step @param {Handled} found @param {string} name @param {() => void} said */
  fold(step, found, name, said) {
    const fold = make("details", { className: "small" });
    const summary = make("summary", { textContent: t("settle.change") });
    summary.append(make("span", { className: "unseen", textContent: ` – ${name}` }));
    fold.append(summary);
    const fill = () => { if (fold.childElementCount === 1) fold.append(fields(filledIn(step, found), found, said)); };
    if (found.open && making) fill();
    fold.open = found.open;
    fold.addEventListener("toggle", async () => {
      const newly = fold.open && !found.open;
      if (found.open !== fold.open) { found.open = fold.open; said(); }
      if (!fold.open) return;
      making ??= await makingFields().catch(() => null);
      if (!making) return; // the server is gone, as the page says; opened again, it has them
      fill();
      if (newly) this.touched();
    });
    return fold;
  }

  // All steps that are not done and not left out, as they stand here now.
  body() {
    const left = this.card.steps.filter((/** @type {Http} */ one) => !one.done && this.kept(one).taken);
    return { do: "settle_incident", numbers: this.card.numbers, steps: left.map((/** @type {Http} */ one) => filledIn(one, this.kept(one))) };
  }

  forget() {
    for (const step of this.card.steps) handled.delete(named(this.card, step));
  }
}

// The act of a step as the Laws prescribe it now, with what was changed in it here.
/** @param {Http} step @param {Handled} found */
const filledIn = ({ body }, { set }) => Object.fromEntries(Object.entries({ ...body, ...set }).filter(([, value]) => value !== undefined));

async function makingFields() {
  const { control, value } = await import("/static/arbiter/acts.js");
  return { control, value, acts: (await (await ask("/api/forms")).json()).acts };
}

// The fields of an act's form, filled in; what is written in one counts at once.
/** @param {any} body @param {Handled} found @param {() => void} said */
function fields(body, { set, typed }, said) {
  const place = make("div", { className: "fields" });
  if (!making) return place;
  const { control, value, acts } = making;
  for (const spec of acts.find((one) => one.do === body.do)?.fields ?? []) {
    /** @type {Field} */
    const field = control(spec);
    const [name, kind, more = {}] = spec;
    const known = body[name];
    const ticks = field instanceof HTMLInputElement && field.type === "checkbox";
    if (known !== undefined && known !== null) {
      if (ticks) field.checked = known;
      else field.value = kind === "time" ? clockTime(known) : typeof known === "boolean" ? (known ? "yes" : "no") : String(known);
    }
    field.id = `step-${body.do}-${name}`.replaceAll("_", "-");
    const box = make("div");
    box.append(make("label", { htmlFor: field.id, textContent: t(`act_field.${more.label ?? name}`) }), field);
    const written = () => {
      if (field.dataset.gone) return; // its card gave way: what was being typed stands in the new one
      const one = value(spec, field);
      if (one instanceof Error) { field.setCustomValidity(one.message); field.reportValidity(); return; }
      field.setCustomValidity("");
      delete typed[name];
      set[name] = one;
      said();
    };
    field.addEventListener("change", written);
    if (!ticks) field.addEventListener("input", () => { typed[name] = field.value; said(); });
    if (name in typed) { // begun on the card before
      field.value = typed[name];
      field.addEventListener("blur", written, { once: true });
    }
    place.append(box);
  }
  return place;
}

/** @param {number} ms */
function clockTime(ms) {
  const s = Math.round(Math.abs(ms) / 1000);
  const two = (/** @type {number} */ one) => String(one).padStart(2, "0");
  return `${ms < 0 ? "-" : ""}${s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}` : Math.floor(s / 60)}:${two(s % 60)}`;
}
