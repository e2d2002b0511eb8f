/* The paper that somebody has just asked for opens by itself when it is made: one press. */
(function () {
  "use strict";

  function open() {
    const place = document.querySelector("#papers[data-open]");
    if (!place || !new URLSearchParams(location.search).has("wanted")) return;
    history.replaceState(null, "", location.pathname); // once, also for whoever comes back
    location.assign(place.dataset.open);
  }

  document.addEventListener("htmx:afterSettle", open);
  open();
})();
