/* Parts of a page that renew themselves: they stay where they were scrolled, and say so when the
 * connection is down. Tables inside a renewed part are remembered by the name of their caption.
 */
(function () {
  "use strict";

  const places = new Map();

  function scrollers(part) {
    return part.querySelectorAll ? part.querySelectorAll(".scroll[aria-labelledby]") : [];
  }

  document.addEventListener("htmx:beforeSwap", function (event) {
    for (const box of scrollers(event.detail.target)) {
      places.set(box.getAttribute("aria-labelledby"), box.scrollLeft);
    }
  });

  document.addEventListener("htmx:afterSwap", function () {
    for (const box of scrollers(document)) {
      box.scrollLeft = places.get(box.getAttribute("aria-labelledby")) || box.scrollLeft;
    }
  });

  function offline(isDown) {
    const words = document.getElementById("standings-offline");
    if (words) words.hidden = !isDown;
  }

  document.addEventListener("htmx:sendError", function () { offline(true); });
  document.addEventListener("htmx:responseError", function () { offline(true); });
  document.addEventListener("htmx:afterOnLoad", function () { offline(false); });
})();
