/* Parts of a page that poll: they keep their scroll position and show when the connection is lost.
 *
 * Tables inside a replaced part are identified by their caption. Standings are requested about a second after
 * the last response, with a random delay so that not all phones request them at the same moment. Slow responses
 * make the interval longer, which gives entries priority, and a hidden page does not poll.
 */
(function () {
  "use strict";

  const LEAST = 900, SPREAD = 300; // milliseconds from a response to the next request, and a random addition
  const SLOWER = 5; // the minimum interval as a multiple of the last response time
  const MOST = 8000;
  const LOST = 20000; // a response is given up after this time
  const places = new Map();
  let asked = 0;
  let failures = 0;
  let timer = 0;
  let going = false; // whether htmx has sent the request

  const opened = new Set(); // ids of the folds that the reader has opened
  const found = Array.from(document.querySelectorAll("#standings tr.is-mine"), function (row) {
    return { entry: row.dataset.entry, word: row.querySelector(".mine") };
  });

  function remember(part) {
    if (!part.querySelectorAll) return;
    for (const fold of part.querySelectorAll("details[id]")) {
      if (fold.open) opened.add(fold.id);
      else opened.delete(fold.id);
    }
  }

  /* Open folds and mark the searched entry again, because the response is the same for all readers. */
  function mark() {
    for (const id of opened) {
      const fold = document.getElementById(id);
      if (fold) fold.open = true;
    }
    for (const each of found) {
      const row = document.querySelector('#standings tr[data-entry="' + each.entry + '"]');
      if (!row || row.classList.contains("is-mine")) continue;
      row.classList.add("is-mine");
      if (each.word) row.querySelector("th").append(" ", each.word.cloneNode(true));
    }
  }

  function scrollers(part) {
    return part.querySelectorAll ? part.querySelectorAll(".scroll[aria-labelledby]") : [];
  }

  document.addEventListener("htmx:beforeSwap", function (event) {
    for (const box of scrollers(event.detail.target)) {
      places.set(box.getAttribute("aria-labelledby"), box.scrollLeft);
    }
    remember(event.detail.target);
  });

  document.addEventListener("htmx:afterSwap", function () {
    for (const box of scrollers(document)) {
      box.scrollLeft = places.get(box.getAttribute("aria-labelledby")) || box.scrollLeft;
    }
    mark();
  });

  function offline(isDown) {
    const words = document.getElementById("standings-offline");
    if (words) words.hidden = !isDown;
  }

  document.addEventListener("htmx:sendError", function () { offline(true); });
  document.addEventListener("htmx:responseError", function () { offline(true); });
  document.addEventListener("htmx:afterOnLoad", function () { offline(false); });

  function follow() {
    clearTimeout(timer);
    const part = document.getElementById("standings");
    if (!part || !part.hasAttribute("data-hx-get") || document.hidden) return;
    going = false;
    asked = performance.now();
    htmx.trigger(part, "follow");
    timer = setTimeout(follow, going ? LOST : LEAST); // retry soon if htmx has not initialised the part yet
  }

  document.addEventListener("htmx:beforeRequest", function (event) {
    if (event.target.id === "standings") going = true;
  });

  function pause() {
    const slow = failures ? LEAST * Math.pow(2, failures) : SLOWER * (performance.now() - asked);
    return Math.min(MOST, Math.max(LEAST, slow)) + Math.random() * SPREAD;
  }

  document.addEventListener("htmx:afterRequest", function (event) {
    const asker = event.detail.requestConfig && event.detail.requestConfig.elt;
    if (!asker || asker.id !== "standings") return; // the element may have been replaced already, so compare its id
    failures = event.detail.successful ? 0 : failures + 1;
    clearTimeout(timer);
    timer = setTimeout(follow, pause());
  });

  document.addEventListener("visibilitychange", follow);
  window.addEventListener("online", follow);
  if (document.getElementById("standings")) timer = setTimeout(follow, Math.random() * LEAST);
})();
