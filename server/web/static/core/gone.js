// What a page says by itself when the server, the microphone or the sound is gone: a phrase that it fetched while all was
// well, words in the live region, and the last times on record, to which any clock can be set.
import { has, language, t } from "/static/core/language.js";
import { warn } from "/static/core/live.js";
import { sayKept } from "/static/audio/ear.js";
import { inWords } from "/static/core/times.js";
import { ask } from "/static/core/servers.js";

const PHRASES = ["connection_lost", "microphone_lost", "sound_lost"];
const AGAIN_MS = 10000; // the server's voice is loaded after the server
const KEEP_MS = 2000;
/** @type {Map<string, ArrayBuffer | null>} */
const phrases = new Map();
let again = 0;
let fetching = false;
let fetched = ""; // the language of what is here
/** @type {Held | null} */
let held = null;
let keptAt = 0;
/** @type {HTMLElement | null} */
let panel = null;
let alone = false; // no server answers

async function fetchPhrases() {
  clearTimeout(again);
  if (fetched === language || fetching) return;
  fetching = true;
  const tag = language;
  const got = new Map();
  for (const name of PHRASES) {
    const answer = await ask(`/phrase/${name}-${tag}`).catch(() => null);
    if (answer?.status !== 200) break;
    got.set(name, await answer.arrayBuffer().catch(() => null));
  }
  fetching = false;
  if (got.size === PHRASES.length) {
    for (const [name, sound] of got) phrases.set(name, sound);
    fetched = tag;
  }
  if (fetched !== language) again = setTimeout(fetchPhrases, AGAIN_MS);
}

// Of a microphone the server tells the player itself, first of all else; where it cannot, the page does.
/** @param {"sound" | "microphone"} name */
function device(name) {
  if (name === "microphone" && !alone) return;
  warn(t(name === "sound" ? "sound_gone" : "microphone_gone"));
  if (name === "sound") navigator.vibrate?.([200, 100, 200]);
  else sayKept(phrases.get("microphone_lost"));
}
document.addEventListener("device-gone", ({ detail }) => device(detail));
document.addEventListener("greeted", () => setTimeout(fetchPhrases, 500));
document.addEventListener("language", fetchPhrases);

// The times that came with a beat; kept past this page too, in case it is left and the server does not come back.
/** @param {Wire.HeldTimes | null} times @param {string} place */
export function hold(times, place) {
  held = times ? { ...times, wall: Date.now() } : null;
  if (Date.now() - keptAt < KEEP_MS) return;
  keptAt = Date.now();
  try {
    if (held) localStorage.setItem(`held:${place}`, JSON.stringify(held));
    else localStorage.removeItem(`held:${place}`);
  } catch { /* storage may be switched off: this page still holds them */ }
}

// The ply that this player's press is about, as the last beat told it; after a press that counted the next beat tells.
export const pressAbout = () => held?.press ?? undefined;
export function pressCounted() {
  if (held) held = { ...held, press: null };
}

/** @param {string} place */
function lastHeld(place) {
  try {
    return held ?? JSON.parse(localStorage.getItem(`held:${place}`) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} place */
export function serverGone(place) {
  alone = true;
  warn(t("server_gone"));
  sayKept(phrases.get("connection_lost"));
  const times = lastHeld(place);
  panel ??= made();
  panel.hidden = !times;
  if (!times) return;
  /** @param {Seat} seat */
  const side = (seat) => `${inWords(times[`${seat}_ms`])}${times.running === seat ? ` (${t("runs")})` : ""}`;
  const [clocks, at] = panel.querySelectorAll("p");
  clocks.textContent = t("set_any_clock", { white: side("white"), black: side("black") });
  at.textContent = t("held_at", { time: new Date(times.wall).toLocaleTimeString(language, { hourCycle: "h23" }) });
}

export function serverBack() {
  alone = false;
  if (panel) panel.hidden = true;
}

function made() {
  const section = document.createElement("section");
  section.className = "gone";
  const title = document.createElement("h2");
  title.dataset.t = "server_gone";
  title.textContent = t("server_gone");
  const clocks = document.createElement("p");
  clocks.className = "last";
  clocks.tabIndex = 0;
  const at = document.createElement("p");
  at.className = "soft small";
  section.append(title, clocks, at);
  if (has("away.kept")) { // what is known, and what is not, on a player's page
    const kept = document.createElement("p");
    kept.dataset.t = "away.kept";
    kept.textContent = t("away.kept");
    section.append(kept);
  }
  document.getElementById("main").prepend(section);
  return section;
}
