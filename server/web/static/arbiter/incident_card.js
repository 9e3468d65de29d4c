// The steps of an incident on its card: numbered, what the Laws prescribe filled in, each to be left out or changed.
import { inMoveWords } from "/static/core/board.js";
import { make } from "/static/core/element.js";
import { listed, t } from "/static/core/language.js";
import { SEATS, inWords } from "/static/core/times.js";
import { ask } from "/static/core/servers.js";

/** @type {Map<string, { body: any, taken: boolean }>} */
const changed = new Map(); // what was changed on a card, until it is settled: the card is drawn anew when the clocks stop

/** @param {any} body */
function about(body, uci = "") {
  if (body.do === "add_time") return `${body.ms < 0 ? "−" : "+"}${inWords(Math.abs(body.ms))}`;
  if (body.do === "rule_result") return body.result;
  if (body.do === "penalise") return t(`choice.penalty.${body.penalty}`);
  if (body.do === "set_clock") return SEATS.map((seat) => `${t(seat)} ${inWords(body[`${seat}_ms`])}`).join(", ");
  return uci && inMoveWords(uci);
}

export class IncidentSteps {
  /** @param {Http} card @param {() => Promise<unknown>} stop */
  constructor(card, stop) {
    this.card = card;
    this.stop = stop;
    this.list = make("ol", { className: "list steps", ariaLabel: t("settle.steps") });
    this.list.append(...card.steps.map((/** @type {Http} */ step) => this.step(step)));
  }

  /** @param {Http} step */
  kept(step) {
    const key = `${this.card.numbers} ${step.name}`;
    const found = changed.get(key) ?? { body: { ...step.body }, taken: true };
    return { found, keep: () => changed.set(key, found) };
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
    const { found, keep } = this.kept(step);
    const label = make("label", { className: "check" });
    const box = make("input", { type: "checkbox", checked: found.taken });
    const words = make("span");
    const say = () => {
      const more = [about(found.body, step.uci), step.who ? t(found.body.seat ?? step.who) : ""].filter(Boolean);
      words.textContent = ` ${name}${more.length ? `: ${listed(more)}` : ""}`;
    };
    say();
    label.append(box, words);
    box.addEventListener("change", () => { found.taken = box.checked; keep(); this.touched(); });
    const fold = make("details", { className: "small" });
    const summary = make("summary", { textContent: t("settle.change") });
    summary.append(make("span", { className: "unseen", textContent: ` – ${name}` }));
    fold.append(summary);
    fold.addEventListener("toggle", async () => {
      if (!fold.open || fold.childElementCount > 1) return;
      fold.append(await fields(found.body, () => { keep(); say(); }));
      this.touched();
    });
    item.append(label, fold);
    return item;
  }

  // All steps that are not done and not left out, as they stand here now.
  body() {
    const left = this.card.steps.filter((/** @type {Http} */ one) => !one.done).map((/** @type {Http} */ one) => this.kept(one).found);
    return { do: "settle_incident", numbers: this.card.numbers, steps: left.filter((/** @type {{ taken: boolean }} */ one) => one.taken).map((/** @type {{ body: any }} */ one) => one.body) };
  }

  forget() {
    for (const step of this.card.steps) changed.delete(`${this.card.numbers} ${step.name}`);
  }
}

// The fields of an act's form, filled in; what is written in one counts at once.
/** @param {any} body @param {() => void} said */
async function fields(body, said) {
  const { control, value } = await import("/static/arbiter/acts.js");
  const form = (await (await ask("/api/forms")).json()).acts.find((/** @type {Form} */ one) => one.do === body.do);
  const place = make("div", { className: "fields" });
  for (const spec of form?.fields ?? []) {
    const field = control(spec);
    const [name, kind, more = {}] = spec;
    const known = body[name];
    if (known !== undefined && known !== null) {
      if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = known;
      else field.value = kind === "time" ? clockTime(known) : typeof known === "boolean" ? (known ? "yes" : "no") : String(known);
    }
    field.id = `step-${body.do}-${name}`.replaceAll("_", "-");
    const box = make("div");
    box.append(make("label", { htmlFor: field.id, textContent: t(`act_field.${more.label ?? name}`) }), field);
    field.addEventListener("change", () => {
      const written = value(spec, field);
      if (written instanceof Error) { field.setCustomValidity(written.message); field.reportValidity(); return; }
      field.setCustomValidity("");
      if (written === undefined) delete body[name]; else body[name] = written;
      said();
    });
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
