/* What other people enter while this grid is open: asked for every few seconds, handed to the grid.
 *
 * News about a cell in which something was typed here waits until that is settled.
 */
(function () {
  "use strict";

  const EVERY = 3000; // milliseconds
  const root = document.getElementById("scores");
  if (!root || !root.dataset.news) return;

  const news = new Map(); // by sitting and board, until the grid has taken it
  let since = 0;
  let missing = null;

  async function look() {
    if (document.hidden) return;
    const asked = Date.now();
    try {
      const response = await fetch(root.dataset.news + "?since=" + since, {
        credentials: "same-origin",
        headers: { Accept: "application/json" },
      });
      if (!response.ok || response.redirected) return;
      const found = await response.json();
      since = found.at;
      missing = found.missing;
      for (const cell of found.cells) {
        cell.asked = asked;
        news.set(cell.sitting + "-" + cell.board, cell);
      }
    } catch (error) {
      return; // the grid itself says when the connection is down
    }
    root.dispatchEvent(new CustomEvent("meanwhile", { detail: { news: news, missing: missing } }));
  }

  setInterval(look, EVERY);
  look();
})();
