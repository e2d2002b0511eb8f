/* Show the explanation of a number in a dialog over the page. Without this script the link leads to a page with
 * the same explanation.
 */
(function () {
  "use strict";

  let sheet = null;

  function opened() {
    if (!sheet) {
      sheet = document.createElement("dialog");
      sheet.className = "why-sheet";
      sheet.addEventListener("click", function (event) {
        if (event.target === sheet || event.target.closest("button")) sheet.close();
      });
      document.body.append(sheet);
    }
    return sheet;
  }

  function show(link, html) {
    const box = opened();
    box.innerHTML = html;
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = link.closest("[data-why]").dataset.why;
    box.prepend(close); // the focus goes to the close button, so the dialog stays scrolled to its top
    const title = box.querySelector("h1, h2, h3");
    if (title) box.setAttribute("aria-label", title.textContent.trim().replace(/\s+/g, " "));
    box.onclose = function () {
      const same = link.isConnected ? link : Array.from(document.querySelectorAll("a.why")).find(function (one) {
        return one.href === link.href; // the standings below may have been replaced
      });
      if (same) same.focus({ preventScroll: true });
    };
    box.showModal();
    close.focus();
  }

  document.addEventListener("click", function (event) {
    const link = event.target.closest ? event.target.closest("a.why") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    fetch(link.href, { headers: { "HX-Request": "true" } })
      .then(function (answer) {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.text();
      })
      .then(function (html) { show(link, html); })
      .catch(function () { window.location.assign(link.href); });
  });
})();
