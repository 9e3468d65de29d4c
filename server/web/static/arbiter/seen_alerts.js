// How many alerts of a table were seen on its own page; kept in this browser, so that all tables at a glance show the rest.
const key = (table) => `anna-eins.alerts.${table}`;

export function seenAt(table) {
  try { return Number(localStorage.getItem(key(table)) ?? 0); } catch { return 0; }
}

export function seen(table, count) {
  try { if (count > seenAt(table)) localStorage.setItem(key(table), String(count)); } catch { /* not kept: all count as new */ }
}
