/* Unsaved results of score grids: every director's page sends them, and shows those not yet saved. Discarded
 * results can be restored until the page is left.
 *
 * A grid stores them in the browser under the URL of its page (scores/drafts.js). Complete ones, marked as
 * `waits`, are sent; those that are incomplete or rejected by the server are only counted.
 */
(function () {
  "use strict";

  const GRID = /^overplay(\/director\/events\/[^/]+\/scores\/)$/;
  const RETRY_MILLISECONDS = 4000;
  const notice = document.getElementById("unsaved");
  const correct = notice.querySelector("a");
  const discard = notice.querySelector("[data-discard]");
  const restore = notice.querySelector("[data-restore]");
  let discarded = []; // [key, text] pairs of the browser's storage
  const token = JSON.parse(document.body.dataset.hxHeaders)["X-CSRFToken"];

  /* Return the paths of all grids with unsaved results, except this page. */
  function grids() {
    return Object.keys(localStorage).map(function (key) { return GRID.exec(key)?.[1]; }).filter(function (path) {
      return path && path !== location.pathname;
    });
  }

  function read(path) {
    return JSON.parse(localStorage.getItem("overplay" + path)) || {};
  }

  function change(path, name, draft) {
    const drafts = read(path);
    if (draft) drafts[name] = draft;
    else delete drafts[name];
    if (Object.keys(drafts).length) localStorage.setItem("overplay" + path, JSON.stringify(drafts));
    else localStorage.removeItem("overplay" + path);
  }

  function show() {
    const unsaved = grids().flatMap(function (path) {
      return Object.values(read(path)).map(function (draft) { return { ...draft, path }; });
    });
    const first = unsaved[0];
    notice.hidden = !first && !discarded.length;
    correct.hidden = discard.hidden = !first;
    restore.hidden = Boolean(first) || !discarded.length;
    if (!first) return;
    const { one, many } = notice.dataset;
    const count = unsaved.length === 1 ? "" : many.replace("#", unsaved.length) + " ";
    say(first.text ? count + first.text : count || one); // drafts of older versions have no text
    correct.href = first.path + (first.place || "");
  }

  function say(words) {
    notice.querySelector("[data-count]").textContent = words;
  }

  async function send(path, name, draft) {
    const response = await fetch(draft.url, {
      method: "POST",
      body: new URLSearchParams(draft.fields),
      headers: { "X-CSRFToken": token, Accept: "application/json" },
    });
    if (response.redirected || response.status >= 500) throw new Error(String(response.status));
    const isSame = response.status === 409 && (await response.json()).seen === draft.value;
    change(path, name, response.ok || isSame ? null : { ...draft, waits: false });
  }

  async function sendAll() {
    try {
      for (const path of grids())
        for (const [name, draft] of Object.entries(read(path)))
          if (draft.waits) await send(path, name, draft);
    } catch {
      setTimeout(sendAll, RETRY_MILLISECONDS);
    }
    show();
  }

  discard.addEventListener("click", function () {
    const paths = grids();
    const count = paths.reduce(function (sum, path) { return sum + Object.keys(read(path)).length; }, 0);
    discarded = paths.map(function (path) { return ["overplay" + path, localStorage.getItem("overplay" + path)]; });
    for (const [key] of discarded) localStorage.removeItem(key);
    const { discardedOne, discardedMany } = notice.dataset;
    say(count === 1 ? discardedOne : discardedMany.replace("#", count));
    show();
    restore.focus();
  });
  restore.addEventListener("click", function () {
    for (const [key, text] of discarded) if (!localStorage.getItem(key)) localStorage.setItem(key, text);
    discarded = [];
    show();
    correct.focus();
  });
  addEventListener("storage", show);
  show();
  sendAll();
})();
