// Who sits where on the hall's screen: one page at a time, each turned by itself.

const HOLD = 10_000; // milliseconds that a page stays
let at = 0;

function show() {
  const pages = [...document.querySelectorAll("[data-page]")];
  if (!pages.length) return;
  at %= pages.length;
  pages.forEach((page, place) => (page.hidden = place !== at));
}

document.body.addEventListener("htmx:afterSwap", show);
setInterval(() => {
  at += 1;
  show();
}, HOLD);
show();
