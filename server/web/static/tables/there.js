// The arbiter goes to a table that another server of the hall leads.
/** @param {string} table @param {(text: string) => void} refused */
export async function goThere(table, refused) {
  const answer = await fetch("/api/elsewhere", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ table }) }).catch(() => null);
  const said = await answer?.json().catch(() => null);
  if (answer?.ok && said) location.assign(said.page);
  else refused(said?.text ?? "");
}
