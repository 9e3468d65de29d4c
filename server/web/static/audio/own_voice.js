// Getting to know the player's voice, outside the game: they hear and read some forty prompts, then it is learnt.
import { $ } from "/static/core/element.js";
import { t } from "/static/core/language.js";
import { say, warn } from "/static/core/live.js";
import { place } from "/static/core/station.js";
import { confirmed } from "/static/core/asking.js";
import { write } from "/static/core/spoken.js";
import { answerOf } from "/static/core/servers.js";

export class OwnVoice {
  /** @param {Microphone} talk */
  constructor(talk) {
    this.talk = talk;
    this.at = 1; // the prompt that is shown, from 1
    this.loading = 0; // the last that was asked for counts, whichever comes first
    /** @type {{ prompts: string[], read: number[], known: boolean, outside: boolean }} */
    this.known = { prompts: [], read: [], known: false, outside: true };
    $("voice-sheet").addEventListener("toggle", () => { if ($("voice-sheet").open) this.load(); });
    this.load();
    $("prompt-hear").addEventListener("click", () => this.ask({ do: "say", prompt: this.at }));
    $("prompt-read").addEventListener("click", () => this.read());
    $("prompt-next").addEventListener("click", () => this.go(this.at + 1, true));
    $("voice-learn").addEventListener("click", () => this.learn());
    $("voice-leave").addEventListener("click", () => this.change({ do: "leave" }));
    $("voice-forget").addEventListener("click", async () => { if (await confirmed(t("sure.forget_voice"))) this.change({ do: "forget" }); });
    $("voice-use").addEventListener("submit", (event) => { event.preventDefault(); this.change({ do: "use", code: $("voice-code").value.trim() }); });
    document.addEventListener("language", () => this.draw());
  }

  async load() {
    const mine = ++this.loading;
    const { ok, said } = await answerOf(`/api/voice?${place}`);
    if (!ok || mine !== this.loading) return;
    this.known = said;
    const open = this.known.prompts.findIndex((_, number) => !this.known.read.includes(number + 1));
    this.at = Math.max(open, 0) + 1;
    this.draw();
  }

  draw() {
    const { prompts, read, known, outside } = this.known;
    write($("prompt"), prompts.length ? t("own_voice.prompt", { number: this.at, of: prompts.length, words: prompts[this.at - 1] }) : "");
    const parts = [t(known ? "own_voice.known" : "own_voice.unknown"), t("own_voice.count", { count: read.length })];
    $("voice-state").textContent = [...parts, outside ? "" : t("own_voice.in_game")].filter(Boolean).join(" ");
  }

  /** @param {number} number @param {boolean} aloud */
  go(number, aloud) {
    this.at = ((number - 1) % Math.max(this.known.prompts.length, 1)) + 1;
    this.draw();
    if (aloud) say($("prompt").textContent ?? "");
  }

  // One press begins the reading, the next ends it; what was heard of it is said in a word.
  async read() {
    const begins = !this.talk.talking;
    const read = this.at;
    $("prompt-read").setAttribute("aria-pressed", String(begins));
    if (begins) await this.talk.reading(read, (finding) => this.heard(read, finding));
    else await this.talk.turn(false);
    $("prompt-read").setAttribute("aria-pressed", String(this.talk.talking)); // no microphone may have opened
  }

  // Of the prompt that was read, whichever is shown by now.
  /** @param {number} read @param {Wire.LevelFound["finding"]} finding */
  heard(read, finding) {
    const reads = this.talk.talking && this.talk.prompt !== null; // another one, by now: its prompt stays
    $("prompt-read").setAttribute("aria-pressed", String(reads));
    if (finding === "silent" || finding === "clipped") return say(t(`level.${finding}`));
    if (!this.known.read.includes(read)) this.known.read.push(read);
    if (this.at === read && !reads) this.go(read + 1, true);
    else this.draw();
  }

  async learn() {
    say(t("own_voice.learning"));
    const found = await this.change({ do: "learn" });
    if (found) {
      $("voice-code").value = found.words;
      say(t("own_voice.learnt", { words: found.words }));
    }
  }

  /** @param {OfVoice} body */
  async change(body) {
    const found = await this.ask(body);
    if (!found) return null;
    await this.load();
    if (body.do !== "learn") say(t("done"));
    return found;
  }

  /** @param {OfVoice} body */
  async ask(body) {
    const { ok, said } = await answerOf(`/api/voice?${place}`, body);
    if (ok) return said;
    warn(said.text);
    return null;
  }
}
