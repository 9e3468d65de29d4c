// Speech from the server into this ear, one phrase after the other; a new key press stops it.
let context = null;
let queue = Promise.resolve();
let current = null;
let muted = false;

// What sounds now, for the microphone of this page, which is not to hear it.
export const playing = new Set();
function tell(id, begins) {
  if (begins) playing.add(id);
  else playing.delete(id);
  document.dispatchEvent(new CustomEvent("own-voice", { detail: { id, begins } }));
}

function ready() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context;
}
// Browsers give no sound before the first key or click.
for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, ready, { capture: true, once: true });

export function play(id) {
  if (muted) return;
  queue = queue.then(() => one(id)).catch((fault) => console.warn("no sound:", fault.message));
}

async function one(id) {
  const answer = await fetch(`/sound/${id}`);
  if (!answer.ok) return;
  const audio = ready();
  if (audio.state !== "running") return;
  const buffer = await audio.decodeAudioData(await answer.arrayBuffer());
  tell(id, true);
  await new Promise((done) => {
    current = audio.createBufferSource();
    current.buffer = buffer;
    current.connect(audio.destination);
    current.onended = done;
    current.start();
  });
  current = null;
  tell(id, false);
}

export function hush() {
  current?.stop();
}

export function mute(yes) {
  muted = yes;
  if (yes) hush();
}
