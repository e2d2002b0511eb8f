/* Shortcuts of the page frame: display settings change without reloading, and "/" goes to the search field.
 * Without this script, forms and links do the same.
 */
(function () {
  "use strict";

  const root = document.documentElement;

  /* Apply a display setting, and mark its button as pressed. */
  function paint(form, button) {
    const isSwitch = "value" in button.dataset;
    const value = button.value === "device" ? "" : button.value;
    if (value) root.dataset[button.name] = value;
    else delete root.dataset[button.name];
    for (const each of form.querySelectorAll("[name=" + button.name + "]"))
      each.setAttribute("aria-pressed", String(isSwitch ? Boolean(value) : each === button));
    if (isSwitch) button.value = value ? "" : button.dataset.value;
  }

  /* The height of the bar at the lower edge depends on the reader's text size. */
  const dock = document.querySelector(".dock");
  if (dock)
    new ResizeObserver(function () {
      root.style.setProperty("--below", dock.offsetHeight + "px");
    }).observe(dock);

  /* Scroll each row of tabs to its current tab. */
  for (const tab of document.querySelectorAll(".tabs > [aria-current]")) {
    const row = tab.parentNode;
    row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
  }

  const form = document.querySelector("[data-scheme-form]");
  if (form)
    form.addEventListener("submit", function (event) {
      const button = event.submitter;
      if (!button) return;
      event.preventDefault();
      const said = new FormData(form, button);
      paint(form, button);
      fetch(form.action, { method: "POST", body: said, redirect: "manual" }).catch(function () {
        // this page already has the new setting; only the next page may have the old one
      });
    });

  /* Another language loads the page again: what has been entered is kept until then. */
  const KEPT_INPUT = "overplay-input";
  const NOT_KEPT = ["hidden", "password", "file", "submit", "button"];
  const languages = document.querySelector(".foot__languages");
  const changedNames = new Set();

  /* Return the fields of the page by name, numbered where several have one name. The keys of boxes to tick include
   * their values, because their order may be another one when the page is loaded again.
   */
  function fields() {
    const counts = {};
    const all = Array.from(document.querySelectorAll("main input[name], main select[name], main textarea[name]"));
    return all.filter(function (each) { return !NOT_KEPT.includes(each.type); }).map(function (each) {
      const name = isTicked(each) ? each.name + "=" + each.value : each.name;
      counts[name] = (counts[name] || 0) + 1;
      return { key: name + " " + counts[name], element: each };
    });
  }

  function isTicked(element) {
    return element.type === "checkbox" || element.type === "radio";
  }

  function isEdited(element) {
    if (isTicked(element)) return element.checked !== element.defaultChecked;
    if (element.tagName !== "SELECT") return element.value !== element.defaultValue;
    const preset = Array.from(element.options).find(function (each) { return each.defaultSelected; }) || element.options[0];
    return Boolean(preset) && element.value !== preset.value;
  }

  function keepInput() {
    // A form that was not accepted shows the input as its values, and a new page would not have them. The same is
    // true of a part that was loaded again, so a field is also kept if the user has changed it.
    const isRefused = Boolean(document.querySelector("main [role=alert]"));
    const kept = {};
    for (const each of fields()) {
      const isKept = isRefused || isEdited(each.element) || changedNames.has(each.element.name);
      if (isKept) kept[each.key] = isTicked(each.element) ? each.element.checked : each.element.value;
    }
    try {
      sessionStorage.setItem(KEPT_INPUT, JSON.stringify({ page: location.pathname + location.search, kept: kept }));
    } catch (error) {
      // A browser without the store shows the form as it was at first.
    }
  }

  function restoreInput() {
    let stored = null;
    try {
      stored = JSON.parse(sessionStorage.getItem(KEPT_INPUT));
      sessionStorage.removeItem(KEPT_INPUT);
    } catch (error) {
      return;
    }
    if (!stored || stored.page !== location.pathname + location.search) return;
    const changed = fields().filter(function (each) { return each.key in stored.kept; });
    for (const each of changed) {
      if (isTicked(each.element)) each.element.checked = stored.kept[each.key];
      else each.element.value = stored.kept[each.key];
      const fold = each.element.closest("main details");
      if (fold && isEdited(each.element)) fold.open = true;
    }
    for (const each of changed) {
      if (!isEdited(each.element)) continue;
      each.element.dispatchEvent(new Event("input", { bubbles: true }));
      each.element.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }

  document.addEventListener("change", function (event) { changedNames.add(event.target.name); });
  if (languages) languages.addEventListener("submit", keepInput);
  addEventListener("load", restoreInput);

  /* Focus the first field of an opened fold that is for entering something. */
  document.addEventListener("toggle", function (event) {
    const fold = event.target;
    if (!fold.open || !("enter" in fold.dataset)) return;
    const field = fold.querySelector("textarea, input:not([type=hidden])");
    if (field) field.focus();
  }, true);

  const menus = document.querySelectorAll("details.menu, details.pick");

  /* Close open menus after a click or a focus outside them, or on Escape, which returns the focus to the menu's
   * button.
   */
  function close(beside) {
    for (const each of menus) {
      if (!each.open || (beside && each.contains(beside))) continue;
      const hadFocus = each.contains(document.activeElement);
      each.open = false;
      if (hadFocus) each.querySelector("summary").focus();
    }
  }
  for (const way of ["click", "focusin"])
    document.addEventListener(way, function (event) {
      close(event.target);
    });

  /* Announce messages after loading, because screen readers only announce changes of an existing live region.
   */
  const announcer = document.getElementById("announcer");
  const said = Array.from(document.querySelectorAll("[data-said]"), function (each) {
    return each.textContent.replace(/\s+/g, " ").trim();
  });
  if (announcer && said.length)
    addEventListener("load", function () {
      setTimeout(function () {
        announcer.textContent = said.concat(announcer.textContent).join(" ").trim();
      }, 250);
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
