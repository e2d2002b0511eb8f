/* Results that the cards or the other tables speak against.
 *
 * The question stands below what one types and waits there; nothing is refused.
 */

import { button, fill } from "../parts.js";
import { focus } from "./moving.js";
import { cellOf, cells, mark, say, tell } from "./page.js";
import { post, put } from "./sending.js";
import { keyed } from "./theirs.js";

export const doubts = []; // each with its cell and the query; the keys answer the first
const box = document.getElementById("scores-doubts");
const fold = document.getElementById("doubts"); // what was queried before; null for nothing

/* Go to what was queried before: it stands folded above the grid until somebody asks for it. */
export function openFold() {
  if (!fold) return;
  fold.open = true;
  (fold.querySelector("button") || fold.querySelector("summary")).focus();
}

export function listenToFold(back) {
  if (!fold) return;
  fold.querySelector("kbd").hidden = false;
  openNamed();
  window.addEventListener("hashchange", openNamed);
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "q" && !event.target.closest("input, textarea, select, dialog")) openFold();
    else if (event.key === "Escape" && fold.contains(event.target)) {
      fold.open = false;
      back();
    }
  });
}

/* The place of an address may be one of them. */
function openNamed() {
  const named = location.hash && document.getElementById(location.hash.slice(1));
  if (!named || !fold.contains(named)) return;
  fold.open = true;
  named.scrollIntoView({ block: "nearest" });
}

export function isFoldNamed() {
  return Boolean(fold && fold.open);
}

/* What has been answered or typed anew in the grid is asked about there, and no longer twice. */
function takeFromFold(cell) {
  const item = fold && fold.querySelector('[data-cell="' + cell.input.id + '"]');
  if (item) takeOut([item]);
}

/* Whether anything that was queried before still stands above the grid. */
export function hasFold() {
  return Boolean(fold && !fold.hidden);
}

/* An answer to one query often answers others: only those that `names` still has stay. */
export function liftQueries(names) {
  if (!fold) return;
  const gone = Array.from(fold.querySelectorAll("[data-cell]")).filter(function (item) {
    return !names.includes(item.dataset.cell);
  });
  if (!gone.length) return;
  takeOut(gone);
  for (const cell of cells) {
    const isLifted = cell.row.dataset.state === "queried" && !names.includes(cell.input.id);
    if (isLifted && !doubts.some(function (one) { return one.cell === cell; })) mark(cell, "", "");
  }
}

function takeOut(items) {
  const inside = items.some(function (item) { return item.contains(document.activeElement); });
  for (const item of items) item.remove();
  const left = fold.querySelectorAll("[data-cell]").length;
  const count = document.getElementById("doubts-count");
  count.textContent = left === 1 ? say.sayQueriesOne : say.sayQueriesMany.replace("#", left);
  fold.hidden = !left;
  if (inside && left) fold.querySelector("summary").focus();
}

export function question(cell, query) {
  takeFromFold(cell);
  const at = doubts.findIndex(function (one) { return one.cell === cell; });
  if (at >= 0) doubts.splice(at, 1);
  if (query) {
    doubts.unshift({ cell: cell, query: query });
    if (cell.state === "saved") mark(cell, "queried", say.sayQueried);
  }
  if (query || at >= 0) draw();
}

function draw() {
  box.replaceChildren();
  box.hidden = !doubts.length;
  doubts.forEach(function (one, place) { box.append(drawOne(one, place === 0 ? keyed : unkeyed)); });
  if (!doubts.length) return;
  box.scrollIntoView({ block: "nearest" });
  if (cellOf(document.activeElement)) document.activeElement.scrollIntoView({ block: "nearest" });
}

function drawOne(one, made) {
  const found = document.createElement("div");
  const where = one.cell.input.getAttribute("aria-label").split(":")[0];
  const acts = [
    made(fill(say.sayStands, { tricks: one.cell.seen.value }), "k", function () { stand(one); }),
    made(say.sayBack, "g", function () { focus(one.cell); }),
  ];
  if (one.query.swap) {
    acts.unshift(made(fill(say.saySwap, { tricks: one.query.swap }), "s", function () { swap(one); }));
  }
  found.append(ask(where + ": " + one.query.text, acts));
  if (one.query.round) {
    found.append(ask(one.query.round.text, [unkeyed(say.sayRound, "", function () { mend(one); })]));
  }
  return found;
}

function ask(text, acts) {
  const made = document.createElement("div");
  const words = document.createElement("p");
  words.textContent = text;
  made.className = "ask";
  made.append(words, ...acts);
  return made;
}

function unkeyed(text, key, act) {
  return button(text, act);
}

function answered(one) {
  const inside = box.contains(document.activeElement);
  if (doubts.includes(one)) doubts.splice(doubts.indexOf(one), 1);
  draw();
  if (inside) focus(one.cell);
}

export function swap(one) {
  answered(one);
  put(one.cell, one.query.swap);
}

function mend(one) {
  const marks = one.query.round.marks;
  answered(one);
  for (const cell of cells) {
    const isThere = cell.input.dataset.sitting === one.cell.input.dataset.sitting;
    if (isThere && marks[cell.input.dataset.board]) put(cell, marks[cell.input.dataset.board]);
  }
}

export async function stand(one) {
  answered(one);
  mark(one.cell, "saved", say.sayKept);
  const place = one.cell.input.dataset;
  try {
    const response = await post(say.doubtUrl, { sitting: place.sitting, board: place.board, act: "keep" });
    if (!response.ok) throw new Error(say.sayDown);
    tell((await response.json()).text, false);
  } catch (error) {
    question(one.cell, one.query); // it comes back, so that it can be answered again
    tell(say.sayDown, true);
  }
}
