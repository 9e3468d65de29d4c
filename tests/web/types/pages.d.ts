// What no schema tells: what the scripts of a page say to one another, and what they find in its HTML. By hand.

type Seat = Wire.Seat;
type Finding = Wire.LevelFound["finding"];
type Finish = { quickplay: boolean; unsupervised: boolean };
type OfVoice = { do: string; code?: string; prompt?: number };
type Begins = { id: string; begins: boolean };
type NextGame = { table: string; seat?: Seat | null };
type Command = Wire.StationAct;
type Lines = { lines: string[]; instant: number };
/** A message as a page is given it: with the lines of forty cells that are said of it. */
type Told = Wire.AnyMessage & Lines;
type Answer = { ok: boolean };

/** What a page does with what its line brings (`core/station.js`). */
interface Handlers {
  greeting?(greeting: Wire.Greeting, first: boolean): void;
  message?(message: Told, live: boolean, n: number): void;
  /** How its refusal is told, where that is settled when a command is sent. */
  sending?(): Tell;
  refused?(text: string, outcome?: object, tell?: Tell): void;
  sound?(ready: Wire.SoundReady): void;
  level?(said: Wire.LevelFound): void;
  hush?(said: Wire.Hush): void;
  sealed?(said: Wire.SealedWords): void;
  code?(said: Wire.SealCode): void;
  rehearsal?(said: Wire.RehearsalShown): void;
  there?(): void;
}

/** Tells the person at the page; `grave`: at once, whatever is being read. */
type Tell = (text: string, grave?: boolean) => void;
/** What an answer that is still to come is told with, where it was asked for. */
type Telling = () => Tell;
/** Gives a command, after a question where it needs one; whether it was carried out. */
type Act = (body: Command, sure?: string | (() => string), tell?: Tell) => Promise<boolean>;

/** What is due from a player now, and how they answer (`player/due.js`). */
type DueAnswer = { label: string; body?: Command; typed?: string; go?: string; run?: () => void; sure?: string };
type DueShown = { text: string; answers: DueAnswer[]; said?: boolean };

type Pending = { payload: string; said: Sent; at: number; resolve: (outcome: Answer) => void; tell?: Tell; unread?: boolean };
/** What a page asks of the server, before it has an identity. */
type Sent = { kind: "do"; body: Command; about_ply?: number } | { kind: "typed" | "cells"; body?: undefined; text?: string; cells?: string; act?: string; seat?: Seat; capitals?: boolean };

type Station = import("/static/core/station.js").Station;
type Speaker = import("/static/player/speaker.js").Speaker;
type Score = import("/static/core/score.js").Score;
type Microphone = import("/static/audio/talk.js").Talk;

/** What an HTTP address answered: no schema tells what is in it. */
type Http = any;

/** The fields that some member of a union has: of an event of which a page shows whatever it knows. */
type Fields<Union> = {
  [Name in Union extends unknown ? keyof Union : never]?: Union extends unknown ? (Name extends keyof Union ? Union[Name] : never) : never;
};
/** An event as the record of the arbiter's page holds it, with what the program says in it in other languages. */
type Kept = Fields<Wire.AnyEvent> & { event: string; at: number; wall?: number; told?: { [language: string]: string } | null; man?: Man };
type RecordedHere = Omit<Wire.Recorded, "event"> & { event: Wire.AnyEvent & Pick<Kept, "told" | "man" | "wall"> };

type Man = "king" | "queen" | "rook" | "bishop" | "knight" | "pawn";
type Drawing = (colour: Seat, name: Man) => SVGElement;
type Make = <Name extends keyof HTMLElementTagNameMap>(tag: Name, values?: Partial<HTMLElementTagNameMap[Name]>) => HTMLElementTagNameMap[Name];
type Squares = { [name: string]: { colour: Seat; name: Man } };
type Moved = (uci: string, colour: Seat) => void;
/** What a dialog offers. */
type Choice<Value> = { value: Value; label: string; content?: Node };
type Held = Wire.HeldTimes & { wall: number };
/** The parts of one clock on the page. */
type Face = { [part in "face" | "who" | "runs" | "large" | "small" | "words" | "flag"]: HTMLElement };
type ClockFaces = Pick<Wire.ClockShown, "white_ms" | "black_ms" | "running" | "first_flag" | "age_ms">;

/** A form of the arbiter's page (`server/game/acts/forms.py`). */
type FormSettings = { [name: string]: any };
type FormField = [name: string, sort: string, settings?: FormSettings];
type Form = { do: string; group: string; article: string; fields: FormField[]; after?: boolean; sure?: { [name: string]: unknown[] } };
type Field = HTMLInputElement | HTMLSelectElement;

/** A copy of the record in this browser (`arbiter/copy.js`). */
type Copy = { id: string; pieces: Wire.Piece[]; until?: Wire.CopySeal; words?: string; squares?: string[] };

type EarReport = (did: Wire.AtEar["did"], id?: string) => void;
type Sounding = { id: string; n: number; what: Wire.SoundReady["what"]; source: AudioBufferSourceNode | null; stopped?: boolean };

/** A command of which an argument is still to come. */
type Begun = Command extends infer One ? (One extends { do: string } ? Pick<One, "do"> & Partial<One> : never) : never;
type Doing = { code: number; name: string; group?: Group; where?: string; body?: Begun; page?: string; argument?: Argument; field?: string };
type Group = "asking" | "offers" | "touching" | "arbiter" | "ear" | "training";
type Argument = "move" | "article" | "square" | "file" | "rank" | "piece";
type Asked = { one?: Doing; body?: Command; wrong?: boolean };
type Item = { label: () => string; open?: () => void; act?: () => void };

/** A row of all tables at a glance (`entry/tables.js`). */
type Row = { element: HTMLTableRowElement; link: HTMLElement; cells: any; line: Http };

interface DocumentEventMap {
  greeted: CustomEvent<Wire.Greeting>;
  told: CustomEvent<{ message: Told; lines: string[]; live: boolean; together: boolean }>;
  answered: CustomEvent<{ said: Sent; ok: boolean }>;
  "record-copy": CustomEvent<Wire.CopyBegins | Wire.CopyPiece | Wire.CopySeal>;
  lines: CustomEvent<Wire.LinesSeen>;
  language: CustomEvent<{ chosen: boolean }>;
  "to-server": CustomEvent<Wire.Incoming>;
  "page-says": CustomEvent<{ text: string; key: boolean }>;
  "own-voice": CustomEvent<{ id: string; begins: boolean }>;
  lapsed: Event;
  "line-lost": CustomEvent<null>;
  "device-gone": CustomEvent<"sound" | "microphone">;
  "microphone-open": Event;
  touch: Event;
  held: CustomEvent<Wire.HeldTimes | null>;
}

// By an id that some page has (`made.d.ts`), and by those that the scripts make.
interface Document {
  getElementById<Id extends keyof PageElements>(id: Id): PageElements[Id];
  getElementById(id: `desk-${Seat}-${number}`): HTMLInputElement;
  getElementById(id: `desk-${Seat}-${number}-${"read" | "listen"}`): HTMLElement;
}
interface ParentNode {
  querySelector<Name extends keyof HTMLElementTagNameMap>(selectors: Name): HTMLElementTagNameMap[Name] | null;
  querySelector(selectors: string): HTMLElement | null;
  querySelectorAll<Name extends keyof HTMLElementTagNameMap>(selectors: Name): NodeListOf<HTMLElementTagNameMap[Name]>;
  querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
}
interface Element {
  /** Writes what it shows anew, in the language of the page. */
  write?(): void;
  closest<Name extends keyof HTMLElementTagNameMap>(selectors: Name): HTMLElementTagNameMap[Name] | null;
  closest(selectors: string): HTMLElement | null;
}

// What a worklet finds beside the usual (`audio/talk-worklet.js`).
declare const sampleRate: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: typeof AudioWorkletProcessor): void;
