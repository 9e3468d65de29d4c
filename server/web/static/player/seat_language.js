// A seat has one language: its player's page is in it. A seat in which nobody has chosen takes that of the page.
import { change, language, lastHere } from "/static/core/language.js";

/** @param {Station} station */
export function seatLanguage(station) {
  let held = ""; // as the server has it
  let asked = 0; // choices that are on their way: until they are answered the seat's may be an older one
  /** @param {string} tag */
  const follow = (tag) => {
    held = tag || held;
    if (held && !asked && held !== language) change(held);
  };
  const choose = async () => {
    asked += 1;
    const outcome = await station.do({ do: "choose_ear", language });
    asked -= 1;
    if (outcome.ok) held = language;
    else follow(held); // the arbiter has fixed it
  };
  document.addEventListener("language", ({ detail }) => {
    lastHere(language);
    if (detail.chosen) choose();
  });
  document.addEventListener("greeted", ({ detail: { sound, result } }) => {
    if (sound?.ear.language) follow(sound.ear.language);
    else if (!asked && !result) choose();
  });
  document.addEventListener("told", ({ detail: { message } }) => { if (message.type === "sound_shown") follow(message.ear.language); });
}
