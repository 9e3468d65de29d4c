// The form of the seat cards is sent by script: a browser says of no form itself which page it comes from, since our pages
// send no referrer, and the server takes nothing from a page that it does not know.

// `told` is given what the server answers, or "" where it does not, and the button that was pressed; `sure` says whether
// what a button does is meant.
/** @param {HTMLFormElement} form @param {(text: string, button: HTMLButtonElement) => void} told @param {(button: HTMLButtonElement) => Promise<boolean>} [sure] */
export function sending(form, told, sure) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = /** @type {HTMLButtonElement} */ (event.submitter);
    if (sure && !(await sure(button))) return;
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    body.set(button.name, button.value);
    try {
      const answer = await fetch(form.action, { method: "POST", body });
      if (answer.ok) location.assign(answer.url); // the way to the page of the cards
      else told(await answer.text(), button);
    } catch {
      told("", button);
    }
  });
}
