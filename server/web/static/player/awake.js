// While a clock runs the screen of this station stays awake, where the browser can: a telephone that falls asleep hears
// nothing and shows nothing. A page that was out of sight has lost the lock and asks again; clocks that stop give it back.
const screen = /** @type {any} */ (navigator).wakeLock;
/** @type {any} */
let lock = null;
let running = false;
let asking = false;
let turned = false; // while it was asked for

async function look() {
  turned = true;
  const wanted = running && document.visibilityState === "visible";
  if (wanted && !lock && !asking && screen) {
    asking = true;
    turned = false;
    const got = await screen.request("screen").catch(() => null); // refused, as where the battery is low
    asking = false;
    if (!got && turned) look(); // out of sight it is refused
    if (!got) return;
    got.addEventListener("release", () => { if (lock === got) lock = null; });
    lock = got;
    look(); // what was wanted may have changed meanwhile
  } else if (!wanted && lock) {
    const gone = lock;
    lock = null;
    gone.release();
  }
}

export function staysAwake() {
  // Every beat tells whose time runs. Without a server nothing is told: what held last holds on.
  document.addEventListener("held", ({ detail }) => {
    const runs = Boolean(detail?.running);
    if (runs === running) return;
    running = runs;
    look();
  });
  document.addEventListener("visibilitychange", look);
}
