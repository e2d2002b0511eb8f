/* Buttons that copy a link from its field.
 *
 * Without HTTPS browsers have no clipboard API, so `execCommand` is the fallback.
 */
(function () {
  "use strict";

  for (const button of document.querySelectorAll("button[data-copy]")) {
    const field = document.getElementById(button.dataset.copy);
    const told = document.getElementById("announcer");
    button.hidden = false;
    button.addEventListener("click", async function () {
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
      } catch (error) {
        document.execCommand("copy");
      }
      told.textContent = button.dataset.done;
      button.classList.add("is-done");
      button.firstChild.textContent = button.dataset.done;
    });
  }
})();
