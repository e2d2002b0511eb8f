/* Parts of a page that renew themselves: they stay where they were scrolled, and say so when the
 * connection is down. Tables inside a renewed part are remembered by the name of their caption.
 *
 * Standings are asked for a second after their last answer, not by all phones at the same moment,
 * less often while answers are slow, so that entries go before, and not while nobody looks.
 */
(function () {
  "use strict";

  const LEAST = 900, SPREAD = 300; // milliseconds between an answer and the next question
  const SLOWER = 5; // times as long as the last answer took, if that is more
  const MOST = 8000;
  const LOST = 20000; // an answer that has not come by then never comes
  const places = new Map();
  let asked = 0;
  let failures = 0;
  let timer = 0;
  let going = false; // the question has left

  const opened = new Set(); // what the reader has unfolded
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

  /* What everybody gets is the same: who was looked for here is marked here again. */
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
    timer = setTimeout(follow, going ? LOST : LEAST); // htmx may not have seen the part yet
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
    if (!asker || asker.id !== "standings") return; // it is replaced by now; its name is not
    failures = event.detail.successful ? 0 : failures + 1;
    clearTimeout(timer);
    timer = setTimeout(follow, pause());
  });

  document.addEventListener("visibilitychange", follow);
  window.addEventListener("online", follow);
  if (document.getElementById("standings")) timer = setTimeout(follow, Math.random() * LEAST);
})();
