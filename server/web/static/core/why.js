// A reason that the program gave, by its code ("draw_agreed"), in words; one that a person wrote stays as it was written.
import { has, t } from "/static/core/language.js";

/** @param {string} reason */
export function why(reason) {
  const key = `why.${reason.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "")}`;
  return has(key) ? t(key) : reason;
}
