// The talk button: held, switched on and off, or open for voice activity. Sound leaves this device only while it is on.
import { t } from "/static/core/language.js";
import { key, playing } from "/static/audio/ear.js";
import { say, warn } from "/static/core/live.js";
import { place } from "/static/core/station.js";
import { byTouch, kept, keep, keyOf } from "/static/core/keys.js";
import { learn, line } from "/static/core/servers.js";

const HELD_MS = 400; // pressed for longer over an open microphone, the key is held

/** @typedef {{ utterance: bigint, sample: bigint, frames: [ArrayBuffer, bigint][], counts: boolean }} Held */

const named = () => crypto.getRandomValues(new BigUint64Array(1))[0] & 0x7fffffffffffffffn;

/** @param {bigint} utterance @param {bigint} sample @param {ArrayBuffer} pcm */
function framed(utterance, sample, pcm) {
  const message = new ArrayBuffer(16 + pcm.byteLength);
  const view = new DataView(message);
  view.setBigUint64(0, utterance, true);
  view.setBigUint64(8, sample, true);
  new Uint8Array(message, 16).set(new Uint8Array(pcm));
  return message;
}

export class Talk {
  /** @param {HTMLButtonElement} button */
  constructor(button) {
    this.button = button;
    this.talking = false;
    this.handled = this.checking = this.echo = this.opens = this.device = this.proven = this.streaming = false;
    /** @type {Wire.Talking | undefined} */
    this.way = undefined;
    /** @type {Promise<AudioWorkletNode> | null} */
    this.opening = null;
    /** @type {AudioWorkletNode | undefined} */
    this.node = undefined;
    /** @type {AudioContext | undefined} */
    this.context = undefined;
    /** @type {MediaStreamTrack[]} */
    this.tracks = [];
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {WebSocket | null} */
    this.streamed = null;
    /** @type {(string | ArrayBuffer)[]} */
    this.early = []; // what is said before the line is open
    /** @type {number | undefined} */
    this.own = undefined; // how loud the player speaks, once that is known
    /** @type {Held | null} */
    this.held = null; // the key that is down over an open microphone
    /** @type {number | null} */
    this.prompt = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.ending = undefined; // of a check
    /** @type {bigint | null} */
    this.utterance = null;
    /** @type {{ utterance: bigint, sample: bigint }[]} */
    this.uttered = []; // whose frames come: the rest of the last one is no part of the next
    this.turned = 0;
    /** @type {(finding: Finding) => void} */
    this.heardReading = () => {};
    /** @type {Map<number, (finding: Finding) => void>} */
    this.readings = new Map(); // whose findings are still to come: by utterance, as near as JSON reads it
    button.addEventListener("pointerdown", (event) => {
      this.handled = true;
      button.setPointerCapture(event.pointerId);
      this.down();
    });
    button.addEventListener("pointerup", () => this.up());
    button.addEventListener("pointercancel", () => this.up());
    button.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      if (!event.repeat) this.down();
    });
    button.addEventListener("keyup", (event) => {
      if (event.key === " " || event.key === "Enter") this.up();
    });
    // A screen reader may send only a click: then it switches on and off.
    button.addEventListener("click", () => {
      if (!this.handled) this.toggle();
      this.handled = false;
    });
    addEventListener("keydown", (event) => {
      if (keyOf(event) !== kept("talk-key")) return;
      event.preventDefault();
      if (!event.repeat) this.down();
    });
    addEventListener("keyup", (event) => {
      if (event.key === kept("talk-key").split("+").at(-1)) this.up();
    });
    // Escape lets go of the key, whichever way it is used.
    addEventListener("keydown", (event) => { if (event.key === "Escape" && this.talking) this.turn(false); });
    navigator.mediaDevices?.addEventListener("devicechange", () => this.changed());
    document.addEventListener("line-lost", () => this.leaveLine());
    document.addEventListener("own-voice", ({ detail }) => this.ownVoice(detail));
    addEventListener("blur", () => (this.held ? this.release(false) : kept("talk-way") === "held" && this.turn(false)));
    button.addEventListener("contextmenu", (event) => event.preventDefault()); // a long touch talks, and opens no menu
    document.addEventListener("language", () => this.name());
    document.addEventListener("touch", () => this.name());
    this.name();
  }

  // What the server holds of the seat's sound: a way that changed while the microphone was open shuts it.
  /** @param {Wire.SoundShown} sound */
  seat(sound) {
    if (this.way !== undefined && this.way !== sound.talking) {
      this.turn(false);
      this.opening?.then(() => this.letGo());
    }
    this.way = sound.talking;
    if (this.device !== sound.device) this.turn(false);
    this.device = sound.device;
    this.proven = sound.headset; // a check has shown that this microphone does not hear our own voice
    this.name();
  }

  // The next press opens the microphone anew: voice activity measures levels, and the browser may not turn them up.
  letGo() {
    for (const track of this.tracks) track.stop();
    this.opening = null;
    this.own = undefined;
  }

  // The button's words; what voice activity takes meanwhile changes its look alone, so that no screen reader speaks.
  name() {
    const way = kept("talk-way");
    const [text, hint] = /** @type {Iterable<HTMLElement>} */ (this.button.children);
    delete hint.dataset.t;
    text.dataset.t = !this.talking ? "talk" : way === "voice" && !this.checking ? "talk_open" : "talking";
    text.textContent = t(text.dataset.t);
    const why = this.device ? "talk_at_server" : way === "held" ? "talk_hint" : `talk_hint.${way}`;
    hint.textContent = byTouch() ? t(why) : `${t(why)} · ${kept("talk-key")}`;
    if (!this.talking) this.button.classList.remove("heard");
  }

  toggle() {
    if (!this.talking) this.forGame();
    return this.turn(!this.talking);
  }

  // What is said from now on is for the game, whatever became of a check or a reading before it.
  forGame() {
    clearTimeout(this.ending);
    this.checking = this.echo = this.opens = false;
    this.prompt = null;
  }

  down() {
    const way = kept("talk-way");
    if (!this.talking) this.forGame();
    if (way === "voice" && this.talking && !this.checking) this.hold();
    else this.turn(way === "held" ? true : !this.talking);
  }

  up() {
    if (this.held) this.release(true);
    else if (kept("talk-way") === "held") this.turn(false);
  }

  // Over an open microphone the key vouches for what is said while it is held; pressed shortly, it shuts the microphone.
  hold() {
    if (this.held) return;
    /** @type {Held} */
    const held = { utterance: named(), sample: 0n, frames: [], counts: false };
    this.held = held;
    setTimeout(() => {
      if (this.held !== held) return;
      held.counts = true;
      key("talk");
      if (this.device) return this.atServer("talk");
      for (const [pcm] of held.frames.splice(0)) this.sendHeld(pcm);
    }, HELD_MS);
  }

  /** @param {boolean} shuts */
  release(shuts) {
    const held = this.held;
    this.held = null;
    if (held && !held.counts && shuts) this.turn(false);
    const mine = this.uttered[0];
    if (held && mine) for (const [pcm, sample] of held.frames) this.send(framed(mine.utterance, sample, pcm)); // no key was held
    if (!held?.counts) return;
    if (this.device) this.atServer("let_go");
    else this.send(`{"end": ${held.utterance}}`);
  }

  // What is said while the key is held is said once: it is no sound of the open microphone.
  /** @param {ArrayBuffer} pcm @param {bigint} sample of the open microphone */
  sendHeld(pcm, sample = 0n) {
    const held = this.held;
    if (!held) return;
    if (!held.counts) held.frames.push([pcm, sample]);
    else {
      this.send(framed(held.utterance, held.sample, pcm));
      held.sample += BigInt(pcm.byteLength / 2);
    }
  }

  // Some seconds of the player's voice, judged and kept nowhere.
  async check() {
    if (this.talking) return;
    clearTimeout(this.ending);
    this.prompt = null;
    this.echo = kept("headset") === "on" && !this.device; // whether our voice comes back is found out too
    say(t(this.echo || this.device ? "check_speak_headset" : "check_speak"));
    if (this.device) return this.atServer("check");
    this.checking = true;
    await this.turn(true);
    if (!this.checking || this.prompt !== null) return; // ended while the microphone opened, or a prompt is read by now
    clearTimeout(this.ending);
    this.ending = setTimeout(() => {
      const opens = this.opens;
      this.turn(false);
      this.opens = opens;
    }, this.echo ? 4600 : 3000);
  }

  // A prompt is read: judged like a check, and kept until the voice is learnt.
  /** @param {number} prompt @param {(finding: Wire.LevelFound["finding"]) => void} heard */
  async reading(prompt, heard) {
    if (this.talking) return;
    clearTimeout(this.ending);
    this.prompt = prompt;
    this.heardReading = heard;
    this.checking = true;
    await this.turn(true);
  }

  // Voice activity begins on this line; a fresh line, after the last was lost, is told again.
  stream() {
    if (!this.streaming || !this.utterance || this.streamed === this.socket) return;
    this.streamed = this.socket;
    this.send(`{"stream": ${this.utterance}, "own_dbfs": ${this.own}}`);
  }

  /** @param {string | ArrayBuffer} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(message);
    else this.early.push(message);
  }

  /** @param {object} message */
  tell(message) {
    this.send(JSON.stringify(message));
  }

  /** @param {Begins} said */
  ownVoice({ id, begins }) {
    if (this.socket && this.socket.readyState < WebSocket.CLOSING) this.tell(begins ? { playing: id } : { played: id });
    this.node?.port.postMessage({ deaf: playing.size > 0 && !(kept("headset") === "on" && this.proven) });
  }

  // Another headset may be plugged in now: what was shown of the last one holds no more.
  changed() {
    if (!this.proven || kept("headset") !== "on") return;
    this.line();
    this.tell({ headset: false });
    warn(t("headset.changed"));
  }

  // What the page keeps of the last 0.3 s before the key is pressed, where the player wants that.
  settings() {
    this.node?.port.postMessage({ preroll: kept("preroll") === "on" });
    if (this.socket && this.socket.readyState < WebSocket.CLOSING) this.tell({ headset: kept("headset") === "on" });
  }

  // The seat's microphone is the server's own: this page only has its key.
  /** @param {"check" | "talk" | "let_go"} key */
  atServer(key) {
    this.line();
    this.tell({ device: key });
  }

  /** @param {boolean} on */
  async turn(on) {
    if (on === this.talking) return;
    if (!on) {
      this.release(false);
      clearTimeout(this.ending);
      if (this.prompt === null) this.checking = this.echo = this.opens = false; // shut early, a check opens nothing
    }
    this.talking = on;
    const mine = this.turned += 1;
    if (this.device && !this.prompt) {
      this.button.setAttribute("aria-pressed", String(on));
      this.name();
      if (on) key("talk");
      return this.atServer(on ? "talk" : "let_go");
    }
    if (on && kept("talk-way") === "voice" && !this.checking && this.own === undefined) {
      this.talking = false; // voice activity must know how loud the player speaks
      this.opens = true;
      return this.check();
    }
    if (on) this.utterance = null; // that of the end is still needed
    if (on) this.streaming = kept("talk-way") === "voice" && !this.checking;
    this.button.setAttribute("aria-pressed", String(on));
    this.name();
    if (on) key("talk");
    try {
      const node = await this.open();
      if (!node || (on && mine !== this.turned)) return; // let go before the microphone was open
      if (this.talking && on) {
        if (this.context?.state !== "running") this.context?.resume().catch(() => {}); // a call may have stopped it
        this.utterance = named();
        this.uttered.push({ utterance: this.utterance, sample: 0n });
        this.streamed = null;
        this.line();
        // A number too long for JSON.stringify. Outside the game a check is played back.
        const more = this.prompt ? `"prompt": ${this.prompt}` : this.echo ? '"back": true, "headset": true, "echo": true' : '"back": true';
        if (this.checking) this.send(`{"check": ${this.utterance}, ${more}}`);
        if (this.prompt) this.readings.set(Number(this.utterance), this.heardReading);
        this.stream();
        node.port.postMessage({ on: true });
      } else {
        node.port.postMessage({ on: false });
      }
    } catch (/** @type {any} */ fault) {
      this.talking = false;
      this.forGame();
      this.button.setAttribute("aria-pressed", "false");
      this.name();
      warn(t(window.isSecureContext ? "no_microphone" : "no_microphone_http", { why: fault.message }));
    }
  }

  open() {
    this.opening ??= this.start().catch((fault) => { this.opening = null; throw fault; });
    return this.opening;
  }

  async start() {
    if (!navigator.mediaDevices) throw new Error("http");
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: kept("talk-way") !== "voice" },
    });
    this.tracks = stream.getTracks();
    for (const track of this.tracks) track.onended = () => this.lostMicrophone(); // pulled out, not stopped by us
    const context = new AudioContext();
    this.context = context;
    await context.resume();
    await context.audioWorklet.addModule("/static/audio/talk-worklet.js");
    const node = new AudioWorkletNode(context, "talk", { numberOfOutputs: 0 });
    context.createMediaStreamSource(stream).connect(node);
    node.port.onmessage = ({ data }) => this.frame(data);
    this.node = node;
    document.dispatchEvent(new Event("microphone-open"));
    this.line();
    this.settings();
    return node;
  }

  lostMicrophone() {
    this.line();
    this.tell({ lost: true });
    document.dispatchEvent(new CustomEvent("device-gone", { detail: "microphone" }));
    this.talking = false;
    this.forGame();
    if (this.node) this.node.port.onmessage = null; // it would give silence on and on, between the words of the next one
    this.context?.close().catch(() => {});
    this.uttered = [];
    this.letGo();
    this.button.setAttribute("aria-pressed", "false");
    this.name();
  }

  line() {
    if (this.socket && this.socket.readyState < WebSocket.CLOSING) return this.socket;
    const socket = line(`/audio?${place}`);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => {
      const said = JSON.parse(data);
      if (said.kind === "wrong") warn(said.text);
      if (said.kind === "level") this.heardLevel(said);
      if (said.kind === "servers") learn(said); // the line is closed, and opened again at the server that leads the table
      if (said.kind === "active") this.button.classList.toggle("heard", said.on);
    };
    this.early = [JSON.stringify({ headset: kept("headset") === "on" })];
    for (const id of playing) this.early.push(JSON.stringify({ playing: id }));
    this.stream();
    socket.onopen = () => { for (const one of this.early.splice(0)) socket.send(one); };
    return socket;
  }

  // The page has given its line up: this one, which goes the same way, may look open for long and carry nothing. What is
  // being said goes on over a fresh one, and all of it is asked for.
  leaveLine() {
    this.socket?.close();
    this.socket = null;
    if (this.device) this.turn(false); // the server shuts its own microphone with this line
  }

  /** @param {Wire.LevelFound} said */
  heardLevel({ finding, speech_dbfs, headset, utterance }) {
    const latest = Number(this.utterance);
    const heard = utterance ?? latest; // an earlier server told no utterance
    const reading = this.readings.get(heard);
    if (reading) {
      this.readings.delete(heard);
      if (heard === latest) { // else something else is said by now
        this.prompt = null;
        this.checking = false;
      }
      return reading(finding);
    }
    const text = [t(`level.${finding}`), headset ? t(`headset.${headset}`) : ""].filter(Boolean).join(" ");
    const place = document.getElementById("level");
    if (place) place.textContent = text;
    say(text);
    const usable = finding === "good" || finding === "noisy";
    if (usable) this.own = Math.max(-60, Math.min(0, speech_dbfs));
    if (this.checking || (this.opens && heard !== latest)) return; // of an earlier check: the finding of this one is to come
    const unopened = this.device && this.talking && kept("talk-way") === "voice"; // the server's own opens after the check
    if ((this.opens || unopened) && !usable) warn(t("talk_check_first"));
    if (unopened && !usable) this.turn(false);
    if (this.opens && usable) this.turn(true);
    this.opens = false;
  }

  /** @param {ArrayBuffer | null} pcm */
  frame(pcm) {
    const mine = this.uttered[0];
    if (!mine) return;
    this.line();
    let message;
    if (pcm === null) {
      message = `{"end": ${mine.utterance}}`;
      this.uttered.shift();
    } else {
      const sample = mine.sample;
      mine.sample += BigInt(pcm.byteLength / 2);
      if (this.held) { this.sendHeld(pcm, sample); return; }
      message = framed(mine.utterance, sample, pcm);
    }
    this.send(message);
  }
}

export { keep };
