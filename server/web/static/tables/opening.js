// The hall's arbiter opens tables: a round out of a file, or one by hand; first looked at, then opened together. What holds
// for them is the event's profile, which is loaded, changed and kept here.
import { $, focused, make } from "/static/core/element.js";
import { language, offered, t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { controlInWords, inWords } from "/static/core/times.js";

const LONGEST = 4_000_000;
const LONGEST_PROFILE = 64 * 1024;
/** @type {Http[]} */
let found = [];
let underWay = false; // tables that are being opened are not opened once more
for (const select of [$("open-language"), $("open-sighted")]) select.append(...offered());

/** @param {string} text */
function told(text, grave = false) {
  $("opening-said").textContent = text;
  (grave ? warn : say)(text);
}

// What the server answers; null where it refuses or is gone, which is told.
/** @param {string} path @param {object} [body] */
async function ask(path, body) {
  const answer = await fetch(path, body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }).catch(() => null);
  const said = answer ? await answer.json() : { text: t("no_answer") };
  if (answer?.ok) {
    $("opening-said").textContent = ""; // what was wrong before is wrong no longer
    return said;
  }
  told(said.text, true);
  if (said.pages) choosePage(said.pages);
  return null;
}

// The bytes of a file in base64: which code page it is in the server tells.
/** @param {File} file */
async function bytesOf(file) {
  /** @type {string} */
  const url = await new Promise((done) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(String(reader.result)));
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(",") + 1);
}

// Which of the code pages that fit is right, where the file does not tell: chosen by a word as each would spell it.
/** @param {[string, string][]} pages */
function choosePage(pages) {
  $("page").replaceChildren(new Option(t("opening.page_own"), ""), ...pages.map(([page, word]) => new Option(`${word} (${page})`, page)));
  $("page-choice").hidden = false;
  $("page").focus();
}

const KINDS = ["sighted", "low-vision", "tactile"];

// How a player of a table plays and whether they hear, chosen in the table itself, so that it stays in another language.
/** @param {Http} one @param {Seat} side */
function playing(one, side) {
  const known = one.players[side], name = `${t(side)}: ${one[side]}`;
  const kind = make("select", {});
  kind.replaceChildren(...KINDS.map((value) => new Option(t(`opening.kind.${value}`), value, false, value === known.kind)));
  kind.addEventListener("change", () => { known.kind = kind.value; });
  const chosen = make("label", { textContent: `${name} ` });
  chosen.append(kind);
  const box = make("input", { type: "checkbox", checked: known.hearing_impaired });
  box.setAttribute("aria-label", `${name}: ${t("act_field.hearing_impaired")}`);
  box.addEventListener("change", () => { known.hearing_impaired = box.checked; });
  const hearing = make("label", { className: "check" });
  hearing.append(box, ` ${t("act_field.hearing_impaired")}`);
  const row = make("div", { className: "row" });
  row.append(chosen, hearing);
  return row;
}

// What an event knows of a player that nobody has told it of.
const USUAL_PLAYER = { kind: "sighted", language: "", hearing_impaired: false, needs: "", echo_scores: true };

// The name by which the event knows a player; the name itself where it does not.
/** @param {Http} known @param {string} name */
const nameIn = (known, name) => Object.keys(known).find((other) => other.toLowerCase() === name.toLowerCase()) ?? name;

// The players of the event with what was chosen at the tables below; one of whom nothing special holds needs no entry.
function players() {
  const known = { ...profile.players };
  for (const one of found) {
    for (const side of /** @type {const} */ (["white", "black"])) {
      const name = nameIn(known, one[side]);
      const player = { ...USUAL_PLAYER, ...known[name], kind: one.players[side].kind, hearing_impaired: one.players[side].hearing_impaired };
      if (JSON.stringify(player) === JSON.stringify(USUAL_PLAYER)) delete known[name];
      else known[name] = player;
    }
  }
  return known;
}

// A table that was added by hand can be taken out again; a round is previewed anew.
/** @param {Http} one */
function removing(one) {
  const button = make("button", { type: "button", textContent: t("opening.remove") });
  button.setAttribute("aria-label", `${t("opening.remove")}: ${one.white} – ${one.black}`);
  button.addEventListener("click", () => {
    found = found.filter((other) => other !== one);
    show();
    if (!found.length) $("one-white").focus();
    else foundTold();
  });
  return button;
}

function foundTold() {
  say($("found-title").textContent ?? "");
  $("found-title").focus();
}

function show() {
  $("open-form").hidden = found.length === 0;
  if (!found.length) return;
  $("found-title").textContent = t("opening.found", { count: found.length });
  $("found").replaceChildren(...found.map((one) => {
    const item = make("li");
    const group = make("fieldset");
    group.append(make("legend", { textContent: [one.name, one.chess960 ? `Chess960 ${one.chess960}` : "", one.taken ? t("opening.taken") : ""].filter(Boolean).join(" – ") || t("opening.one") }));
    group.append(playing(one, "white"), playing(one, "black"));
    if (!one.name) group.append(removing(one));
    item.append(group);
    return item;
  }));
  $("open-all").textContent = t("opening.open", { count: found.length });
  control();
}

// What stands in the field, or what is taken where it is empty, said out below it.
const USUAL = "5400+30";
function control() {
  const files = [...new Set(found.map((one) => one.control || USUAL))];
  const written = $("open-control").value.trim();
  const said = (written ? [named(written)?.control ?? written] : files).map((one) => controlInWords(one) ?? t("not_understood"));
  $("open-control-said").textContent = said.join(" · ");
}

// The time control that a name stands for, in whatever language the name is.
/** @param {string} text @returns {Http} */
function named(text) {
  const asked = text.trim().toLowerCase();
  return controls.find((one) => [one.key, ...Object.values(one.names)].some((name) => name.toLowerCase() === asked));
}

/** @type {Http[]} */
let controls = [];
/** @type {string[]} */
let editions = [];
/** @type {Http} */
let profile = null; // as the server keeps it; what stands in the form may be for these tables alone

// A value that the page does not offer came out of a file: it stays what it is.
/** @param {"open-scheme" | "open-delay"} id @param {string} value @param {string} words */
function pick(id, value, words) {
  const select = /** @type {HTMLSelectElement} */ ($(id));
  if (![...select.options].some((one) => one.value === value)) select.add(new Option(words, value));
  select.value = value;
}

function showControls() {
  $("controls").replaceChildren(...controls.map((one) => new Option(one.control, one.names[language])));
  const edition = $("open-edition").value || profile?.edition;
  $("open-edition").replaceChildren(...editions.map((one) => new Option(t(`rules.${one}`), one, false, one === edition)));
  const known = named($("open-control").value);
  if (known) $("open-control").value = known.names[language];
}

/** @param {Http} said */
function showProfile(said) {
  ({ profile, controls, editions } = said);
  const { event } = profile;
  $("open-control").value = profile.control;
  $("open-language").value = profile.language;
  $("open-sighted").value = profile.sighted_language;
  $("open-edition").value = "";
  $("open-boards").value = profile.boards;
  $("open-chess960").value = profile.chess960;
  pick("open-scheme", profile.scheme, profile.scheme);
  pick("open-delay", String(profile.display_delay_s), inWords(profile.display_delay_s * 1000, true));
  $("open-rated").checked = profile.rated;
  $("open-adjournments").checked = event.guidelines.includes("I");
  $("open-quickplay").checked = event.guidelines.includes("III");
  $("open-unsupervised").checked = event.unsupervised;
  $("open-consent").checked = event.sound_needs_consent;
  $("open-supervision").value = event.supervision;
  showControls();
}

// The profile with what stands in the form.
function chosen() {
  const chess960 = $("open-chess960").value.trim();
  const others = chess960 ? ["II"] : profile.event.guidelines.filter((/** @type {string} */ one) => one === "II");
  return {
    ...profile, control: $("open-control").value.trim(), rated: $("open-rated").checked,
    language: $("open-language").value, sighted_language: $("open-sighted").value, scheme: $("open-scheme").value,
    display_delay_s: Number($("open-delay").value), edition: $("open-edition").value, boards: $("open-boards").value, chess960, players: players(),
    event: {
      ...profile.event,
      guidelines: [...($("open-adjournments").checked ? ["I"] : []), ...others, ...($("open-quickplay").checked ? ["III"] : [])],
      unsupervised: $("open-unsupervised").checked, sound_needs_consent: $("open-consent").checked, supervision: $("open-supervision").value,
    },
  };
}

// Keep a profile for the next rounds, from a file or from the form.
/** @param {object} body @param {string} key */
async function keep(body, key) {
  const said = await ask("/api/event", body);
  if (!said) return false;
  showProfile(said);
  control();
  told(t(key));
  return true;
}

// What was chosen in the form stays where other tables come into it. A round takes the place of the one previewed before,
// and stands beside the tables that were added by hand; a table by hand stands beside all others.
/** @param {Http[]} tables */
async function taken(tables) {
  if (!found.length) {
    const said = await ask("/api/event");
    if (!said) return;
    showProfile(said);
  }
  const [added] = tables;
  if (added && !added.name) {
    for (const side of /** @type {const} */ (["white", "black"])) {
      const player = added.players[side], known = { ...USUAL_PLAYER, ...profile.players[nameIn(profile.players, added[side])] };
      added.players[side] = player.kind === "sighted" ? known : { ...known, kind: player.kind };
    }
  }
  if (added?.name) found = [...tables, ...found.filter((one) => !one.name)];
  else found = [...found.filter((one) => one.name || one.white !== added.white || one.black !== added.black), ...tables];
  show();
  foundTold();
}

export function opening() {
  $("open-control").addEventListener("input", control);
  $("open-control").addEventListener("change", () => say($("open-control-said").textContent ?? ""));
  $("file").addEventListener("change", () => {
    $("page").replaceChildren();
    $("page-choice").hidden = true;
  });
  $("file-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const chosen = /** @type {FileList} */ ($("file").files)[0];
    if (chosen.size > LONGEST) { told(t("opening.too_long"), true); return; }
    const round = $("round").value ? Number($("round").value) : null;
    const said = await ask("/api/pairings", { file: await bytesOf(chosen), page: $("page").value || null, round });
    if (!said) return;
    await taken(said.tables);
    if (said.sample) $("opening-said").textContent = t("opening.read_as", { page: said.page, sample: said.sample });
  });
  $("one-form").addEventListener("submit", (event) => {
    event.preventDefault();
    /** @param {boolean} touch */
    const player = (touch) => ({ ...USUAL_PLAYER, kind: touch ? "tactile" : "sighted" });
    const players = { white: player($("one-white-touch").checked), black: player($("one-black-touch").checked) };
    taken([{ name: "", white: $("one-white").value.trim(), black: $("one-black").value.trim(), event: "", round: 0, board: 0, control: "", players }]);
  });
  $("profile-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const file = /** @type {FileList} */ ($("profile").files)[0];
    if (file.size > LONGEST_PROFILE) { told(t("profile.too_long"), true); return; }
    if (await keep({ text: await file.text(), file: file.name.slice(-60) }, "profile.loaded")) $("profile-form").reset();
  });
  $("keep").addEventListener("click", () => keep({ profile: chosen() }, "profile.kept"));
  $("open-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    /** @param {Http} one @param {Seat} side */
    const player = (one, side) => ({ name: one[side], kind: one.players[side].kind, hearing_impaired: one.players[side].hearing_impaired });
    const tables = found.map((one) => ({
      name: one.name, event: one.event, round: one.round, board: one.board, starts: one.starts ?? "", way: one.way ?? "", chess960: one.chess960 ?? "",
      control: $("open-control").value.trim() || one.control,
      white: player(one, "white"), black: player(one, "black"),
    }));
    if (underWay) return;
    underWay = true;
    const sent = found;
    const said = await ask("/api/tables", { tables, profile: chosen() }).finally(() => { underWay = false; });
    if (!said) return;
    const here = $("open-form").contains(focused()) || focused() === document.body; // who has gone on meanwhile is left there
    found = found.filter((one) => !sent.includes(one));
    show();
    for (const form of /** @type {const} */ (["file-form", "one-form", "open-form"])) {
      if (here || !$(form).contains(focused())) $(form).reset(); // there the next table is being written
    }
    told(t("opening.opened", { count: said.tables.length }));
    if (here) $("find").focus();
  });
  document.addEventListener("language", () => { showControls(); show(); });
}
