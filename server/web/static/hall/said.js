// What the page says aloud: in the server's own voice, made once for all visitors, else in the browser's. The newest takes
// the place of what sounds.
import { t } from "/static/core/language.js";
import { say } from "/static/core/live.js";

/** @type {HTMLAudioElement | null} */
let sounds = null;
let asked = 0;

export function hush() {
  asked += 1;
  sounds?.pause();
  sounds = null;
  window.speechSynthesis?.cancel();
}

// `address`: where the server says it; `text`: the same for the browser's voice, in the language `tag`.
/** @param {string} address @param {string} text @param {string} tag */
export async function speak(address, text, tag) {
  hush();
  const mine = asked;
  const answer = await fetch(address).catch(() => null);
  if (mine !== asked) return;
  if (answer?.status === 200) {
    const file = URL.createObjectURL(await answer.blob());
    if (mine !== asked) return;
    sounds = new Audio(file);
    sounds.addEventListener("ended", () => URL.revokeObjectURL(file));
    await sounds.play().catch(() => null);
    return;
  }
  if (!inBrowser(text, tag)) say(t("hall.no_voice"));
}

// What follows a finger: in the browser's voice, which needs no answer of the server, else in the server's. Without both
// it is left to the screen reader.
/** @param {string} text @param {string} tag @param {string} [address] */
export function speakAtOnce(text, tag, address) {
  hush();
  if (inBrowser(text, tag)) return;
  if (address) speak(address, text, tag);
  else say(text);
}

/** @param {string} text @param {string} tag */
function inBrowser(text, tag) {
  const voice = window.speechSynthesis?.getVoices().find((one) => one.lang.slice(0, 2) === tag);
  if (!voice) return false;
  const spoken = new SpeechSynthesisUtterance(text);
  [spoken.voice, spoken.lang] = [voice, voice.lang];
  window.speechSynthesis.speak(spoken);
  return true;
}
