// The devices that wait at the door, admitted one by one.
import { $, focusOn, focused } from "/static/core/element.js";
import { language, t } from "/static/core/language.js";
import { say } from "/static/core/live.js";
import { DUTIES, dutyBox } from "/static/arbiter/set_up/inviting.js";
import { answerOf } from "/static/core/servers.js";

const granted = new Map(); // an assistant at the door -> the duties that they are to have, ticked here or with their code

/** @param {HTMLElement} list @param {string} place @param {Telling} telling */
export async function door(list, place, telling) {
  let version = 0;
  let before = new Set();
  /** @type {Http[]} */
  let waiting = [];
  /** @type {Http} */
  let codes = { locked: [], closed: false };
  document.addEventListener("language", () => { show(list, waiting, place, telling); tellLocked(codes); });
  openingCodes(place, telling);
  for (;;) {
    const { ok, said } = await answerOf(`/api/introductions?${place}&version=${version}`);
    if (!ok) {
      await new Promise((done) => setTimeout(done, 2000));
      continue;
    }
    if (said.version === version) continue;
    version = said.version;
    waiting = said.waiting;
    show(list, waiting, place, telling);
    if (tellLocked(said) && !tellLocked(codes)) say(tellLocked(said));
    codes = said;
    tellLocked(codes);
    for (const one of said.waiting) if (!before.has(one.id)) say(t("device_waits", { who: who(one), mark: one.mark }));
    before = new Set(said.waiting.map((/** @type {Http} */ one) => one.id));
  }
}

/** @param {Http} said */
function tellLocked({ locked = [], closed = false }) {
  const place = document.getElementById("codes-locked");
  const text = closed ? t("codes_closed") : locked.length ? t("codes_locked", { places: locked.join(", ") }) : "";
  if (!text && place.contains(focused())) toTitle();
  place.hidden = !text;
  const told = place.querySelector("span");
  if (told) told.textContent = text;
  return text;
}

/** @param {string} place @param {Telling} telling */
function openingCodes(place, telling) {
  document.querySelector("#codes-locked button")?.addEventListener("click", async () => {
    const told = telling();
    const { ok, said } = await answerOf(`/api/codes?${place}`, {});
    told(ok ? t("codes_opened") : said.text, !ok);
  });
}

/** @param {Http} one */
const who = (one) => `${t(`title.${one.role}`)}${one.seat ? `, ${t(one.seat)}` : ""}${one.label ? ` (${one.label})` : ""}`;

/** @param {HTMLElement} list @param {Http[]} waiting @param {string} place @param {Telling} telling */
function show(list, waiting, place, telling) {
  const before = focused();
  const line = before?.closest("#devices li")?.dataset.id;
  const same = before instanceof HTMLInputElement ? `[value="${before.value}"]` : `[data-about="${before?.dataset.about}"]`;
  const items = waiting.map((one) => item(one, place, telling));
  if (!items.length) {
    const none = document.createElement("li");
    none.className = "soft";
    none.textContent = t("nobody_waits");
    items.push(none);
  }
  const inside = list.contains(document.activeElement);
  list.replaceChildren(...items);
  if (!inside) return;
  // The same act for the same device; where that is gone, none: the next Enter must admit nobody else.
  /** @type {HTMLElement | null | undefined} */
  const again = [...list.querySelectorAll("li")].find((one) => one.dataset.id === line)?.querySelector(same);
  if (again) again.focus();
  else toTitle();
}

// Where what had the focus is gone.
const toTitle = () => focusOn($("door-title"));

// What an assistant may do is settled at the door (D.2.10); without a duty they could do nothing.
/** @param {Http} one */
function duties(one) {
  if (!granted.has(one.id)) granted.set(one.id, new Set(one.duties));
  const mine = granted.get(one.id);
  const group = document.createElement("fieldset");
  const legend = document.createElement("legend");
  legend.textContent = t("duties");
  group.append(legend);
  for (const duty of DUTIES) {
    const [label, box] = dutyBox(duty);
    box.checked = mine.has(duty);
    box.addEventListener("change", () => { if (box.checked) mine.add(duty); else mine.delete(duty); });
    group.append(label);
  }
  return group;
}

/** @param {Http} one @param {string} place @param {Telling} telling */
function item(one, place, telling) {
  const line = document.createElement("li");
  line.className = "device";
  line.dataset.id = one.id;
  const mark = document.createElement("span");
  mark.className = "mark";
  mark.textContent = one.mark;
  const name = document.createElement("span");
  name.className = "grow";
  name.textContent = who(one);
  line.append(mark, name);
  if (one.role === "assistant") line.append(duties(one));
  for (const [admit, key] of /** @type {[boolean, string][]} */ ([[true, "admit"], [false, "refuse"]])) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.about = key;
    if (admit) button.className = "first";
    button.append(t(key));
    const about = document.createElement("span");
    about.className = "unseen";
    about.textContent = ` ${one.mark} ${who(one)}`;
    button.append(about);
    button.addEventListener("click", async () => {
      const told = telling();
      const { ok, said } = await answerOf(`/api/introductions/${one.id}?${place}`, { admit, language, ...(granted.has(one.id) && admit ? { duties: [...granted.get(one.id)] } : {}) });
      told(ok ? t(admit ? "admitted" : "sent_away") : said.text, !ok);
    });
    line.append(button);
  }
  return line;
}
