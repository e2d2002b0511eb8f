// The seats on the hall's screen, one page at a time.

const HOLD = 10_000; // milliseconds that each page is shown
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
