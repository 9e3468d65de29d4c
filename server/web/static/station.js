// A station's line to its table: hello, numbered messages, commands with an identity of their own. A command whose
// answer was lost with the connection is sent again under the same id, and gets the same answer.
import { language, t } from "/static/language.js";
import { warn, say } from "/static/live.js";

const query = new URLSearchParams(location.search);
query.set("page", document.body.dataset.page);
export const place = query.toString();

function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

export class Station {
  constructor(on) {
    this.on = on;
    this.last = 0;
    this.known = null; // what the first greeting counted: older messages are history, not news
    this.pending = new Map();
    this.wait = 250;
    this.state = document.querySelector("header .state");
    // Refusals come in the language of the page.
    document.addEventListener("language", () => { if (this.known !== null) this.hello(); });
    this.open();
  }

  open() {
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws?${place}`);
    this.socket = socket;
    socket.onopen = () => this.hello();
    socket.onmessage = (event) => this.take(JSON.parse(event.data));
    socket.onclose = (event) => this.lost(event);
  }

  hello() {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ kind: "hello", after: this.last, language }));
  }

  take(said) {
    switch (said.kind) {
      case "greeting": {
        const first = this.known === null;
        if (first) this.known = said.n;
        if (this.down) say(t("connected"));
        this.down = false;
        this.wait = 250;
        this.show("connected", false);
        this.on.greeting?.(said.greeting, first);
        tell("greeted", said.greeting);
        this.on.there?.();
        for (const { payload } of this.pending.values()) this.socket.send(payload);
        break;
      }
      case "message":
        if (said.n <= this.last) break;
        this.last = said.n;
        this.on.message?.({ ...said.message, lines: said.lines ?? [] }, said.n > this.known, said.n);
        tell("told", { message: said.message, lines: said.lines ?? [], live: said.n > this.known });
        break;
      case "outcome": {
        const waiting = this.pending.get(said.outcome.id);
        this.pending.delete(said.outcome.id);
        if (!said.outcome.ok) this.on.refused?.(said.text, said.outcome);
        waiting?.resolve(said.outcome);
        break;
      }
      case "sound":
        this.on.sound?.(said);
        break;
      case "level":
        this.on.level?.(said);
        break;
      case "hush":
        this.on.hush?.(said);
        break;
      case "sealed_words":
        this.on.sealed?.(said);
        tell("told", { message: {}, lines: said.lines ?? [], live: true });
        break;
      case "seal_code":
        this.on.code?.(said);
        break;
      case "wrong":
        this.on.refused?.(said.text, {});
        break;
    }
  }

  lost(event) {
    if (event.code === 4401) {
      location.replace("/#left");
      return;
    }
    if (!this.down) warn(t("lost"));
    this.down = true;
    this.show("lost", true);
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 1.6, 4000);
  }

  show(key, lost) {
    if (!this.state) return;
    this.state.dataset.t = key;
    this.state.textContent = t(key);
    this.state.classList.toggle("lost", lost);
  }

  send(message) {
    const id = newId();
    const payload = JSON.stringify({ ...message, id });
    return new Promise((resolve) => {
      this.pending.set(id, { payload, resolve });
      if (this.socket.readyState === WebSocket.OPEN && this.known !== null) this.socket.send(payload);
    });
  }

  do(body, about_ply) {
    return this.send(about_ply ? { kind: "do", body, about_ply } : { kind: "do", body });
  }

  // What happens at this ear: told as it happens, and worth nothing later.
  ear(did, id) {
    if (this.socket.readyState === WebSocket.OPEN && this.known !== null) this.socket.send(JSON.stringify({ kind: "ear", did, id }));
  }

  // Braille cells as the fingers made them; the server reads them in the player's own codes.
  cells(text) {
    return this.send({ kind: "cells", cells: text.replaceAll(" ", "\u2800") });
  }

  type(text, act = "auto") {
    return this.send({ kind: "typed", text, act });
  }
}
