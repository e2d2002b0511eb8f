/* The page Tonight: only changed parts are replaced, so nothing moves under a finger and the focus is kept.
 * After a lost connection the page shows the time of the last response.
 */

import { hold } from "./held.js";
import { fill } from "./parts.js";
import { digits, isOn, ticking } from "./ticking.js";

const EVERY = 1000; // milliseconds from a response to the next request
const LONGEST = 8000; // a response is given up after this time
const HELD = 400; // milliseconds after a touch until its click has been handled

const root = document.getElementById("tonight");
const say = root.dataset;
const known = new Map(); // the HTML of each part in the last response
let heardAt = new Date();
let failures = 0;
let isHeld = false;
let timer = 0;

function parts(from) {
  return Array.from(from.querySelectorAll("[data-part]"));
}

function stamp() {
  return document.querySelector("[data-stamp]").dataset.stamp;
}

async function look() {
  clearTimeout(timer);
  if (document.hidden) return;
  const stop = new AbortController();
  const clock = setTimeout(function () { stop.abort(); }, LONGEST);
  try {
    const response = await fetch(say.url + "&seen=" + encodeURIComponent(stamp()), {
      credentials: "same-origin",
      headers: { "HX-Request": "true" },
      signal: stop.signal,
    });
    if (!response.ok || response.redirected) throw new Error(response.statusText);
    if (response.status !== 204) await take(await response.text());
    heard(true);
  } catch (error) {
    heard(false);
  }
  clearTimeout(clock);
  timer = setTimeout(look, EVERY * Math.min(1 + failures, 8));
}

/* One failure is ignored, because a request can be aborted while the page is being left. */
function heard(isHeard) {
  failures = isHeard ? 0 : failures + 1;
  if (isHeard) heardAt = new Date();
  const words = document.getElementById("tonight-lost");
  words.hidden = failures < 2;
  if (failures !== 2) return;
  const time = heardAt.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  words.textContent = fill(say.sayLost, { time: time });
}

async function take(text) {
  while (isHeld) await new Promise(function (done) { setTimeout(done, HELD); });
  const made = new DOMParser().parseFromString(text, "text/html");
  const names = parts(made).map(function (part) { return part.id; });
  const here = parts(root).map(function (part) { return part.id; });
  if (names.slice().sort().join() !== here.sort().join()) { // the tables have changed
    location.reload();
    return;
  }
  for (const part of parts(made)) {
    if (known.get(part.id) === part.outerHTML) continue;
    known.set(part.id, part.outerHTML);
    put(document.getElementById(part.id), document.importNode(part, true));
  }
}

function put(old, fresh) {
  const give = hold(old);
  old.replaceWith(fresh);
  give(fresh);
}

for (const part of parts(root)) known.set(part.id, part.outerHTML);
document.addEventListener("pointerdown", function () { isHeld = true; });
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, function () { setTimeout(function () { isHeld = false; }, HELD); });
}
document.addEventListener("visibilitychange", look);
window.addEventListener("online", look);

ticking(JSON.parse(document.getElementById("clock-data").textContent), say.clock, {
  drawn: function (face, seconds) {
    const place = document.getElementById("clock-left");
    const words = isOn(face) ? digits(seconds) : "";
    if (place && words && place.textContent !== words) place.textContent = words;
  },
});
timer = setTimeout(look, EVERY);
