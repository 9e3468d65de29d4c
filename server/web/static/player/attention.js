// What is told is also seen and felt (D.2.11): its lines of forty cells to read again, a frame that appears once, and,
// where the person wants it and the device can, a vibration. A pattern says what sort of thing the page has just said, and
// never more: one for whatever was heard, one for every press that counted, one for every refusal and question.
import { byTouch, kept, keep } from "/static/core/keys.js";
import { showLines } from "/static/player/said.js";

const CAN = typeof navigator.vibrate === "function";
// An announcement is two long pulses, a bell (an offer, a flag, a call to the board) three, a cue of the clock one short.
// Of the player's own: heard is two short ones, the press one long, a refusal four short.
/** @type {{ [sort: string]: number[] }} */
export const PATTERNS = { announcement: [300, 120, 300], bell: [150, 100, 150, 100, 150], cue: [80], heard: [50, 70, 50], pressed: [200], refused: [50, 50, 50, 50, 50, 50, 50] };
const OWN = ["heard", "pressed", "refused"];
/** @type {{ [type: string]: string }} */
const SORTS = { relayed: "announcement", time_cue: "cue", understood: "heard", question: "refused", not_done: "refused" };
const BELLS = ["draw_offer", "flag_shown", "claim_shown", "adjournment_shown", "resignation_shown", "ended", "clock_corrected", "time_given", "increment_shown", "ruling_shown", "paused", "resumed"];

/** @param {Wire.AnyMessage} message */
export function sortOf(message) {
  if (message.type in SORTS) return SORTS[message.type];
  return BELLS.includes(message.type) && !("own" in message && message.own) ? "bell" : null;
}

// How much this device vibrates is its person's own: before they choose, a telephone does so for what they do themselves.
const wanted = () => kept("vibrate") || (byTouch() ? "own" : "off");

/** @param {string} sort */
export function feel(sort) {
  if (CAN && (wanted() === "on" || (wanted() === "own" && OWN.includes(sort)))) navigator.vibrate(PATTERNS[sort]);
}

// Its seat's own language and direction, whatever the page is in.
/** @param {HTMLElement} place @param {string[]} lines @param {string} language */
function show(place, lines, language) {
  showLines(place, lines);
  place.lang = language;
}

export function attention() {
  const place = document.getElementById("cells");
  const frame = document.getElementById("last")?.closest("section");
  const wants = document.getElementById("vibrate");
  let language = "en";
  /** @type {string[]} */
  let told = []; // of the instant that is shown
  if (wants) {
    /** @type {HTMLElement} */ (wants.closest("div")).hidden = !CAN;
    wants.value = /** @type {any} */ (wanted());
    wants.addEventListener("change", () => {
      keep("vibrate", wants.value);
      feel(wants.value === "on" ? "cue" : "heard");
    });
  }
  document.addEventListener("greeted", (event) => { language = event.detail.language; });
  document.addEventListener("told", (event) => {
    const { message, lines, live, together } = event.detail;
    told = together ? [...told, ...lines] : lines;
    if (message.type === "sound_shown" && message.ear.language) language = message.ear.language; // the seat's has changed
    if (place && lines.length && (live || language === document.documentElement.lang)) show(place, told, language);
    const sort = sortOf(message);
    if (!live || !sort) return;
    feel(sort);
    if (frame && !OWN.includes(sort)) {
      frame.classList.remove("arrived");
      requestAnimationFrame(() => frame.classList.add("arrived"));
    }
  });
}
