// Sound at a page that is silent until its person asks for it: the hall's display, the arbiter's own ear.
import { hushed, mute, play, reporting, there } from "/static/audio/ear.js";

// What a station of such a page does with sound.
/** @type {Handlers} */
export const sounding = { sound: play, hush: (said) => hushed(said.id), there };

/** @param {Station} station @param {boolean} on */
export function aloud(station, on) {
  mute(!on);
  reporting((did, id = "") => station.ear(did, id));
}
