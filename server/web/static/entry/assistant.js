// The assistant's page: exactly the duties that the arbiter has granted (D.2.10).
import { $ } from "/static/core/element.js";
import { start, t } from "/static/core/language.js";
import { Station } from "/static/core/station.js";
import { Speaker } from "/static/player/speaker.js";
import { Score, head } from "/static/core/score.js";
import { Clocks } from "/static/core/times.js";
import { writing } from "/static/player/writing.js";

await start();
head($("score"));
const score = new Score($("score"));
const clocks = new Clocks($("clocks"));
/** @type {Speaker} */
let speaker;
const station = new Station({
  greeting(greeting) {
    delete $("who").dataset.t;
    $("who").textContent = `${t("title.assistant")} – ${t(greeting.seat ?? "")}`;
    clocks.named(greeting.names);
    clocks.show(greeting.clock);
    score.set(greeting.own_score);
    number();
    for (const part of document.querySelectorAll("[data-duty]")) part.hidden = !greeting.duties.includes(part.dataset.duty ?? "");
    const lines = greeting.duties.length ? greeting.duties.map((duty) => t(`duty.${duty}`)) : [t("no_duties")];
    $("duties").replaceChildren(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
    $("executed-there").dataset.do = JSON.stringify({ do: "execute", board: greeting.seat === "white" ? "black" : "white" });
  },
  message(message, live) {
    if (message.type === "ended" && live) clocks.stop();
    if (message.type === "clock_shown") { if (live) clocks.show(message); }
    else if (message.type === "score_line") { score.put(message.index, message.text); number(); }
    else speaker.message(message, live);
  },
  sound: (ready) => speaker.sound(ready),
  sealed: (said) => speaker.sealed(said),
  refused: (text) => speaker.refused(text),
});
const number = writing(station, score);
$("executed-there").addEventListener("click", async () => {
  const outcome = await station.do(JSON.parse($("executed-there").dataset.do ?? "null"));
  if (outcome.ok) speaker.show(t("done"), true);
});
speaker = new Speaker(station);
