// What was recorded before this device of the arbiter came: fetched page by page, the newest first, so much as is shown.
const PAGES = 5;

export async function earlier(place, put) {
  let before = "";
  for (let page = 0; page < PAGES; page += 1) {
    const answer = await fetch(`/api/record?${place}${before}`);
    if (!answer.ok) return;
    const found = await answer.json();
    for (const event of found.events) put(event);
    if (!found.before) return;
    before = `&before=${found.before}`;
  }
}
