/* A rehearsal plays on while one of its pages is open: each asks every few seconds, and shows its
 * part of the page anew. Asked by two pages at once, nothing comes twice.
 */
(function () {
  "use strict";

  const EVERY = 3000; // milliseconds between two questions
  const SOON = 400; // the same while results are still on their way
  const announcer = document.getElementById("announcer");

  function part() {
    return document.querySelector("[data-rehearsal]");
  }

  /* The focus stays where it was; what waits is said to a screen reader once. */
  function show(html) {
    const old = part();
    const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("[data-rehearsal]");
    if (!fresh) return; // the login has ended meanwhile
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
      if (response.status === 404) return; // thrown away meanwhile
      if (response.ok) show(await response.text());
      if (Number(response.headers.get("X-Left")) > 0) wait = SOON;
    } catch (error) {
      // the connection is down: asked again in a moment
    }
    setTimeout(ask, wait);
  }

  if (part()) ask();
})();
