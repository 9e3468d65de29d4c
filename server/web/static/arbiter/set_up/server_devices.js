// The server's own sound devices, given to a seat: this and their names come from the server when the sheet is opened.
import { $ } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { answerOf } from "/static/core/servers.js";

/** @param {string} place @param {Act} act @param {Tell} told */
export function serverDevices(place, act, told) {
  const look = async () => {
    if (!$("devices-sheet").open) return;
    const { ok, gone, said: found } = await answerOf(`/api/devices?${place}`);
    if (!ok) return told(gone ? found.text : t("refused_act"), true);
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
