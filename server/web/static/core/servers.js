// The servers of one hall. Where its own is gone, or another one leads the table, a page goes on from here with the next:
// it stays open, and so do its microphone and its sound. Instead of its cookie it shows a key, which is kept nowhere.
import { t } from "/static/core/language.js";

let all = [location.origin];
let base = location.origin;
let key = "";

export const several = () => all.length > 1;
export const away = () => base !== location.origin;

/** @param {Wire.Servers} said */
export function learn({ addresses, led, key: given }) {
  all = [...new Set([location.origin, ...addresses])];
  key = given;
  if (all.includes(led)) base = led;
}

export function next() {
  base = all[(all.indexOf(base) + 1) % all.length];
}

/** @param {string} path */
export const line = (path) => new WebSocket(base.replace(/^http/, "ws") + path, away() ? ["anna-eins", key] : []);

/** @param {string} path @param {RequestInit} [how] */
export const ask = (path, how) => (away() ? fetch(base + path, { ...how, credentials: "omit", headers: { ...how?.headers, Authorization: `Bearer ${key}` } }) : fetch(path, how));

// What the server says to it, in JSON, and whether it did it; where it is gone, the words that say so. A body is posted.
/** @param {string} path @param {object} [body] @returns {Promise<{ ok: boolean, gone: boolean, said: Http }>} */
export async function answerOf(path, body) {
  try {
    const answer = await ask(path, body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    return { ok: answer.ok, gone: false, said: await answer.json() };
  } catch {
    return { ok: false, gone: true, said: { text: t("no_answer") } };
  }
}
