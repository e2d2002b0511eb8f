/* Starts the service worker where the browser allows one (https, or this computer), and shows the time
 * of a saved copy.
 */
(function () {
  "use strict";

  const CHECK = 10000; // milliseconds between two attempts to reach the page itself
  const notice = document.getElementById("saved-copy");
  const saved = document.documentElement.dataset.saved;
  if (saved && notice) {
    const form = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
    const lang = document.documentElement.lang;
    const time = new Date(saved).toLocaleString(lang === "en" ? "en-GB" : lang, form);
    notice.querySelector("span").textContent = notice.dataset.words.replace("#", time);
    notice.hidden = false;
    // The service worker does not handle HEAD requests, so a response is the server's.
    setInterval(function () {
      fetch(location.href, { method: "HEAD", cache: "no-store" })
        .then(function () { location.reload(); })
        .catch(function () { /* still no connection */ });
    }, CHECK);
  }

  async function start() {
    const workers = navigator.serviceWorker;
    const isFirst = !workers.controller;
    try {
      await workers.register("/service-worker.js");
      if (!isFirst) return;
      const active = (await workers.ready).active;
      const files = performance.getEntriesByType("resource").map((each) => each.name);
      active.postMessage([location.href].concat(files.filter((each) => each.startsWith(location.origin))));
    } catch (error) {
      // without a worker the pages need a connection
    }
  }

  if (window.isSecureContext && "serviceWorker" in navigator) addEventListener("load", start);
})();
