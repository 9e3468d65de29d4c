// How many alerts of a table were seen on its own page; kept in this browser, so that all tables at a glance show the rest.
/** @param {string} table */
const key = (table) => `anna-eins.alerts.${table}`;

/** @param {string} table */
export function seenAt(table) {
  try { return Number(localStorage.getItem(key(table)) ?? 0); } catch { return 0; }
}

/** @param {string} table @param {number} count */
export function seen(table, count) {
  try { if (count > seenAt(table)) localStorage.setItem(key(table), String(count)); } catch { /* not kept: all count as new */ }
}
