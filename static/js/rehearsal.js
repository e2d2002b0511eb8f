/* A rehearsal continues while one of its pages is open: each page polls every few seconds and replaces its
 * part.
 *
 * Two open pages do not enter results twice, because the request is idempotent.
 */
(function () {
  "use strict";

  const EVERY = 3000; // milliseconds between two requests
  const SOON = 400; // the same while more results are due
  const announcer = document.getElementById("announcer");

  function part() {
    return document.querySelector("[data-rehearsal]");
  }

  /* Replace the part, keep the focus, and announce new tasks once. */
  function show(html) {
    const old = part();
    const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("[data-rehearsal]");
    if (!fresh) return; // the user has been signed out
    const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
    const words = fresh.dataset.say;
    if (words && words !== old.dataset.say) announcer.textContent = words;
    old.replaceWith(fresh);
    const again = focused && document.getElementById(focused);
    if (again) again.focus({ preventScroll: true });
  }

  async function ask() {
    let wait = EVERY;
    try {
      const here = part();
      const token = here.querySelector("[name=csrfmiddlewaretoken]").value;
      const body = new URLSearchParams({
        part: here.dataset.rehearsal, back: location.pathname + location.search, csrfmiddlewaretoken: token,
      });
      const response = await fetch(here.dataset.url, { method: "POST", body: body });
      if (response.status === 404) return; // the rehearsal has been deleted
      if (response.ok) show(await response.text());
      if (Number(response.headers.get("X-Left")) > 0) wait = SOON;
    } catch (error) {
      // no connection: try again later
    }
    setTimeout(ask, wait);
  }

  if (part()) ask();
})();
