/* Open an ordered paper automatically as soon as it is made. */
(function () {
  "use strict";

  function open() {
    const place = document.querySelector("#papers[data-open]");
    if (!place || !new URLSearchParams(location.search).has("wanted")) return;
    history.replaceState(null, "", location.pathname); // only once, even if the reader returns to this page
    location.assign(place.dataset.open);
  }

  document.addEventListener("htmx:afterSettle", open);
  open();
})();
