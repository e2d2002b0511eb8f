/* Parts that a page asks for again and again: nothing is put anew that has not changed, so that
 * nothing is told twice, and what is put anew keeps the focus. */

import { hold } from "./held.js";

const SAID = "[role=status]";
const known = new Map(); // what each part was answered with last, by its name
const back = new Map(); // the focus of each part that is being put anew
const TOKEN = /value="[A-Za-z0-9]{64}"/g; // a form's token is written in another way each time

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

/* What comes together with its place is told by few screen readers: the page's own place tells it. */
function tell(fresh, before) {
  const announcer = document.getElementById("announcer");
  if (!announcer || !before || fresh.closest("[aria-live], " + SAID)) return;
  const news = said(fresh).filter(function (words) { return words && !before.includes(words); });
  if (news.length) announcer.textContent = news.join(" ");
}
