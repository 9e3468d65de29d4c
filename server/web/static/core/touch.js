// A screen that is touched shows no names of keys, until a keyboard is there: a key that no keyboard on a screen has was pressed.
const coarse = matchMedia("(pointer: coarse)");
let keyed = false;

export const byTouch = () => coarse.matches && !keyed;

function show() {
  document.documentElement.classList.toggle("touch", byTouch());
  document.dispatchEvent(new Event("touch"));
}
coarse.addEventListener("change", show);
addEventListener("keydown", ({ code, ctrlKey }) => {
  if (keyed || !(ctrlKey || /^(F\d|Tab|Escape|Arrow|Control|Alt|Numpad)/.test(code))) return;
  keyed = true;
  show();
}, { capture: true });
show();
