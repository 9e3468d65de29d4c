// The station as something that is installed on a telephone: its name there, and the worker that opens it without a network
// (`entry/worker.js`). Both need https, or the server's own computer; elsewhere the page is what it was.
import { language } from "/static/core/language.js";

const LATER_MS = 3000; // after the first load, so that nothing waits for it
const version = document.querySelector("meta[name=version]")?.getAttribute("content");
/** @type {ServiceWorkerRegistration | undefined} */
let registration;
let begun = false;

function name() {
  const asked = new URLSearchParams(location.search);
  asked.set("page", document.body.dataset.page ?? "");
  asked.set("language", language);
  let link = document.querySelector("link[rel=manifest]");
  if (!link) {
    link = document.createElement("link");
    link.setAttribute("rel", "manifest");
    document.head.append(link);
  }
  link.setAttribute("href", `/station.webmanifest?${asked}`);
}

async function tellLanguage() {
  const ready = await navigator.serviceWorker?.ready;
  ready?.active?.postMessage({ language });
}

// A page of another version loads itself anew, but nobody's word or question is cut off.
/** @param {string} now */
function renew(now) {
  if (!version || now === version) return;
  if (document.querySelector("dialog[open], #talk[aria-pressed=true]")) setTimeout(() => renew(now), 1000);
  else location.reload();
}

async function greeted() {
  name();
  if (!navigator.serviceWorker) return;
  // The server is there again, perhaps a newer one; and the words that were not kept before it went can be kept now.
  if (begun && registration) tellLanguage();
  if (begun) return void registration?.update().catch(() => {});
  begun = true;
  navigator.serviceWorker.addEventListener("message", ({ data }) => { if (data.version) renew(data.version); });
  await new Promise((done) => setTimeout(done, LATER_MS));
  // Refused where the certificate is not trusted, or where storage is switched off.
  registration = await navigator.serviceWorker.register("/service-worker.js", { updateViaCache: "none" }).catch(() => undefined);
  if (registration) tellLanguage();
}

export function installed() {
  document.addEventListener("greeted", greeted);
  document.addEventListener("language", () => { name(); if (registration) tellLanguage(); });
}
