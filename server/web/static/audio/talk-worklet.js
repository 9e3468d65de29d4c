// The microphone as mono s16le at 16 kHz in frames of 20 ms: a windowed-sinc low-pass, read at the new rate.
const RATE = 16000;
const FRAME = 320;
const PREROLL_S = 0.3; // kept here, and sent only when the key is pressed
const HALF = 24; // zero crossings on each side of the filter, in output samples

class Talk extends AudioWorkletProcessor {
  constructor() {
    super();
    this.step = sampleRate / RATE;
    this.reach = Math.ceil(HALF * Math.max(1, this.step));
    this.input = new Float32Array(0);
    this.at = 0; // where in `input` the next output sample lies
    this.frame = new Int16Array(FRAME);
    this.filled = 0;
    this.on = false;
    this.deaf = false; // our own voice sounds
    this.preroll = false;
    /** @type {Float32Array[]} */
    this.before = [];
    this.port.onmessage = ({ data }) => {
      if ("on" in data) this.turn(data.on);
      if ("preroll" in data) this.preroll = data.preroll;
      if ("deaf" in data) this.deaf = data.deaf;
      if (this.deaf || !this.preroll) this.before = [];
    };
  }

  // The last moment before the key was pressed, in blocks as they came.
  /** @param {Float32Array} block */
  keep(block) {
    if (!this.preroll || this.deaf) return;
    this.before.push(block);
    const most = (PREROLL_S * sampleRate) / block.length;
    if (this.before.length > most) this.before.splice(0, this.before.length - Math.floor(most));
  }

  /** @param {boolean} on */
  turn(on) {
    if (on) {
      this.input = new Float32Array(this.reach);
      this.at = this.reach;
      this.filled = 0;
      for (const block of this.before.splice(0)) this.resample(block);
    } else if (this.on) {
      this.resample(new Float32Array(this.reach)); // what is still in the filter
      if (this.filled) this.port.postMessage(this.frame.slice(0, this.filled).buffer);
      this.port.postMessage(null);
    }
    this.on = on;
  }

  /** @param {number} at */
  sample(at) {
    const middle = Math.floor(at);
    const cutoff = Math.min(1, 1 / this.step) * 0.94;
    let sum = 0;
    for (let i = middle - this.reach + 1; i < middle + this.reach; i++) {
      const x = at - i;
      const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / this.reach);
      const value = x === 0 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x);
      sum += (this.input[i] ?? 0) * value * window;
    }
    return sum;
  }

  /** @param {Float32Array} block */
  resample(block) {
    const joined = new Float32Array(this.input.length + block.length);
    joined.set(this.input);
    joined.set(block, this.input.length);
    this.input = joined;
    while (this.at + this.reach < this.input.length) {
      const value = Math.max(-1, Math.min(1, this.sample(this.at)));
      this.frame[this.filled++] = Math.round(value * 32767);
      if (this.filled === FRAME) {
        this.port.postMessage(this.frame.slice().buffer);
        this.filled = 0;
      }
      this.at += this.step;
    }
    const spent = Math.floor(this.at) - this.reach;
    if (spent > 0) {
      this.input = this.input.slice(spent);
      this.at -= spent;
    }
  }

  /** @param {Float32Array[][]} inputs */
  process([input]) {
    if (input.length) {
      const mono = new Float32Array(input[0].length);
      for (const channel of input) for (let i = 0; i < mono.length; i++) mono[i] += channel[i] / input.length;
      if (this.on) this.resample(mono);
      else this.keep(mono);
    }
    return true;
  }
}
registerProcessor("talk", Talk);
