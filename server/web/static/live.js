// Two live regions, no more. A new child each time, so that the same words are read again.
function region(role, politeness) {
  const element = document.createElement("div");
  element.className = "unseen";
  element.setAttribute("role", role);
  element.setAttribute("aria-live", politeness);
  document.body.append(element);
  return element;
}
const polite = region("status", "polite");
const urgent = region("alert", "assertive");

function put(element, text) {
  element.replaceChildren();
  setTimeout(() => {
    const line = document.createElement("p");
    line.textContent = text;
    element.append(line);
    while (element.childElementCount > 3) element.firstElementChild.remove();
  }, 40);
}
export const say = (text) => put(polite, text);
export const warn = (text) => put(urgent, text);
