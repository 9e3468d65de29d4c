// Every act of the arbiter as one form, made from data: found by word or article, chosen from one list, filled in below it.
import { $, focused, make } from "/static/core/element.js";
import { language, t } from "/static/core/language.js";
import { say } from "/static/core/live.js";
import { manNamed } from "/static/core/board.js";
import { confirmed } from "/static/core/asking.js";
import { controlInWords, inWords } from "/static/core/times.js";
import { ask } from "/static/core/servers.js";
import { moveNumber } from "/static/core/why.js";

const PIECES = ["K", "Q", "R", "B", "N", "P", "k", "q", "r", "b", "n", "p"];
/** @type {{ [sort: string]: string }} */
const PATTERNS = {
  square: "[a-h][1-8]",
  uci: "[a-h][1-8][a-h][1-8][nbrq]?",
  placement: "[1-8pnbrqkPNBRQK/]+",
  article: "(D\\.)?[0-9]{1,2}(\\.[0-9]{1,2}){1,3}",
  pair: "[0-9]{1,3} ?/ ?[0-9]{1,3}",
};

// "1:05:00", "5:00", "-2:00" -> milliseconds; null for what is none.
/** @param {string} text */
export function milliseconds(text, signed = false) {
  const found = /^(-?)(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d)$/.exec(text.trim());
  if (!found || (found[1] && !signed)) return null;
  const ms = ((Number(found[2] ?? 0) * 60 + Number(found[3])) * 60 + Number(found[4])) * 1000;
  return found[1] ? -ms : ms;
}

// Minutes are not taken for hours: what is written is said out below its field, and once to who hears the page.
/** @param {string} text */
export function timeInWords(text) {
  const ms = milliseconds(text, true);
  return ms === null ? null : `${ms < 0 ? "−" : ""}${inWords(Math.abs(ms))}`;
}

/** @param {HTMLInputElement} field @param {HTMLElement} hint @param {(text: string) => string | null} words */
export function sayingOut(field, hint, words) {
  const before = hint.textContent;
  field.addEventListener("input", () => { hint.textContent = words(field.value) ?? before; });
  field.addEventListener("change", () => { if (words(field.value)) say(hint.textContent ?? ""); });
}

/** @param {[string, string][]} list */
function choices(list) {
  return list.map(([value, text]) => new Option(text, value));
}

/** @param {FormField} spec @returns {Field} */
export function control([name, kind, more = {}]) {
  /** @type {[string, string][]} */
  const empty = more.empty ? [["", t(`act.${more.empty}`)]] : more.optional ? [["", t("act.as_it_is")]] : [];
  if (kind === "seat" || kind === "buttons") {
    const select = make("select");
    select.append(...choices([...empty, ["white", t("white")], ["black", t("black")]]));
    return select;
  }
  if (kind === "either") {
    const select = make("select");
    select.append(...choices([...empty, ["yes", t("yes")], ["no", t("no")]]));
    return select;
  }
  if (kind === "choice") {
    const select = make("select");
    select.append(...choices([...empty, ...more.values.map((/** @type {string} */ value) => [value, more.words ? t(`${more.words}${value}`) : value])]));
    return select;
  }
  if (kind === "piece") {
    const select = make("select");
    select.append(...choices([["", t("act.nobody_knows")], .../** @type {[string, string][]} */ (PIECES.map((one) => [one, manNamed(one)]))]));
    return select;
  }
  if (kind === "ply") { // moves as players number them, up to the one that is being made
    const select = make("select", { required: !more.optional });
    const moves = Array.from({ length: made + 2 }, (_, ply) => ply).filter((ply) => ply >= (more.from ?? 0));
    select.append(...choices([["", ""], .../** @type {[string, string][]} */ (moves.map((ply) => [String(ply), ply ? moveNumber(ply) : t("claim.start")]))]));
    return select;
  }
  if (kind === "flag") return make("input", { type: "checkbox", checked: more.value === true });
  const field = make("input", { type: "text", autocomplete: "off", spellcheck: kind === "text", required: !more.optional && kind !== "name" && (kind !== "text" || more.needed === true) });
  if (kind === "number" || kind === "seconds") {
    field.type = "number";
    field.min = more.from ?? 0;
    field.max = more.to ?? (kind === "seconds" ? 600 : 1200);
  } else field.maxLength = more.longest ?? (kind === "text" ? 400 : 80);
  if (kind === "time") { field.inputMode = "numeric"; field.placeholder = more.signed ? "-2:00" : "1:30:00"; }
  if (kind === "amount") { field.value = "0"; field.required = true; }
  if (PATTERNS[kind]) field.pattern = PATTERNS[kind];
  if (more.value !== undefined) field.value = more.value;
  return field;
}

let made = 0; // how many half-moves there are, when a form is drawn

// The kind that was looked for by its word.
/** @param {HTMLSelectElement} field @param {string} wanted */
function preselect(field, wanted) {
  const words = [...field.options].find((one) => plain(one.text).includes(wanted) || (synonyms[language]?.[`open_incident.${one.value}`] ?? []).map(plain).includes(wanted));
  if (words) field.value = words.value;
}

/** @type {(field: Field) => field is HTMLInputElement} */
const isBox = (field) => field.type === "checkbox";

// What a filled-in field says; undefined: leave it out; an Error: what is wrong with it.
/** @param {FormField} spec @param {Field} field */
export function value([name, kind, more = {}], field) {
  if (kind === "flag") return "checked" in field && field.checked;
  const text = field.value.trim();
  if (text === "" && (more.optional || more.empty || kind === "piece")) return more.null ? null : undefined;
  switch (kind) {
    case "time": {
      const ms = milliseconds(text, more.signed);
      return ms === null ? new Error(t("write_time")) : ms;
    }
    case "amount": {
      const ms = milliseconds(text);
      return ms ?? (/^\d+$/.test(text) ? Number(text) : new Error(t("act.amount_wrong")));
    }
    case "number": case "ply": return Number(text);
    case "seconds": return Number(text) * 1000;
    case "either": return text === "yes";
    case "pair": return text.split("/").map(Number);
    default: return text;
  }
}

// The acts used last in this browser, the last one first; and the words by which arbiters look for acts, once asked for.
const USED = "anna-eins.acts";
const MOST = 4;
/** @returns {string[]} */
function used() {
  try { return JSON.parse(localStorage.getItem(USED) ?? "[]"); } catch { return []; }
}

/** @param {string} name */
function use(name) {
  try { localStorage.setItem(USED, JSON.stringify([name, ...used().filter((one) => one !== name)].slice(0, MOST))); } catch { /* not kept */ }
}

/** @type {{ [tag: string]: { [act: string]: string[] } }} */
const synonyms = {};
/** @param {string} text */
const plain = (text) => text.toLocaleLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");

export class Acts {
  /** @param {Act} act @param {Tell} told */
  constructor(act, told) {
    this.act = act;
    this.told = told;
    /** @type {Form[]} */
    this.all = []; // every form, as the server makes them from the acts
    this.complained = 0; // the half-move complained of last, before which a take-back ends unless another is written
    /** @type {Seat | null} */
    this.turn = null;
    /** @type {Form | null} */
    this.chosen = null;
    /** @type {[FormField, Field][]} */
    this.fields = [];
    this.wanted = ""; // what was looked for last
    this.asked = false; // no form stands there before somebody looks for an act
    this.picked = false; // an act was chosen since something was looked for: what was looked for names no other
    this.over = false; // then only what is still to be done after the end
    $("act-find").addEventListener("input", () => { this.asked = true; this.picked = false; this.words(); this.list(); });
    $("act-find").addEventListener("focus", () => this.words());
    $("act-search").addEventListener("submit", (event) => { event.preventDefault(); this.ask(); $("act-form").querySelector("input, select, button")?.focus(); });
    $("act").addEventListener("change", () => this.ask());
    $("act-form").addEventListener("submit", (event) => { event.preventDefault(); this.carryOut(); });
    document.addEventListener("language", () => { this.list(); this.show(true); });
    document.addEventListener("greeted", () => { if (!this.all.length) this.load(); });
    this.load();
  }

  // The page works before they are there; where the server was gone, it is asked when it is back.
  async load() {
    try {
      this.all = (await (await ask("/api/forms")).json()).acts;
    } catch {
      return;
    }
    this.list();
  }

  async words() {
    if (synonyms[language]) return;
    const tag = language;
    synonyms[tag] = {};
    try {
      synonyms[tag] = await (await fetch(`/static/words/acts-${tag}.json`)).json();
    } catch {
      delete synonyms[tag];
    }
    if ($("act-find").value) this.list();
  }

  // How well an act fits what is looked for: 0 not at all; above 1 where it is its article, one of its words or further
  // articles, or a paragraph below one of those, the nearest first.
  /** @param {Form} one @param {string} wanted */
  fits(one, wanted) {
    const [article, ...known] = [one.article, ...(synonyms[language]?.[one.do] ?? [])].map(plain);
    if (article === wanted) return 99;
    if (known.includes(wanted)) return 98;
    const above = [article, ...known].filter((text) => wanted.startsWith(`${text}.`)).map((text) => text.length);
    if (above.length) return 1 + Math.max(...above);
    const texts = [t(`act.${one.do}`), t(`acts.${one.group}`), article, one.do.replaceAll("_", " "), ...known].map(plain);
    return texts.some((text) => text.includes(wanted)) ? 1 : 0;
  }

  // The list, sifted, those used last on top; what was chosen stays chosen while it fits.
  list() {
    const wanted = plain($("act-find").value.trim());
    this.wanted = wanted || this.wanted;
    const before = $("act").value;
    const groups = new Map();
    const found = this.all.filter((one) => (!this.over || one.after) && this.fits(one, wanted));
    const option = (/** @type {Form} */ one) => new Option(`${t(`act.${one.do}`)} (${one.article})`, one.do);
    const recent = used().flatMap((name) => found.find((one) => one.do === name) ?? []);
    if (recent.length) {
      const last = make("optgroup", { label: t("acts.used") });
      last.append(...recent.map(option));
      groups.set("", last);
    }
    for (const one of found) if (!recent.includes(one)) {
      if (!groups.has(one.group)) groups.set(one.group, make("optgroup", { label: t(`acts.${one.group}`) }));
      groups.get(one.group).append(option(one));
    }
    $("act").replaceChildren(...groups.values());
    $("act-count").textContent = t("acts.found", { count: found.length });
    const [named] = wanted && !this.picked ? found.filter((one) => this.fits(one, wanted) > 1).sort((one, other) => this.fits(other, wanted) - this.fits(one, wanted)) : [];
    if (named) $("act").value = named.do;
    else if (found.some((one) => one.do === before)) $("act").value = before;
    if (this.picked && this.chosen && !found.some((one) => one.do === this.chosen?.do)) { // the game is over: no other act takes its place
      if ($("act-form").contains(focused())) $("act-find").focus();
      this.asked = false;
    }
    if (this.chosen?.do !== $("act").value || this.asked === $("act-form").hidden) this.show();
    if (wanted) say(`${$("act-count").textContent} ${$("act").selectedOptions[0]?.textContent ?? ""}`);
  }

  // An act that something on the page calls for: its form, and the first field under the fingers.
  /** @param {string} name @param {{ [field: string]: any }} [known] */
  choose(name, known = {}) {
    $("act-find").value = "";
    this.list();
    $("act").value = name;
    this.ask();
    for (const [[field], control] of this.fields) if (field in known) {
      if (isBox(control)) control.checked = known[field]; else control.value = typeof known[field] === "boolean" ? (known[field] ? "yes" : "no") : String(known[field]);
    }
    $("act-form").querySelector("input, select, button")?.focus();
  }

  get plies() { return made; }

  set plies(count) { made = count; }

  ask() {
    this.asked = true;
    this.picked = Boolean($("act").value);
    this.show();
  }

  // Its fields; `again`: the same act in other words, what was written stays.
  show(again = false) {
    const kept = again && this.fields.length ? this.fields.map(([, field]) => (isBox(field) ? field.checked : field.value)) : null;
    this.chosen = this.all.find((one) => one.do === $("act").value) ?? null;
    $("act-form").hidden = !this.chosen || !this.asked;
    if (!this.chosen) return;
    const form = $("act-form");
    const at = again ? this.controls().findIndex((one) => one === focused()) : -1;
    this.fields = this.chosen.fields.map((spec) => [spec, control(spec)]);
    /** @type {HTMLElement[]} */
    const parts = [make("h3", { textContent: `${t(`act.${this.chosen.do}`)} (${this.chosen.article})` })];
    this.fields.forEach(([[name, kind, more = {}], field], index) => {
      field.id = `act-${name.replaceAll("_", "-")}`;
      field.name = name;
      if (kind === "ply" && !more.optional) field.value = String(this.plies || "");
      if (more.before !== undefined && this.complained) field.value = String(this.complained - more.before);
      if (name === "turn" && this.turn) field.value = this.turn;
      if (kept) { if (isBox(field)) field.checked = kept[index] === true; else field.value = String(kept[index]); }
      const words = t(`act_field.${more.label ?? name}`);
      if (kind === "buttons") return; // whom it is about is said by the button that gives the act
      if (name === "kind" && this.wanted) preselect(/** @type {HTMLSelectElement} */ (field), this.wanted);
      if (kind === "flag") {
        const label = make("label", { className: "check" });
        label.append(field, ` ${words}`);
        parts.push(label);
        return;
      }
      const box = make("div");
      box.append(make("label", { htmlFor: field.id, textContent: more.optional || (kind === "text" && !more.needed) || kind === "name" ? `${words} ${t("act.optional")}` : words }), field);
      const times = kind === "time" || name === "control";
      if (times || kind === "amount" || kind === "pair") {
        const hint = make("p", { id: `${field.id}-hint`, className: "soft small", textContent: name === "control" ? "90+30, 40/90+30:30+30" : t(`act.hint.${kind}`) });
        field.setAttribute("aria-describedby", hint.id);
        box.append(hint);
        if (times) sayingOut(/** @type {HTMLInputElement} */ (field), hint, kind === "time" ? (text) => timeInWords(text) : controlInWords);
      }
      parts.push(box);
    });
    const row = make("div", { className: "row" });
    const about = this.fields.find(([[, kind]]) => kind === "buttons");
    for (const seat of about ? ["white", "black", ""] : []) {
      const button = make("button", { type: "button", className: "first", textContent: t(seat || "act.nobody") });
      button.addEventListener("click", () => { if (about) about[1].value = seat; this.carryOut(); });
      row.append(button);
    }
    if (!about) row.append(make("button", { className: this.chosen.sure ? "grave" : "first", textContent: t("act.do") }));
    parts.push(row);
    form.replaceChildren(...parts);
    this.controls()[at]?.focus();
  }

  controls() {
    return /** @type {HTMLElement[]} */ ([...$("act-form").querySelectorAll("input, select, button")]);
  }

  async carryOut() {
    if (!this.chosen) return;
    /** @type {any} */
    const body = { do: this.chosen.do };
    const named = [];
    for (const [spec, field] of this.fields) {
      const said = value(spec, field);
      if (said instanceof Error) { this.told(said.message, true); field.focus(); return; }
      if (said === undefined) continue;
      body[spec[0]] = said;
      const shown = spec[1] === "flag" ? t(said ? "yes" : "no") : field instanceof HTMLSelectElement ? field.selectedOptions[0].textContent : field.value;
      if (shown) named.push(`${t(`act_field.${spec[2]?.label ?? spec[0]}`)}: ${shown}`);
    }
    await this.give(body, named);
  }

  // An act that is filled in, asked once more where it ends the game or the like; it is among those used last then.
  /** @param {any} body @param {string[]} named */
  async give(body, named) {
    const sure = this.all.find((one) => one.do === body.do)?.sure;
    const asks = sure && Object.entries(sure).every(([name, values]) => values.includes(body[name]));
    if (asks && !(await confirmed(`${t(`act.${body.do}`)}? ${named.join(" · ")}`))) return false;
    const done = await this.act(body);
    if (done && this.all.some((one) => one.do === body.do)) { use(body.do); this.list(); }
    return done;
  }
}
