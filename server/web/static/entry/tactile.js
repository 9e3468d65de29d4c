// The tactile player's page: no clock, no board, no "your move"; what was said, and their own score.
import { also, start, t } from "/static/core/language.js";
import { Station } from "/static/core/station.js";
import { Due } from "/static/player/due.js";
import { Speaker } from "/static/player/speaker.js";
import { ownClock } from "/static/player/own_clock.js";
import { Entering } from "/static/player/entering.js";
import { Score, head } from "/static/core/score.js";
import { claiming } from "/static/player/claiming.js";
import { installed } from "/static/entry/installed.js";
import { seatLanguage } from "/static/player/seat_language.js";

also("player");
await start();
const table = document.getElementById("score");
head(table);
const score = new Score(table);
/** @type {Speaker} */
let speaker;
/** @type {Due} */
let due;
/** @type {Entering} */
let entering;
const station = new Station({
  greeting(greeting) {
    const who = document.getElementById("who");
    delete who.dataset.t;
    who.textContent = `${t(greeting.seat ?? "")} – ${t("title.tactile")}`;
    score.set(greeting.own_score);
    speaker.seat(greeting.sound);
    speaker.greeted(greeting);
    entering.greet(greeting);
  },
  message(message, live) {
    if (message.type === "score_line") score.put(message.index, message.text);
    else speaker.message(message, live);
    due.message(message, live);
    if (message.type === "guidelines_shown") entering.finish(message);
  },
  sound: (ready) => speaker.sound(ready),
  level: (said) => speaker.level(said),
  hush: (said) => speaker.hush(said),
  there: () => speaker?.there(),
  sealed: (said) => speaker.sealed(said),
  rehearsal: (said) => speaker.rehearsal(said),
  refused: (text) => speaker.refused(text),
});
due = new Due(station);
speaker = new Speaker(station);
claiming(station);
seatLanguage(station);
installed();
entering = new Entering(station, speaker);
ownClock(station);
document.getElementById("field").focus();
