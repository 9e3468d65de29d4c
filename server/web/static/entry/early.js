// A form that is sent before the script of its page is there waits for it: the script then finds what it said.
addEventListener("submit", (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  form.dataset.early = String(new FormData(form).get("code"));
});
