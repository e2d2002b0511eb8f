/* Addresses to copy: a button beside each field that holds one.
 *
 * A hall's plain http has no clipboard of the newer kind, so the older way stands behind it.
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
