// What the record names by a code, in words: a reason that the program gave, and the kind of an alert.
import { has, t } from "/static/core/language.js";

// "draw_agreed"; a reason that a person wrote stays as it was written.
/** @param {string} reason */
export function why(reason) {
  const key = `why.${reason.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "")}`;
  return has(key) ? t(key) : reason;
}

// A half-move as people number moves: "2 (White)".
/** @param {number} ply */
export const moveNumber = (ply) => `${Math.ceil(ply / 2)} (${t(ply % 2 ? "white" : "black")})`;

/** @param {string} kind */
export const alertName = (kind) => (has(`alert.${kind}`) ? t(`alert.${kind}`) : kind.replaceAll("_", " "));
