// The server's own sound devices, given to a seat: their names come from the server when the sheet is opened.
import { t } from "/static/core/language.js";

const $ = (id) => document.getElementById(id);

export function serverDevices(place, act, told) {
  $("devices-sheet").addEventListener("toggle", async () => {
    if (!$("devices-sheet").open) return;
    const answer = await fetch(`/api/devices?${place}`);
    if (!answer.ok) return told(t("refused_act"), true);
    const found = await answer.json();
    for (const [id, names] of [["device-microphone", found.microphones], ["device-headphones", found.headphones]]) {
      const before = $(id).value;
      $(id).replaceChildren(new Option(t("devices.none"), ""), ...names.map((name) => new Option(name, name)));
      if (names.includes(before)) $(id).value = before;
    }
    if (found.text) told(found.text, true);
  });
  $("choose-devices").addEventListener("submit", (event) => {
    event.preventDefault();
    act({ do: "choose_devices", seat: $("device-seat").value, microphone: $("device-microphone").value || null, headphones: $("device-headphones").value || null, headset: $("device-headset").checked });
  });
}
