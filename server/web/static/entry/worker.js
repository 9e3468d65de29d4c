// The service worker of the players' stations: their pages open without a network too, and say there that the server does
// not answer. It keeps files that are the same for everyone and nothing else: no answer of /api, no code, no sound, no
// evidence. The server answers first, always; what is kept stands in only where it does not.
const worker = /** @type {any} */ (self);
const { version, files } = /** @type {{ version: string, files: string[] }} */ (worker.station);
const PREFIX = "anna-eins-";
const CACHE = PREFIX + version; // another version has other files: they are never mixed
const WORDS = /^\/static\/words\/(player-)?[a-z]{2,3}\.json$/; // of the languages that this device has asked for
const PATIENCE_MS = 3000;
/** @type {Set<string>} */
const opened = new Set(); // the pages that came out of the cache: what belongs to them does too

async function keep() {
  const cache = await caches.open(CACHE);
  const words = (await Promise.all((await caches.keys()).filter((name) => name.startsWith(PREFIX)).map(async (name) => (await (await caches.open(name)).keys()).map((one) => new URL(one.url).pathname)))).flat().filter((path) => WORDS.test(path));
  await cache.addAll([...new Set([...files, ...words])].map((path) => new Request(path, { cache: "no-cache", credentials: "omit" })));
  await worker.skipWaiting();
}

// What an older version kept goes; its pages are told, and load themselves anew.
async function takeOver() {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  await worker.clients.claim();
  for (const client of await worker.clients.matchAll()) client.postMessage({ version });
}

/** @param {string} path */
const kept = async (path) => (await caches.open(CACHE)).match(path);

// A page is waited for some seconds, where an older one is here; all else as long as it takes.
/** @param {Request} request @param {string} path @param {string} client */
async function answer(request, path, client) {
  const page = request.mode === "navigate";
  if (!page && opened.has(client)) {
    const found = await kept(path);
    if (found) return found;
  }
  const asked = fetch(request).then((got) => { if (got.status >= 500) throw new Error(String(got.status)); return got; });
  asked.catch(() => {}); // where it comes too late nobody waits for it
  const late = new Promise((_, refuse) => { if (page) setTimeout(refuse, PATIENCE_MS); });
  try {
    return await Promise.race([asked, late]);
  } catch {
    const found = await kept(path);
    if (page && found) opened.add(client);
    return found ?? asked;
  }
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keep()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(takeOver()));
worker.addEventListener("message", (/** @type {any} */ event) => {
  const paths = ["", "player-"].map((part) => `/static/words/${part}${event.data.language}.json`).filter((path) => WORDS.test(path));
  event.waitUntil(Promise.all(paths.map(async (path) => (await kept(path)) ?? (await caches.open(CACHE)).add(path))));
});
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request, clientId, resultingClientId } = event;
  const { origin, pathname } = new URL(request.url);
  const ours = request.method === "GET" && origin === location.origin && (files.includes(pathname) || WORDS.test(pathname));
  if (ours) event.respondWith(answer(request, pathname, resultingClientId || clientId));
});
