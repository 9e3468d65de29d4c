// The record, the newest first: sifted by what it is about, each sound to be heard again, and listening in on a private ear.
import { $, focused } from "/static/core/element.js";
import { LANGUAGES, has, language, more, placed, spelt, t } from "/static/core/language.js";
import { inWords } from "/static/core/times.js";
import { adapted, ticked } from "/static/arbiter/set_up/set_up.js";
import { inMoveWords } from "/static/core/board.js";
import { why } from "/static/core/why.js";
import { write } from "/static/core/spoken.js";
import { playKept } from "/static/arbiter/kept_sound.js";
import { answerOf } from "/static/core/servers.js";

const LONGEST = 1000;
const PAGES = 5;
const AGAIN_MS = 2000; // a page that no server sent is asked for again
const ABOUT = {
  said: ["announced", "announcement_repeated", "contested", "echoed", "not_understood", "sound_kept", "set_aside"],
  ears: ["spoken_privately", "speech_cut", "answered", "announcement_spoken"],
  incidents: ["incident_noted", "disturbance_noted", "penalised", "device_found", "device_registered", "leave_ruled", "leaving_reported", "appeal_noted", "stop_ruled", "law_asked", "law_released", "observer_reported", "station_admitted", "station_revoked"],
  rulings: ["alerted", "irregularity_ruled", "claim_ruled", "touch_ruled", "decided", "restored", "desk_decided", "game_ended", "result_approved", "clock_set", "time_added", "clock_corrected", "set_up_ruled"],
};

// What a player of another script said or wrote: as the arbiter reads it, and behind it as it was said.
const OTHER = /[^\P{L}\p{Script=Latn}]/u; // a letter that is not Latin
let foreign = false; // whether the words of other scripts are asked for

/** @param {string} text */
export function asSaid(text) {
  const own = LANGUAGES[language]?.script ?? "Latn";
  if (!OTHER.test(text.replace(new RegExp(`\\p{Script=${own}}`, "gu"), ""))) return spelt(text);
  if (!foreign) {
    foreign = true;
    more("foreign", $("main")).then(() => document.dispatchEvent(new CustomEvent("language", { detail: { chosen: false } })), () => { foreign = false; });
  }
  const read = spelt(text);
  return read === text ? text : `${read} (${placed(text)})`;
}

// The time of day, to the second: the same after a restart, and as the report has it.
/** @param {number} ms */
function timeOfDay(ms) {
  const at = new Date(ms);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}

/** @param {string} key @param {string} value */
const word = (key, value) => (has(key) ? t(key) : String(value));
/** @param {string} family @param {string} value */
const named = (family, value) => word(`choice.${family}.${value}`, value);

// What the program says in it, in the language of the page; the English text of an old record.
/** @param {Kept} event */
export const saidBy = (event) => event.told?.[language] ?? (event.detail || event.reason);

// Whose device it is: its own name, as "tactile-white-9f9e80", is nobody's word.
/** @param {string} station */
function deviceName(station) {
  const [role = "", seat = ""] = station.split("-");
  return has(`title.${role}`) ? [t(`title.${role}`), has(`seat.${seat}`) ? t(`seat.${seat}`) : ""].filter(Boolean).join(", ") : station;
}

// The thing an event is about: the move, what was asked for, lost, chosen; the last resort is its reason.
/** @param {Kept} event */
function about(event) {
  const { detail, uci, result, what, station, mode, name, reason } = event;
  const { text, words } = event.speech ?? event; // what a player said is one value
  if (event.event === "adaptation_recorded") return adapted(name ?? "", event.value ?? "");
  if (event.event === "checklist_ticked") return ticked(/** @type {Wire.ChecklistTicked} */ (event));
  if (event.told?.[language]) return saidBy(event);
  const moved = Boolean(words?.length) || event.event === "score_written"; // free text may hold a person's name
  const shown = (text && moved ? asSaid(text) : text) || detail || (uci ? inMoveWords(uci, event.man) : "") || result;
  if (shown) return [shown, result && reason ? why(reason) : ""].filter(Boolean).join(" · ");
  if (what) return ["ask", "lost", "choice.what"].map((family) => (family === "ask" ? `ask_${what}` : `${family}.${what}`)).filter(has).map((key) => t(key))[0] ?? what;
  return (station ? deviceName(station) : "") || (mode ? word(`mode_name.${mode}`, mode) : "") || name || (reason ? why(reason) : "");
}

// What an event says beside its name: what was ruled, proposed, noted; the list for a resumption, square by square.
/** @param {Kept} event */
export function details(event) {
  const parts = [];
  if (event.penalty) parts.push(named("penalty", event.penalty));
  if (event.ruling) parts.push(named("ruling", event.ruling));
  if (event.event === "incident_noted") parts.push(named("incident", event.kind ?? ""));
  if (event.event === "irregularity_ruled") parts.push(named("irregular", event.kind ?? ""), event.confirmed ? t("yes") : t("no"));
  if (event.gap) parts.push(named("gap", event.gap), event.decision);
  if (event.device) parts.push(event.device);
  if (event.medical) parts.push(`${t("medical_pause")}: ${t(event.medical)}`);
  if (event.list) {
    const { placement, turn, white_ms, black_ms, white_board, black_board } = event.list;
    parts.push(placement, `${t("turn")}: ${t(turn)}`);
    if (white_ms !== null && black_ms !== null) parts.push(t("desk.clock", { white: inWords(white_ms), black: inWords(black_ms) }));
    for (const [side, squares] of /** @type {[Seat, string[]][]} */ ([["white", white_board], ["black", black_board]])) if (squares.length) parts.push(`${t(`board_of.${side}`)}: ${squares.join(" ")}`);
  }
  parts.push(about(event));
  if (event.proposed) parts.push(event.proposed);
  return parts.filter(Boolean).join(" · ");
}

export class Record {
  /** @param {string} place @param {Telling} telling */
  constructor(place, telling) {
    this.place = place;
    this.telling = telling;
    this.sound = null;
    $("record-about").addEventListener("change", () => this.sift());
    document.addEventListener("language", () => {
      const at = $("record").contains(focused()) ? focused()?.closest("li") : null;
      for (const item of $("record").children) item.write?.();
      at?.querySelector("button")?.focus(); // it is made anew
    });
    // The newest few; all of it where it is wanted, and nothing that scrolls within the page.
    $("record-all").addEventListener("click", () => {
      const short = $("record").classList.toggle("short");
      $("record-all").setAttribute("aria-expanded", String(!short));
    });
  }

  // `words`: what is said of it, in the language of the page at that moment.
  // `older`: it was recorded before what stands here already.
  /** @param {Kept} event @param {() => string} words @param {boolean} live */
  put(event, words, live, older = false) {
    if (older && $("record").childElementCount >= LONGEST) return;
    const item = document.createElement("li");
    item.dataset.event = event.event;
    const at = document.createElement("time");
    at.textContent = timeOfDay(event.wall ?? 0);
    const line = document.createElement("span");
    item.write = () => {
      write(line, words());
      if (event.utterance && event.sha256) line.append(" ", this.listen(event.utterance, words()));
    };
    item.write();
    item.append(at, line);
    item.hidden = !this.fits(event.event);
    if (older) $("record").append(item);
    else $("record").prepend(item);
    while ($("record").childElementCount > LONGEST) $("record").lastElementChild?.remove();
    // Who listens in hears what went into that ear from its stored sound, as the record has it.
    if (live && event.event === "spoken_privately" && event.sha256 && event.seat && event.seat === $("listen-in").value) this.play(event.utterance ?? "");
  }

  /** @param {string} utterance @param {string} text */
  listen(utterance, text) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "listen";
    button.append(`♪ ${t("desk.listen")}`);
    const about = document.createElement("span");
    about.className = "unseen";
    write(about, ` ${text}`);
    button.append(about);
    button.addEventListener("click", () => this.play(utterance));
    return button;
  }

  /** @param {string} utterance */
  async play(utterance) {
    const told = this.telling();
    this.sound?.pause();
    const address = `/evidence/${encodeURIComponent(utterance)}?${this.place}`;
    try {
      await playKept(address, (sound) => { this.sound = sound; });
    } catch (/** @type {any} */ wrong) {
      told(wrong.message, true);
    }
  }

  /** @param {string} event */
  fits(event) {
    const about = $("record-about").value;
    return about === "all" || ABOUT[about].includes(event);
  }

  sift() {
    for (const item of $("record").querySelectorAll("li")) item.hidden = !this.fits(item.dataset.event ?? "");
  }
}

// What was recorded before this device of the arbiter came: fetched page by page, the newest first, so much as is shown.
/** @param {string} place @param {(event: Http) => void} put */
export async function earlier(place, put) {
  let before = "";
  for (let page = 0; page < PAGES;) {
    const { ok, gone, said: found } = await answerOf(`/api/record?${place}${before}`);
    if (gone) { await new Promise((done) => setTimeout(done, AGAIN_MS)); continue; }
    if (!ok) return;
    page += 1;
    for (const { event, told, wall_ms } of found.events) put({ ...event, told, wall: wall_ms });
    if (!found.before) return;
    before = `&before=${found.before}`;
  }
}

/** @param {string} place */
export function exports(place) {
  for (const link of /** @type {Iterable<HTMLAnchorElement>} */ (document.querySelectorAll("[data-export]"))) {
    const show = () => { link.href = `/api/exports/${link.dataset.export}?${place}&language=${document.documentElement.lang}`; };
    show();
    document.addEventListener("language", show);
  }
}
