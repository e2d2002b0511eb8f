/* Share and print buttons, and arrow keys for "previous" and "next". Without scripts the style sheet hides
 * these buttons.
 */
(function () {
  "use strict";

  const told = document.getElementById("announcer");

  async function share(button) {
    const link = { title: button.dataset.share, url: location.href };
    try {
      if (navigator.share) {
        await navigator.share(link);
        return;
      }
      await navigator.clipboard.writeText(link.url);
    } catch (error) {
      if (error.name === "AbortError") return; // the reader has cancelled
      const field = document.createElement("input");
      field.value = link.url;
      button.after(field);
      field.select();
      document.execCommand("copy"); // without HTTPS browsers have no clipboard API
      field.remove();
    }
    button.querySelector("span").textContent = button.dataset.done;
    if (told) told.textContent = button.dataset.done;
  }

  for (const button of document.querySelectorAll("[data-share]")) {
    button.addEventListener("click", function () { share(button); });
  }
  for (const button of document.querySelectorAll("[data-print]")) {
    button.addEventListener("click", function () { window.print(); });
  }

  /* The arrow keys follow the links "previous" and "next". */
  document.addEventListener("keydown", function (event) {
    const ways = { ArrowLeft: "prev", ArrowRight: "next" };
    const isTyping = event.target.closest("input, textarea, select, dialog, [role=region], .replay");
    if (!ways[event.key] || isTyping || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const way = document.querySelector("main a[rel=" + ways[event.key] + "]");
    if (way) way.click();
  });
})();
