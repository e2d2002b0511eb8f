/* Players' pages that were opened before remain readable without a connection.
 *
 * The network always comes first. A saved copy is only shown if no response arrives, and the page shows when
 * the copy was saved. Table pages, directors' pages, secret links and live screens do not match KEPT or match
 * SKIPPED; their requests are not handled.
 */
"use strict";

const PAGES = "overplay-pages-1";
const FILES = "overplay-files-1";
const MAX_PAGES = 60;
const MAX_FILES = 200;
const MAX_AGE = 14 * 24 * 60 * 60 * 1000; // milliseconds
const SAVED = "X-Overplay-Saved"; // the header of a saved copy with its time
const KEPT = /^\/($|(clubs|drives|events|laws|learn|old-results|players|plays|rubbers|worked-hands)\/)/;
const SKIPPED = /\/(calendar|clock|grade|screen)\//;
const FILE_PATHS = /^\/(static|logos)\//;

function isKept(url) {
  return url.origin === location.origin && KEPT.test(url.pathname) && !SKIPPED.test(url.pathname);
}

function isFile(url) {
  return url.origin === location.origin && FILE_PATHS.test(url.pathname);
}

/* Files of other pages are not handled; fonts are requested by the style sheet. */
function isForKeptPage(request) {
  if (!request.referrer) return false;
  const from = new URL(request.referrer);
  return isKept(from) || isFile(from);
}

async function limit(cache, most) {
  const requests = await cache.keys(); // oldest first
  await Promise.all(requests.slice(0, Math.max(0, requests.length - most)).map((each) => cache.delete(each)));
}

async function savePage(address, response) {
  const cache = await caches.open(PAGES);
  if ([403, 404, 410].includes(response.status)) await cache.delete(address, { ignoreVary: true });
  const type = response.headers.get("Content-Type") || "";
  const rules = response.headers.get("Cache-Control") || "";
  if (response.status !== 200 || !type.startsWith("text/html") || /no-store|private/.test(rules)) return;
  const headers = new Headers(response.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Vary"]) headers.delete(name);
  headers.set(SAVED, new Date().toISOString());
  const copy = new Response(await response.text(), { headers: headers });
  await cache.delete(address, { ignoreVary: true }); // keeps the newest copy last
  await cache.put(address, copy);
  await limit(cache, MAX_PAGES);
}

async function saveFile(address, response) {
  const cache = await caches.open(FILES);
  if (response.status !== 200 || (await cache.match(address, { ignoreVary: true }))) return;
  await cache.put(address, response);
  await limit(cache, MAX_FILES);
}

/* Return the saved copy with its time, which offline.js shows. */
async function readPage(address) {
  const cache = await caches.open(PAGES);
  const copy = await cache.match(address, { ignoreVary: true });
  if (!copy) return undefined;
  const saved = copy.headers.get(SAVED);
  if (Date.now() - Date.parse(saved) > MAX_AGE) {
    await cache.delete(address);
    return undefined;
  }
  const text = (await copy.text()).replace("<html ", '<html data-saved="' + saved + '" ');
  return new Response(text, { headers: copy.headers });
}

async function answerPage(event) {
  const address = event.request.url;
  try {
    const response = await fetch(event.request);
    event.waitUntil(savePage(address, response.clone()));
    return response;
  } catch (error) {
    const copy = await readPage(address);
    if (copy) return copy;
    throw error; // the browser shows its own error page
  }
}

async function answerFile(event) {
  const address = event.request.url;
  try {
    const response = await fetch(event.request);
    event.waitUntil(saveFile(address, response.clone()));
    return response;
  } catch (error) {
    const copy = await (await caches.open(FILES)).match(address, { ignoreVary: true });
    if (copy) return copy;
    throw error;
  }
}

async function save(address) {
  const url = new URL(address);
  if (isKept(url)) await savePage(url.href, await fetch(url));
  else if (isFile(url)) await saveFile(url.href, await fetch(url));
}

self.addEventListener("fetch", function (event) {
  const request = event.request;
  const url = new URL(request.url);
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    if (isKept(url)) event.respondWith(answerPage(event));
  } else if (isFile(url) && isForKeptPage(request)) {
    event.respondWith(answerFile(event));
  }
});

/* Save the first page, which was loaded before this worker ran. */
self.addEventListener("message", function (event) {
  event.waitUntil(Promise.allSettled(event.data.map(save)));
});

self.addEventListener("activate", function (event) {
  event.waitUntil(
    caches.keys().then(function (names) {
      const old = names.filter((name) => name.startsWith("overplay-") && name !== PAGES && name !== FILES);
      return Promise.all(old.map((name) => caches.delete(name)));
    }).then(() => self.clients.claim()),
  );
});
