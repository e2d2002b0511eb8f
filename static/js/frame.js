/* What the frame does at once where it can: a change of colours keeps the place on the page, and
 * the stroke leads to the search. Without this, forms and links do the same. */
(function () {
  "use strict";

  const root = document.documentElement;

  function paint(form, button) {
    const value = button.value;
    if (value === "device") delete root.dataset.scheme;
    else root.dataset.scheme = value;
    for (const each of form.querySelectorAll("button"))
      each.setAttribute("aria-pressed", String(each === button));
  }

  /* What the bar at the lower edge covers, which the letters of a reader decide. */
  const dock = document.querySelector(".dock");
  if (dock)
    new ResizeObserver(function () {
      root.style.setProperty("--below", dock.offsetHeight + "px");
    }).observe(dock);

  const form = document.querySelector("[data-scheme-form]");
  if (form)
    form.addEventListener("submit", function (event) {
      const button = event.submitter;
      if (!button) return;
      event.preventDefault();
      paint(form, button);
      const said = new FormData(form, button);
      fetch(form.action, { method: "POST", body: said, redirect: "manual" }).catch(function () {
        // the page is coloured; only the next one does not know
      });
    });

  const menus = document.querySelectorAll("details.menu, details.pick");

  /* What floats goes away when one presses beside it, or Escape. */
  function close(beside) {
    for (const each of menus) if (!beside || !each.contains(beside)) each.open = false;
  }
  document.addEventListener("click", function (event) {
    close(event.target);
  });

  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") close(null);
    const isTyping = event.target.closest && event.target.closest("input, textarea, select");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = document.querySelector("input[type=search]#search-words") ||
      document.querySelector("[data-search]");
    if (!place) return;
    event.preventDefault();
    if (place.tagName === "INPUT") place.focus();
    else place.click();
  });
})();
