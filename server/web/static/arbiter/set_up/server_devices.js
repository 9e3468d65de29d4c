// The server's own sound devices, given to a seat: this and their names come from the server when the sheet is opened.
import { $ } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { ask } from "/static/core/servers.js";

/** @param {string} place @param {Act} act @param {Tell} told */
export function serverDevices(place, act, told) {
  const look = async () => {
    if (!$("devices-sheet").open) return;
    const answer = await ask(`/api/devices?${place}`);
    if (!answer.ok) return told(t("refused_act"), true);
    const found = await answer.json();
    for (const [id, names] of /** @type {["device-microphone" | "device-headphones", string[]][]} */ ([["device-microphone", found.microphones], ["device-headphones", found.headphones]])) {
      const before = $(id).value;
      $(id).replaceChildren(new Option(t("devices.none"), ""), ...names.map((/** @type {string} */ name) => new Option(name, name)));
      if (names.includes(before)) $(id).value = before;
    }
    if (found.text) told(found.text, true);
  };
  $("devices-sheet").addEventListener("toggle", look);
  look();
  $("choose-devices").addEventListener("submit", (event) => {
    event.preventDefault();
    act({ do: "choose_devices", seat: $("device-seat").value, microphone: $("device-microphone").value || null, headphones: $("device-headphones").value || null, headset: $("device-headset").checked });
  });
}
