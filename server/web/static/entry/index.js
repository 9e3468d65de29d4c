import { $ } from "/static/core/element.js";
import { has, language, start, t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { answerOf } from "/static/core/servers.js";
import { write } from "/static/core/spoken.js";

await start();

/** @param {string} text */
function told(text) {
  $("notice").hidden = false;
  write($("notice"), text);
  warn(text);
}

const LATEST_MS = 10000; // a knock that is not answered is in the way of another one no longer than this
let knocking = false; // one key that is pressed twice is one knock
/** @param {object} body */
async function knock(body) {
  if (knocking) return;
  knocking = true;
  const late = setTimeout(() => { knocking = false; told(t("no_answer")); }, LATEST_MS);
  await knockOnce(body).finally(() => { clearTimeout(late); knocking = false; });
}

/** @param {object} body */
async function knockOnce(body) {
  const { ok, said } = await answerOf("/api/join", { ...body, label: $("label").value.trim(), language });
  if (!ok) {
    told(has(`error.${said.code}`) ? t(`error.${said.code}`) : said.text);
    $("code").focus();
    return;
  }
  $("notice").hidden = true;
  if (said.state === "admitted") location.replace(said.page);
  else wait(said);
}

/** @param {Http} waiting */
async function wait({ id, mark, role, seat }) {
  $("joining").hidden = true;
  $("waiting").hidden = false;
  $("mark-line").textContent = `${mark} – ${t(`title.${role}`)}${seat ? `, ${t(seat)}` : ""}`;
  $("mark-line").focus();
  say(t("wait_title"));
  for (;;) {
    let said;
    try {
      const answer = await fetch(`/api/join/${id}`);
      said = await answer.json();
      if (!answer.ok) said.state = "refused";
    } catch {
      await new Promise((done) => setTimeout(done, 1500));
      continue;
    }
    if (said.state === "admitted") { location.replace(said.page); return; }
    if (said.state === "refused") {
      $("waiting").hidden = true;
      $("joining").hidden = false;
      told(t("refused"));
      $("code").focus();
      return;
    }
  }
}

$("join").addEventListener("submit", (event) => {
  event.preventDefault();
  if ($("code").value.trim()) knock({ code: $("code").value });
});
const { early } = $("join").dataset; // what was sent before this script was there (`code_form.js`), unless it is changed since
if (early === $("code").value) $("join").requestSubmit();

const { places = [] } = (await answerOf("/api/places")).said; // none where the server is gone: what a link brings still counts
$("places").hidden = places.length === 0;
for (const place of places) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.className = "button";
  link.href = place.page;
  link.textContent = `${t(`title.${place.role}`)}${place.seat ? `, ${t(place.seat)}` : ""} – ${place.table}`;
  item.append(link);
  $("place-list").append(item);
}

// What a link brings: it may also be opened where this page stands already.
async function come() {
  const fragment = location.hash;
  if (fragment.startsWith("#join=")) {
    history.replaceState(null, "", "/"); // the secret stays in no history
    await knock({ secret: fragment.slice(6) });
  } else if (fragment === "#left") {
    history.replaceState(null, "", "/");
    told(t("left"));
  }
}
addEventListener("hashchange", come);
await come();
