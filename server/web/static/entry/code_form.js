// The form of the code while the script of its page (`entry/index.js`) is on its way: a code that is sent is kept for it.
addEventListener("submit", (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  form.dataset.early = String(new FormData(form).get("code"));
});
