// The talk key of a page without a seat: what is said while it is held goes to the server as one sound, and what was
// understood comes back, in the order in which it was said. Nothing is sent before or after, and nothing is kept.
import { t } from "/static/core/language.js";
import { warn } from "/static/core/live.js";
import { byTouch, kept, keyOf } from "/static/core/keys.js";

const LONGEST_MS = 7800; // the server listens to eight seconds
const LATEST_MS = 30000; // an answer that does not come holds up no later one for longer

export class Saying {
  // `address`: where the sound goes; `begins`: the key is down; `heard`: what the server answers to what went there.
  /** @param {HTMLButtonElement} button @param {() => string} address @param {() => void} begins @param {(said: Http, address: string) => void} heard */
  constructor(button, address, begins, heard) {
    this.button = button;
    this.address = address;
    this.begins = begins;
    this.heard = heard;
    this.talking = false;
    this.handled = false;
    /** @type {Promise<void>} */
    this.answered = Promise.resolve(); // all that was sent so far
    /** @type {Promise<AudioWorkletNode> | null} */
    this.opening = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.ending = undefined;
    button.addEventListener("pointerdown", (event) => { this.handled = true; button.setPointerCapture(event.pointerId); this.turn(true); });
    for (const name of ["pointerup", "pointercancel"]) button.addEventListener(name, () => this.turn(false));
    button.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      if (!event.repeat) this.turn(true);
    });
    button.addEventListener("keyup", (event) => { if (event.key === " " || event.key === "Enter") this.turn(false); });
    // A screen reader may send only a click: then it switches on and off.
    button.addEventListener("click", () => { if (!this.handled) this.turn(!this.talking); this.handled = false; });
    addEventListener("keydown", (event) => {
      if (keyOf(event) !== kept("talk-key")) return;
      event.preventDefault();
      if (!event.repeat) this.turn(true);
    });
    addEventListener("keyup", (event) => { if (event.key === kept("talk-key").split("+").at(-1)) this.turn(false); });
    addEventListener("blur", () => this.turn(false));
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    for (const name of ["language", "touch"]) document.addEventListener(name, () => this.name());
    this.name();
  }

  name() {
    const [text, hint] = /** @type {Iterable<HTMLElement>} */ (this.button.children);
    delete hint.dataset.t;
    text.dataset.t = this.talking ? "talking" : "talk";
    text.textContent = t(text.dataset.t);
    hint.textContent = byTouch() ? t("talk_hint") : `${t("talk_hint")} · ${kept("talk-key")}`;
    this.button.setAttribute("aria-pressed", String(this.talking));
  }

  /** @param {boolean} on */
  async turn(on) {
    if (on === this.talking) return;
    this.talking = on;
    this.name();
    clearTimeout(this.ending);
    if (on) this.begins();
    try {
      const node = await (this.opening ??= this.open());
      if (on && !this.talking) return; // let go before the microphone was open
      if (on) {
        clearTimeout(this.ending);
        this.ending = setTimeout(() => this.turn(false), LONGEST_MS);
      }
      node.port.postMessage({ on });
    } catch (/** @type {any} */ fault) {
      this.opening = null;
      this.talking = false;
      this.name();
      warn(t(window.isSecureContext ? "no_microphone" : "no_microphone_http", { why: fault.message }));
    }
  }

  async open() {
    if (!navigator.mediaDevices) throw new Error("http");
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: true },
    });
    for (const track of stream.getTracks()) track.onended = () => { this.opening = null; };
    const context = new AudioContext();
    await context.resume();
    await context.audioWorklet.addModule("/static/audio/talk-worklet.js");
    const node = new AudioWorkletNode(context, "talk", { numberOfOutputs: 0 });
    context.createMediaStreamSource(stream).connect(node);
    /** @type {ArrayBuffer[]} */
    const frames = []; // of what is said now: the last ones come when the key may be down again
    node.port.onmessage = ({ data }) => { if (data === null) this.send(frames.splice(0)); else frames.push(data); };
    return node;
  }

  /** @param {ArrayBuffer[]} frames */
  send(frames) {
    const sound = new Blob(frames, { type: "application/octet-stream" });
    if (!sound.size) return;
    const address = this.address();
    const late = new AbortController();
    const ends = setTimeout(() => late.abort(), LATEST_MS);
    const coming = fetch(address, { method: "POST", body: sound, signal: late.signal }).catch(() => null).finally(() => clearTimeout(ends));
    const take = async () => {
      const answer = await coming;
      const said = await answer?.json().catch(() => null);
      if (answer?.ok && said) this.heard(said, address);
      else warn(said ? said.text : t("no_answer"));
    };
    this.answered = this.answered.then(take, take);
  }
}
