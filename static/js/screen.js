/* All standings on the big screen, page by page; polled changes appear in place.
 *
 * Fields next to each other form a band. Bands that fit share a page, and a band that is too long for one page
 * is split over several with repeated table headings. A hall with several sections starts with the leaders of
 * all fields, and a small hall gets larger text. Between two rounds the screen shows the moves.
 */

import { fill } from "./parts.js";
import { drawLeaders, isCut, rowsOf, titleOf } from "./screen/leaders.js";
import { followClock } from "./screen/clock.js";

const EACH = 12000; // milliseconds that each page is shown
const EDGE = 12; // pixels of free space above the footer
const FEW = 2; // the maximum number of fields without a separate page of leaders
const LEADERS = []; // the page of the leaders, which has no rows of a table
const SIZES = [2, 1.85, 1.7, 1.6, 1.5, 1.4, 1.3, 1.22, 1.15, 1.07, 1]; // the text sizes to try on a page, largest first
const EVEN = 1.15; // above this size the rows of a table must have similar heights
const TALLEST = 0.6; // the maximum extra height above and below a row's text, in em
const A_DOT = 90; // pixels of width for each dot; with less space only the page number is shown
const TRIES = 3;

const root = document.documentElement;
const board = document.getElementById("screen-leaders");
const foot = document.getElementById("screen-foot");
const after = document.getElementById("screen-after");
const words = document.getElementById("screen-page");
const bar = document.getElementById("screen-pages");
const dots = document.getElementById("screen-dots");
const rest = document.getElementById("screen-rest");
let pages = [];
let page = 0;
let timer = 0;

function fields() {
  return Array.from(document.querySelectorAll("#standings .columns > *"));
}

function showAll(found) {
  for (const field of found) {
    field.hidden = false;
    for (const row of rowsOf(field)) row.hidden = false;
  }
}

/* Group the fields into bands by their measured vertical position. */
function bandsOf(found) {
  const bands = [];
  let top = null;
  for (const field of found) {
    const here = field.getBoundingClientRect().top;
    if (bands.length && Math.abs(here - top) < 2) bands[bands.length - 1].push(field);
    else bands.push([field]);
    top = here;
  }
  return bands.map(measured);
}

function measured(band) {
  const heights = band.map(function (field) {
    return rowsOf(field).map(function (row) { return row.getBoundingClientRect().height; });
  });
  const heads = band.map(function (field, at) { return field.getBoundingClientRect().height - sum(heights[at]); });
  const rows = Math.max(...heights.map(function (each) { return each.length; }));
  return { fields: band, heights: heights, head: Math.max(...heads), rows: rows };
}

function sum(numbers) {
  return numbers.reduce(function (one, other) { return one + other; }, 0);
}

/* Estimate the end of a page that begins with row `from`, from the current row heights. */
function guess(band, from, room) {
  for (let to = from + 1; to < band.rows; to += 1) {
    const tallest = Math.max(...band.heights.map(function (each) { return sum(each.slice(from, to + 1)); }));
    if (band.head + tallest > room) return to;
  }
  return Math.max(band.rows, from + 1);
}

/* Return the pages, each with parts of bands. Hidden rows change column widths and heights, so a page that
 * turns out too high gets fewer rows, but at least one.
 */
function laidOut(found, room) {
  const made = [];
  let isCut = true; // whether the last page ends within a band, or no page exists yet
  for (const band of bandsOf(found)) {
    const whole = { band: band, from: 0, to: Math.max(band.rows, 1) };
    if (!isCut && fits(made[made.length - 1].concat([whole]), found)) {
      made[made.length - 1].push(whole);
      continue;
    }
    for (let from = 0; from < whole.to;) {
      const part = { band: band, from: from, to: guess(band, from, room) };
      while (part.to > from + 1 && !fits([part], found)) part.to -= 1;
      made.push([part]);
      from = part.to;
    }
    isCut = made[made.length - 1][0].from > 0;
  }
  return made;
}

function fits(parts, found) {
  showPage(parts, found);
  const shown = (parts === LEADERS ? [board] : found).filter(function (field) { return !field.hidden; });
  const ends = shown.map(function (field) { return field.getBoundingClientRect().bottom + window.scrollY; });
  return Math.max(0, ...ends) <= low() && root.scrollHeight <= window.innerHeight;
}

/* Return the bottom of a page's content, above the footer. */
function low() {
  return window.innerHeight - foot.offsetHeight - EDGE;
}

function showPage(parts, found) {
  const shown = new Map();
  board.hidden = parts !== LEADERS;
  for (const part of parts) for (const field of part.band.fields) shown.set(field, part);
  for (const field of found) {
    const part = shown.get(field);
    field.hidden = !part || (part.from > 0 && part.from >= rowsOf(field).length);
    rowsOf(field).forEach(function (row, place) { row.hidden = !part || place < part.from || place >= part.to; });
  }
}

/* Draw the leaders in the largest size that fits; surnames only, if full names would be cut. */
function lead(found) {
  for (const short of [false, true]) {
    drawLeaders(board, found, short);
    for (const size of SIZES) {
      board.style.setProperty("--size", size);
      if (fits(LEADERS, found) && !isCut(board)) return;
    }
  }
}

/* Lay everything out again: on one page in the largest size that fits, or on several pages. */
function layOut() {
  const found = fields();
  pages = [];
  document.body.classList.remove("is-long", "is-plain", "is-bare");
  root.style.setProperty("--row", "0px");
  if (found.length) lead(found);
  for (const size of SIZES) {
    root.style.setProperty("--size", size);
    if (!found.length || (found.length <= FEW && isWholeOrPlain(found, size > EVEN))) break;
    document.body.classList.toggle("is-long", size === 1);
  }
  for (let tried = 0; found.length && tried < TRIES; tried += 1) {
    showAll(found);
    board.hidden = true;
    const top = found[0].getBoundingClientRect().top + window.scrollY;
    pages = laidOut(found, low() - top);
    if (found.length > FEW && fits(LEADERS, found)) pages.unshift(LEADERS);
    page = Math.min(page, pages.length - 1);
    tell();
    if (pages.every(function (parts) { return fits(parts, found); })) break;
  }
  if (pages.length === 1 && pages[0] !== LEADERS) stretch(found);
  show();
}

/* Return whether everything fits on one page: with all columns, without the bars, or also without the tricks.
 * Larger names are more important than these columns.
 */
function isWholeOrPlain(found, mustBeEven) {
  for (const without of [0, 1, 2]) {
    document.body.classList.toggle("is-plain", without > 0);
    document.body.classList.toggle("is-bare", without > 1);
    if (isWhole(found) && (!mustBeEven || found.every(isEven))) return true;
  }
  document.body.classList.remove("is-plain", "is-bare");
  return false;
}

/* Return whether all names take equally many lines; rows with a note may be higher. */
function isEven(field) {
  const heights = rowsOf(field).filter(function (row) { return !row.querySelector(".winner, .standing__note"); })
    .map(function (row) { return row.getBoundingClientRect().height; });
  return Math.max(0, ...heights) < 1.4 * Math.min(...heights);
}

/* Increase the row height of a single page to fill the screen down to the footer. */
function stretch(found) {
  const bottom = Math.max(...found.map(function (field) { return field.getBoundingClientRect().bottom; }));
  const rows = Math.max(1, ...found.map(function (field) { return rowsOf(field).length; }));
  const letters = parseFloat(getComputedStyle(found[0].querySelector("table")).fontSize);
  let each = Math.min((low() - bottom - window.scrollY) / rows / 2, TALLEST * letters);
  for (; each > 1; each *= 0.9) {
    root.style.setProperty("--row", each + "px");
    if (fits(pages[0], found)) return;
  }
  root.style.setProperty("--row", "0px");
}

/* Return whether everything fits on one page in width and height. */
function isWhole(found) {
  showAll(found);
  const parts = bandsOf(found).map(function (band) { return { band: band, from: 0, to: Math.max(band.rows, 1) }; });
  return fits(parts, found) && Array.from(document.querySelectorAll("#standings .scroll")).every(function (one) {
    return one.scrollWidth <= one.clientWidth + 1;
  });
}

function show() {
  if (pages.length) showPage(pages[page], fields());
  tell();
}

/* Show the number of the page, as text and as one of the dots. */
function tell() {
  bar.hidden = pages.length < 2;
  words.textContent = pages.length > 1 ? fill(words.dataset.say, { page: page + 1, pages: pages.length }) : "";
  after.textContent = pages.length > 1 ? fill(after.dataset.say, { next: nameOf(pages[(page + 1) % pages.length]) }) : "";
  const wanted = pages.length > window.innerWidth / A_DOT ? 0 : pages.length;
  while (dots.children.length > wanted) dots.lastElementChild.remove();
  while (dots.children.length < wanted) dots.append(dot(dots.children.length));
  Array.from(dots.children).forEach(function (one, place) {
    if (place === page) one.setAttribute("aria-current", "page");
    else one.removeAttribute("aria-current");
  });
}

function nameOf(parts) {
  return parts === LEADERS ? board.dataset.say : titleOf(parts[0].band.fields[0]);
}

function dot(place) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "screen__dot";
  made.setAttribute("aria-label", fill(dots.dataset.say, { page: place + 1 }));
  made.addEventListener("click", function () { go(place - page); });
  return made;
}

function go(steps) {
  if (!pages.length) return;
  page = (page + steps + pages.length) % pages.length;
  show();
  roll();
}

/* Show the next page after a while, unless the user has stopped this. */
function roll() {
  clearTimeout(timer);
  if (!isStopped()) timer = setTimeout(function () { go(1); }, EACH);
}

function isStopped() {
  return rest.getAttribute("aria-pressed") === "true";
}

function stopOrGo() {
  rest.setAttribute("aria-pressed", String(!isStopped()));
  roll();
}

function onKey(event) {
  const isButton = event.target.closest && event.target.closest("button, a, input");
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowRight") go(1);
  else if (event.key === "ArrowLeft") go(-1);
  else if (event.key === " " && !isButton) {
    event.preventDefault();
    stopOrGo();
  }
}

/* Check whether a closed session was reopened, because its standings no longer poll. */
async function lookAgain() {
  const old = document.getElementById("standings");
  if (!old || old.hasAttribute("data-hx-get")) return;
  try {
    const response = await fetch(location.href, {
      headers: { "Accept-Language": document.documentElement.lang }, credentials: "omit", cache: "no-store"
    });
    if (!response.ok) return;
    const found = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("standings");
    old.replaceWith(found);
    window.htmx.process(found);
    layOut();
  } catch (error) {
    return; // try again at the next check
  }
}

document.getElementById("screen-next").addEventListener("click", function () { go(1); });
document.getElementById("screen-back").addEventListener("click", function () { go(-1); });
rest.addEventListener("click", stopOrGo);
document.addEventListener("keydown", onKey);
document.addEventListener("htmx:afterSwap", layOut);
window.addEventListener("resize", layOut);
document.fonts.ready.then(layOut);
setInterval(lookAgain, EACH);
followClock();
layOut();
roll();
