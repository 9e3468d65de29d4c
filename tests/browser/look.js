// Put into every page that the walk looks at (walk.py).

// What live regions have told since the last look: [place, text, its language].
const told = [];
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    const region = (target.nodeType === 1 ? target : target.parentElement)?.closest("[aria-live]");
    if (!region) continue;
    const added = addedNodes.length ? [...addedNodes] : [target];
    for (const one of added) {
      const near = one.nodeType === 1 ? one : one.parentElement ?? target;
      const german = [...(one.querySelectorAll?.("[lang]") ?? [])];
      const text = german.reduce((all, part) => all.replace(part.textContent, " "), one.textContent);
      if (text.trim()) told.push([`live ${region.id}`, text.trim(), near.closest("[lang]")?.lang || document.documentElement.lang]);
    }
  }
}).observe(document, { childList: true, characterData: true, subtree: true });

// What an earlier look of this page gave: to read it again would find the same.
const given = new Set();

// What is wrong on a page as it stands, or in a part of it, and all that is read or heard of it: how many texts, and those
// that no look of before gave: [place, text, its language].
window.look = (within) => {
  const root = within ? document.querySelector(within) : document.documentElement;
  const page = document.documentElement.lang;
  const texts = told.splice(0), cut = [];
  const place = (node) => {
    const near = node.closest("[id]")?.id;
    return node.tagName.toLowerCase() + (node.id ? `#${node.id}` : near ? ` in #${near}` : "");
  };
  const tagOf = (node) => node.closest("[lang]")?.lang || page;
  const said = ["aria-label", "title", "placeholder", "aria-valuetext", "aria-description", "alt"];
  // What is there for the ear alone is cut off on purpose.
  const heardAlone = new Map();
  const unseen = (node) => {
    if (!node) return false;
    if (!heardAlone.has(node)) heardAlone.set(node, getComputedStyle(node).clipPath === "inset(50%)" || unseen(node.parentElement));
    return heardAlone.get(node);
  };
  const seen = (node) => node.checkVisibility() && !node.closest(".unseen, .skip, svg") && !unseen(node);
  const wide = innerWidth;
  // At the width of a phone in the hand words are whole; narrower, a long one may be broken, but nothing is cut off.
  const whole = wide > 320;
  const BOXES = "button, .button, summary, legend, th, td, label, h1, h2, h3, h4, .digits, dialog";
  if (document.documentElement.scrollWidth > wide) cut.push([document.body.dataset.page ?? "", `the page is ${document.documentElement.scrollWidth} wide`]);
  if (root === document.documentElement) texts.push(["title", document.title, page]);
  const range = document.createRange();
  for (const node of root.querySelectorAll("*")) {
    if (["SCRIPT", "STYLE", "HEAD", "TITLE"].includes(node.tagName)) continue;
    const own = [...node.childNodes].filter((one) => one.nodeType === 3 && one.data.trim());
    for (const name of said) if (node.getAttribute(name)?.trim()) texts.push([`${place(node)} ${name}`, node.getAttribute(name), tagOf(node)]);
    if (own.length && node.id !== "language") texts.push([place(node), own.map((one) => one.data).join(" ").trim(), tagOf(node)]);
    if (!seen(node) || ["OPTION", "SELECT", "OPTGROUP"].includes(node.tagName)) continue;
    const style = getComputedStyle(node), box = node.getBoundingClientRect();
    const words = () => node.textContent.trim().slice(0, 60);
    if (["hidden", "clip"].includes(style.overflowX) && node.scrollWidth > node.clientWidth + 1 && words()) cut.push([place(node), `cut off: ${words()}`]);
    if (["hidden", "clip"].includes(style.overflowY) && node.scrollHeight > node.clientHeight + 1 && words()) cut.push([place(node), `cut off below: ${words()}`]);
    if (box.width && (box.right > wide + 1 || box.left < -1) && words() && !node.closest(".scroll")) cut.push([place(node), `beyond the edge: ${words()}`]);
    if (node.matches(BOXES) && words() && !node.closest(".board")) {
      const frame = (node.closest(".clock .line") ? node.closest(".clock") : node).getBoundingClientRect();
      const within = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      for (let text = within.nextNode(); text; text = within.nextNode()) {
        if (!text.data.trim() || unseen(text.parentElement)) continue;
        range.selectNodeContents(text);
        const inner = range.getBoundingClientRect();
        const over = Math.max(inner.right - frame.right, frame.left - inner.left, inner.bottom - frame.bottom, frame.top - inner.top);
        if (inner.width && over > 2) cut.push([place(node), `out of its box by ${Math.round(over)} px: ${text.data.trim().slice(0, 60)}`]);
      }
    }
    const pencil = node.placeholder ? getComputedStyle(node, "::placeholder") : style;
    const shown = node.tagName === "INPUT" && (node.placeholder || (node.type === "button" && node.value));
    if (shown && pencil.color !== "rgba(0, 0, 0, 0)") {
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = pencil.font;
      const room = node.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const needed = pen.measureText(shown).width;
      if (needed > room + 1) cut.push([place(node), `no room for ${shown}: ${Math.round(needed)} of ${Math.round(room)} px`]);
    }
    // A word is never broken where it has no hyphen: what does not fit goes to the next line whole.
    for (const text of whole ? own : []) {
      range.selectNodeContents(text);
      if (range.getClientRects().length < 2) continue;
      for (const found of text.data.matchAll(/(?<![\p{L}\p{N}/])[\p{L}\p{M}]{2,}(?![\p{N}/])/gu)) {
        range.setStart(text, found.index);
        range.setEnd(text, found.index + found[0].length);
        const lines = new Set([...range.getClientRects()].map((one) => Math.round(one.top / 6)));
        if (lines.size > 1) cut.push([place(node), `the word is broken: ${found[0]}`]);
      }
    }
  }
  const fresh = texts.filter((one) => {
    const as_one = one.join("\n");
    return !given.has(as_one) && given.add(as_one);
  });
  return { seen: texts.length, texts: fresh, cut };
};

// Every question that a button of the page asks before it acts, and what is asked in other ways; all answered by the last.
window.lookAtDialogs = async () => {
  const { promoted, seen } = await import("/static/core/asking.js");
  const { drawing } = await import("/static/core/board.js");
  const { t } = await import("/static/core/language.js");
  const found = [];
  const asked = () => {
    const box = document.querySelector("dialog");
    found.push(window.look("dialog"));
    box.querySelector("button:last-child").click();
  };
  for (const button of document.querySelectorAll("[data-sure]")) { button.click(); asked(); }
  promoted("white", drawing); asked();
  seen(t("draw_offer_came")); asked();
  return found;
};

// Every act of the arbiter is chosen once, so that its form shows.
window.lookAtActs = () => [...document.querySelectorAll("#act option")].map((option) => {
  const list = document.getElementById("act");
  list.value = option.value;
  list.dispatchEvent(new Event("change"));
  return window.look("#acts");
});
