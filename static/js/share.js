/* What only a browser can do with a page: hand its link on, print it, follow the keys. Where
 * no script runs the style leaves the buttons out, and nothing else is missed.
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
      if (error.name === "AbortError") return; // the reader has changed his mind
      const field = document.createElement("input");
      field.value = link.url;
      button.after(field);
      field.select();
      document.execCommand("copy"); // a hall's plain http has no newer clipboard
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

  /* The arrow keys turn the leaves, as the links "previous" and "next" do. */
  document.addEventListener("keydown", function (event) {
    const ways = { ArrowLeft: "prev", ArrowRight: "next" };
    const isTyping = event.target.closest("input, textarea, select, dialog, [role=region], .replay");
    if (!ways[event.key] || isTyping || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const way = document.querySelector("main a[rel=" + ways[event.key] + "]");
    if (way) way.click();
  });
})();
