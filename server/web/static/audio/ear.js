// Speech from the server into this ear: the server says what sounds now, one phrase at a time; a key stops it here at
// once and is told to the server, so that it knows what was heard.
import { ask } from "/static/core/servers.js";
/** @type {AudioContext | null} */
let context = null;
let muted = false;
/** @type {Sounding | null} */
let current = null; // { id, what, source }: what sounds, or is being fetched
/** @type {EarReport} */
let report = () => {};
/** @type {boolean | null} */
let audible = null; // as the server was told: whether anything can be heard from this page

// What sounds now, for the microphone of this page, which is not to hear it.
export const playing = new Set();
/** @param {string} id @param {boolean} begins */
function tell(id, begins) {
  if (begins) playing.add(id);
  else playing.delete(id);
  document.dispatchEvent(new CustomEvent("own-voice", { detail: { id, begins } }));
}

// `send(did, id)` tells the server what happens at this ear.
/** @param {EarReport} send */
export function reporting(send) {
  report = send;
}

// A new line: the server is told anew whether this page plays.
export function there() {
  audible = null;
  look();
}

// This page never puts its sound to sleep: if a device that went or a telephone call did, nothing is heard now.
let sounded = false;
function changed() {
  look();
  if (sounded && context?.state !== "running") lost();
  else sounded = context?.state === "running";
}

function lost() {
  sounded = false;
  document.dispatchEvent(new CustomEvent("device-gone", { detail: "sound" }));
}

// Whether anything can sound here; null before the first key or click.
export const sounds = () => (context ? context.state === "running" : null);

// A phrase that this page has, said without a word to the server, until it is over or cut: who wears the server's own
// headphones hears nothing there either, so it is said even where this page is otherwise silent.
/** @param {ArrayBuffer | null | undefined} bytes */
export async function sayKept(bytes) {
  if (!bytes || context?.state !== "running") return;
  silence();
  const source = context.createBufferSource();
  /** @type {Sounding} */
  const mine = { id: "", n: 0, what: "link", source };
  source.buffer = await context.decodeAudioData(bytes.slice(0)); // decoding takes the bytes away
  source.connect(context.destination);
  current = mine;
  const over = new Promise((done) => { source.onended = done; });
  source.start();
  document.dispatchEvent(new CustomEvent("kept-phrase"));
  await over;
  if (current === mine) current = null;
}

function look() {
  const now = !muted && context?.state === "running";
  if (now !== audible) report(now ? "on" : "off");
  audible = now;
}

function ready() {
  if (!context) {
    context = new AudioContext({ latencyHint: "interactive" });
    context.onstatechange = changed;
    context.addEventListener("error", lost);
    sounded = context.state === "running"; // at once, in some browsers: sound that goes before the event is told too
    look();
  }
  // By its promise, which comes before the event: sound that goes in between is told too.
  if (context.state !== "running") context.resume().then(() => { sounded = true; }, () => {});
  return context;
}
// Browsers give no sound before the first key or click, nor, some of them, after a call before the next.
for (const kind of ["keydown", "pointerdown", "click"]) addEventListener(kind, ready, { capture: true });

// The number of the message that sounds here; 0 for none.
export const sounding = () => (playing.size && current ? current.n : 0);

/** @param {Wire.SoundReady} ready */
export async function play({ id, n, what }) {
  silence();
  /** @type {Sounding} */
  const mine = { id, n, what, source: null };
  current = mine;
  try {
    const audio = ready();
    const answer = muted ? null : await ask(`/sound/${id}`);
    if (!answer?.ok || audio.state !== "running") throw new Error(answer ? `status ${answer.status}, ${audio.state}` : "off");
    const buffer = await audio.decodeAudioData(await answer.arrayBuffer());
    if (current !== mine) return; // stopped meanwhile, or another one has its turn
    const source = audio.createBufferSource();
    mine.source = source;
    source.buffer = buffer;
    source.connect(audio.destination);
    source.onended = () => over(mine);
    source.start();
    tell(id, true);
    report("began", id);
  } catch (/** @type {any} */ fault) {
    if (!muted) console.warn("no sound:", fault.message);
    if (current !== mine) return; // the server stopped it, and knows
    current = null;
    report("ended", id);
  }
}

/** @param {Sounding} mine */
function over(mine) {
  if (current === mine) current = null;
  if (!playing.has(mine.id) || mine.stopped) return;
  tell(mine.id, false);
  report("ended", mine.id);
}

// Silence at once, without a word to the server.
function silence() {
  const mine = current;
  current = null;
  if (!mine?.source) return;
  mine.stopped = true;
  mine.source.stop();
  mine.source.disconnect(); // now, and not at the end of a block that is still under way
  if (mine.id) tell(mine.id, false);
}

// The server says that a sound stops: somebody speaks, or something more urgent comes.
/** @param {string} id */
export function hushed(id) {
  if (current?.id === id) silence();
}

// A key of the listener's own: talk, stop; the press of the clock or a key whose words come now, which announcements outlast.
/** @param {Wire.AtEar["did"]} which */
export function key(which) {
  if (!["press", "page"].includes(which) || !["link", "announcement"].includes(current?.what ?? "")) silence();
  report(which);
}

export function again() {
  report("repeat");
}

/** @param {boolean} yes */
export function mute(yes) {
  if (yes === muted) return;
  muted = yes;
  if (yes) silence();
  look();
}
