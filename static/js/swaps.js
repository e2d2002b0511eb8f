/* Polled parts of a page: an unchanged part is not replaced, so screen readers do not repeat it, and a replaced
 * part keeps the focus.
 */

import { hold } from "./held.js";

const SAID = "[role=status]";
const known = new Map(); // the last response of each part, by id
const back = new Map(); // the focus to restore in each part that is being replaced
const TOKEN = /value="[A-Za-z0-9]{64}"/g; // the masked CSRF token differs in each response

document.addEventListener("htmx:beforeSwap", function (event) {
  const { target, xhr, requestConfig } = event.detail;
  const asker = requestConfig && requestConfig.elt;
  if (!event.detail.shouldSwap || !target) return;
  const isPolled = asker === target && Boolean(target.id) && (target.dataset.hxTrigger || "").startsWith("every");
  if (isPolled) {
    const text = xhr.responseText.replace(TOKEN, "");
    if (known.get(target.id) === text) {
      event.detail.shouldSwap = false;
      return;
    }
    known.set(target.id, text);
  } else known.delete(target.id);
  back.set(target.id, [hold(target), isPolled && said(target), target, target.parentElement]);
});

document.addEventListener("htmx:afterSwap", function () {
  for (const [name, [give, before, part, around]] of back) {
    const fresh = part.isConnected ? part : document.getElementById(name) || around;
    give(fresh);
    tell(fresh, before);
  }
  back.clear();
});

function said(part) {
  return Array.from(part.querySelectorAll(SAID), function (one) { return one.textContent.replace(/\s+/g, " ").trim(); });
}

/* Announce new status messages in the page's live region, because few screen readers announce a live region
 * that is inserted together with its text.
 */
function tell(fresh, before) {
  const announcer = document.getElementById("announcer");
  if (!announcer || !before || fresh.closest("[aria-live], " + SAID)) return;
  const news = said(fresh).filter(function (words) { return words && !before.includes(words); });
  if (news.length) announcer.textContent = news.join(" ");
}
