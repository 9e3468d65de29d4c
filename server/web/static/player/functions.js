// All that a tactile player may do, each under a number: by it digits, six keys and a keypad reach it, and in this order
// two keys step through it. `name`: its words. `body`: the command; `page`: something of this page. `argument`: what may
// follow the number (`move`, `article`, `square`, `file`, `rank`, `piece`), and `field` of the body that takes it.
// `where`: only in a quickplay finish (Guidelines III), or only in one that an arbiter is there for.
/** @type {Doing[]} */
export const FUNCTIONS = [
  { code: 1, name: "ask_time", group: "asking", body: { do: "ask", what: "time" } },
  { code: 2, name: "ask_opponent_time", group: "asking", body: { do: "ask", what: "opponent_time" } },
  { code: 3, name: "ask_moves", group: "asking", body: { do: "ask", what: "moves" } },
  { code: 4, name: "ask_clock", group: "asking", body: { do: "ask", what: "clock" } },
  { code: 5, name: "ask_last", group: "asking", body: { do: "ask", what: "last" } },
  { code: 6, name: "ask_score", group: "asking", body: { do: "ask", what: "score" } },
  { code: 7, name: "ask_score_move", group: "asking", body: { do: "ask", what: "score" }, argument: "move", field: "move" },
  { code: 29, name: "ask_score_next", group: "asking", body: { do: "ask", what: "score_next" } },
  { code: 30, name: "ask_score_previous", group: "asking", body: { do: "ask", what: "score_previous" } },
  { code: 43, name: "last_article", group: "asking", body: { do: "ask", what: "article" } },
  { code: 8, name: "ask_position", group: "asking", body: { do: "ask", what: "position" } },
  { code: 61, name: "ask_set_up", group: "asking", body: { do: "ask", what: "set_up" } },
  { code: 62, name: "ask_pairing", group: "asking", body: { do: "ask", what: "pairing" } },
  { code: 9, name: "law.ask", group: "asking", body: { do: "ask_law" }, argument: "article", field: "article" },
  { code: 10, name: "press", page: "press" },
  { code: 11, name: "again", group: "ear", page: "again" },
  { code: 12, name: "silence", group: "ear", page: "silence" },
  { code: 63, name: "next_piece", group: "ear", page: "next" },
  { code: 64, name: "previous_piece", group: "ear", page: "previous" },
  { code: 13, name: "talk", group: "ear", page: "talk" },
  { code: 44, name: "turn_read_keys", group: "ear", body: { do: "choose_ear", turn_keys: true } },
  { code: 55, name: "consent.yes", group: "ear", body: { do: "answer_recording", agrees: true } },
  { code: 56, name: "consent.no", group: "ear", body: { do: "answer_recording", agrees: false } },
  { code: 14, name: "yes", body: { do: "confirm", yes: true } },
  { code: 15, name: "no", body: { do: "confirm", yes: false } },
  { code: 16, name: "offer_draw", group: "offers", body: { do: "offer_draw" } },
  { code: 17, name: "accept_draw", group: "offers", body: { do: "propose", what: "draw_accept" } },
  { code: 18, name: "decline_draw", group: "offers", body: { do: "answer_draw", accept: false } },
  { code: 19, name: "claim_time", group: "offers", body: { do: "claim_time" } },
  { code: 20, name: "claim_draw", group: "offers", body: { do: "propose", what: "claim_draw" } },
  { code: 57, name: "claim_increment", group: "offers", where: "finish_arbiter", body: { do: "claim_draw", kind: "increment" } },
  { code: 58, name: "claim_cannot_win", group: "offers", where: "finish", body: { do: "claim_draw", kind: "quickplay", ground: "cannot_win" } },
  { code: 59, name: "claim_no_effort", group: "offers", where: "finish", body: { do: "claim_draw", kind: "quickplay", ground: "no_effort" } },
  { code: 21, name: "call_arbiter", group: "offers", body: { do: "call_arbiter", reason: "" } },
  { code: 22, name: "resign", group: "offers", body: { do: "propose", what: "resign" } },
  { code: 23, name: "adjust", group: "touching", body: { do: "adjust" } },
  { code: 24, name: "about_to_castle", group: "touching", body: { do: "about_to_castle" } },
  { code: 25, name: "stands_here", group: "touching", body: { do: "execute" } },
  { code: 26, name: "clock_by_voice", group: "touching", body: { do: "choose_clock" } },
  { code: 27, name: "clock_as_it_is", group: "touching", body: { do: "choose_clock", stop: true } },
  { code: 45, name: "claim_illegal", group: "arbiter", body: { do: "claim_irregularity", kind: "illegal" } },
  { code: 46, name: "claim_touch", group: "arbiter", body: { do: "claim_irregularity", kind: "touch" } },
  { code: 60, name: "medical", group: "arbiter", body: { do: "call_arbiter", medical: true } },
  { code: 47, name: "ask_for_sheet", group: "arbiter", body: { do: "ask_for_sheet" } },
  { code: 48, name: "return_score", group: "arbiter", body: { do: "return_score" } },
  { code: 49, name: "leaving", group: "arbiter", body: { do: "report_leaving" } },
  { code: 50, name: "come_back", group: "arbiter", body: { do: "report_leaving", back: true } },
  { code: 51, name: "two_boards", group: "arbiter", body: { do: "demand_two_boards" } },
  { code: 52, name: "approve.white", group: "arbiter", body: { do: "approve_result", result: "1-0" } },
  { code: 53, name: "approve.black", group: "arbiter", body: { do: "approve_result", result: "0-1" } },
  { code: 54, name: "approve.drawn", group: "arbiter", body: { do: "approve_result", result: "1/2-1/2" } },
  { code: 31, name: "train.board", group: "training", body: { do: "explore", about: "board" } },
  { code: 32, name: "train.white", group: "training", body: { do: "explore", about: "white" } },
  { code: 33, name: "train.black", group: "training", body: { do: "explore", about: "black" } },
  { code: 34, name: "train.rank", group: "training", body: { do: "explore", about: "rank" }, argument: "rank", field: "rank" },
  { code: 35, name: "train.file", group: "training", body: { do: "explore", about: "file" }, argument: "file", field: "file" },
  { code: 36, name: "train.square", group: "training", body: { do: "explore", about: "square" }, argument: "square", field: "square" },
  { code: 37, name: "train.piece", group: "training", body: { do: "explore", about: "piece" }, argument: "piece", field: "piece" },
  { code: 38, name: "train.rays", group: "training", body: { do: "explore", about: "rays" }, argument: "square", field: "square" },
  { code: 39, name: "train.attackers", group: "training", body: { do: "explore", about: "attackers" }, argument: "square", field: "square" },
  { code: 40, name: "train.captures", group: "training", body: { do: "explore", about: "captures" } },
  { code: 41, name: "train.moves", group: "training", body: { do: "explore", about: "moves" }, argument: "square", field: "square" },
  { code: 42, name: "train.last", group: "training", body: { do: "explore", about: "last" } },
  { code: 28, name: "functions", page: "help" },
];

/** @type {Man[]} */
export const PIECES = ["pawn", "knight", "bishop", "rook", "queen", "king"]; // 1 to 6 on a keypad, by their worth

/** @type {{ [name in Argument]: (text: string) => string | number | null }} */
const KINDS = {
  move: (text) => (/^[1-9]\d{0,2}$/.test(text) ? Number(text) : null),
  article: (text) => (/^(D\.)?\d{1,2}(\.\d{1,2}){1,3}$/i.test(text) ? text.toUpperCase() : null),
  square: (text) => (/^[a-h1-8][1-8]$/i.test(text) ? file(text[0]) + text[1] : null),
  file: (text) => (/^[a-h1-8]$/i.test(text) ? file(text) : null),
  rank: (text) => (/^[1-8]$/.test(text) ? text : null),
  piece: (text) => (/^[1-6]$/.test(text) ? PIECES[Number(text) - 1] : null),
};
/** @param {string} mark */
const file = (mark) => (/\d/.test(mark) ? "abcdefgh"[Number(mark) - 1] : mark.toLowerCase());

// "*7 12" or "*7.12": number seven with its argument; null where the text is no number of a function.
/** @param {string} text @returns {Asked | null} */
export function asked(text) {
  const found = /^[*#](\d{1,2})(?:[\s.,*]+(.*))?$/.exec(text.trim());
  if (!found) return text.trim() === "?" ? { one: FUNCTIONS.find((one) => one.page === "help") } : null;
  const one = FUNCTIONS.find((known) => known.code === Number(found[1]));
  return { one, ...bodyOf(one, (found[2] ?? "").trim().replace(/[\s*,]+/g, ".")) };
}

// The command with its argument; `wrong` where it has none that it needs, or one that is none.
/** @param {Doing | undefined} one @param {string} given @returns {Pick<Asked, "body" | "wrong">} */
export function bodyOf(one, given) {
  if (!one || !one.argument) return { body: /** @type {Command | undefined} */ (one?.body), wrong: !one || given !== "" };
  const value = KINDS[one.argument](given);
  return { body: /** @type {any} */ ({ ...one.body, [one.field ?? ""]: value }), wrong: value === null };
}

// Digits alone: files are 1 to 8, pieces as above. "54" e4, "263" knight f3, "5254" e2 e4, "27163" knight g1 f3; after a
// point what a pawn becomes, "58.5"; "00" and "000" castle.
/** @param {string} digits @returns {Wire.Announcement | null} */
export function saidByDigits(digits) {
  if (digits === "00" || digits === "000") return { castling: digits === "00" ? "short" : "long" };
  const found = /^([1-6])?([1-8][1-8])?([1-8][1-8])(?:[.,]([2-5]))?$/.exec(digits);
  if (!found) return null;
  const [, piece, from, to, becomes] = found;
  /** @type {Wire.Announcement} */
  const said = { to_square: file(to[0]) + to[1] };
  if (piece) said.piece = PIECES[Number(piece) - 1];
  if (from) said.from_square = file(from[0]) + from[1];
  if (becomes) said.promotion = /** @type {Wire.Announcement["promotion"]} */ (PIECES[Number(becomes) - 1]);
  return said;
}
