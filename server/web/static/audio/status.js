// "Status": whether server, sound and microphone of this station work, told by the page itself, with or without a server.
import { t } from "/static/core/language.js";
import { say } from "/static/core/live.js";
import { sounds } from "/static/audio/ear.js";

let microphone = "status.microphone_unused";
document.addEventListener("microphone-open", () => { microphone = "status.microphone"; });
document.addEventListener("device-gone", ({ detail }) => { if (detail === "microphone") microphone = "microphone_gone"; });

/** @param {string} text */
export const asksStatus = (text) => t("status.words").split(",").includes(text.trim().toLowerCase());

/** @param {boolean} connected */
export function tellStatus(connected) {
  const sound = sounds();
  const text = [
    t(connected ? "status.server" : "server_gone"),
    t(sound === null ? "status.sound_unused" : sound ? "status.sound" : "sound_gone"),
    t(microphone),
  ].join(" ");
  const last = document.getElementById("last");
  if (last) { delete last.dataset.t; last.textContent = text; }
  say(text);
  return text;
}
