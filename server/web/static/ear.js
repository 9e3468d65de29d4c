// Speech from the server into this ear, one phrase after the other; a new key press stops it.
let context = null;
let queue = Promise.resolve();
let current = null;
let muted = false;

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
  await new Promise((done) => {
    current = audio.createBufferSource();
    current.buffer = buffer;
    current.connect(audio.destination);
    current.onended = done;
    current.start();
  });
  current = null;
}

export function hush() {
  current?.stop();
}

export function mute(yes) {
  muted = yes;
  if (yes) hush();
}
