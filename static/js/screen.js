/* Standings on the big screen: a long field rolls page by page; what comes in changes in place. */

import { fill } from "./parts.js";

const EACH = 10000; // milliseconds that a page stays
const words = document.getElementById("screen-page");
let page = 0;

function tables() {
  return Array.from(document.querySelectorAll("#standings tbody"));
}

/* How many rows fit on the screen below the head of the tables; at least three. */
function fitting(bodies) {
  for (const row of document.querySelectorAll("#standings tbody tr")) row.hidden = false;
  const tallest = Math.max(...bodies.map(function (body) {
    return body.rows.length ? body.getBoundingClientRect().height / body.rows.length : 1;
  }));
  const top = Math.max(...bodies.map(function (body) { return body.getBoundingClientRect().top + window.scrollY; }));
  return Math.max(3, Math.floor((window.innerHeight - top - 16) / tallest));
}

function show() {
  const bodies = tables();
  if (!bodies.length) {
    words.textContent = "";
    return;
  }
  const fit = fitting(bodies);
  const pages = Math.max(...bodies.map(function (body) { return Math.ceil(body.rows.length / fit); }), 1);
  page %= pages;
  for (const body of bodies) {
    Array.from(body.rows).forEach(function (row, place) {
      row.hidden = Math.floor(place / fit) !== page;
    });
  }
  words.textContent = pages > 1 ? fill(words.dataset.say, { page: page + 1, pages: pages }) : "";
}

/* Once the session is closed the standings ask no more by themselves; it may be opened again. */
async function lookAgain() {
  const old = document.getElementById("standings");
  if (!old || old.hasAttribute("hx-get")) return;
  try {
    const response = await fetch(location.href, { credentials: "omit", cache: "no-store" });
    if (!response.ok) return;
    const found = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("standings");
    old.replaceWith(found);
    window.htmx.process(found);
    show();
  } catch (error) {
    return; // the next look may find it
  }
}

setInterval(lookAgain, EACH);
document.addEventListener("htmx:afterSwap", show);
window.addEventListener("resize", show);
setInterval(function () {
  page += 1;
  show();
}, EACH);
show();
