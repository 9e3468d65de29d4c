// A sound that was kept, for the arbiter's ear: it plays, or the server's own sentence says why not.
import { t } from "/static/core/language.js";
import { ask } from "/static/core/servers.js";

/** @param {string} address @param {(sound: HTMLAudioElement) => void} [began] @returns {Promise<void>} resolved when it has ended */
export function playKept(address, began) {
  return new Promise((done, failed) => {
    const sound = new Audio(address);
    const refuse = async (/** @type {any} */ wrong) => {
      if (wrong?.name === "AbortError") { done(); return; }
      const answer = await ask(address).catch(() => null);
      failed(new Error(!answer ? t("no_answer") : answer.ok ? t("record.no_sound") : (await answer.json()).text));
    };
    sound.addEventListener("ended", () => done(), { once: true });
    sound.play().catch(refuse);
    began?.(sound);
  });
}
