/* The score grid: each result is saved as it is typed, in order, and nothing typed is ever lost.
 *
 * Without this script every block is a plain form with a button. With it, one block is in hand at a
 * time, the keys move between cells, and a cell is sent alone when it is left. An answer never
 * changes what stands in a cell, nor where one is typing; it changes only the words beside it.
 *
 * Each file in scores/ imports only those before it: page, sending, moving, theirs, doubts, keys.
 */

import { question } from "./scores/doubts.js";
import { listen } from "./scores/keys.js";
import { blockInHand, blockNamed, enterBlock, firstOf, focus, onward, showInHand, takeInHand } from "./scores/moving.js";
import { follow } from "./scores/others.js";
import { blocks, cellOf, cells, cellsOf, isMissing, isUnsaved, root, show, tidy } from "./scores/page.js";
import { askBy, commit, pump } from "./scores/sending.js";
import { drawTheirs } from "./scores/theirs.js";

let last = null; // the cell that had the focus last

function begin() {
  askBy(drawTheirs, question);
  root.classList.add("scores--one");
  cells.forEach(attend);
  listen();
  root.addEventListener("click", onClick);
  root.addEventListener("focusin", function (event) { last = cellOf(event.target) || last; });
  for (const block of blocks) block.addEventListener("submit", onSubmit);
  for (const made of root.querySelectorAll(".not-played, .next-cell")) made.hidden = false;
  for (const plain of root.querySelectorAll(".save-block")) plain.hidden = true;
  window.addEventListener("online", pump);
  window.addEventListener("hashchange", function () {
    const block = blockNamed();
    if (cellNamed()) focus(cellNamed());
    else if (block) enterBlock(block);
  });
  window.addEventListener("beforeunload", function (event) {
    if (cells.some(isUnsaved)) event.preventDefault();
  });
  const first = firstPlace();
  if (first) takeInHand(first.block);
  else showInHand((cells.find(isMissing) || cells[0] || { block: blocks[0] }).block);
  whenLoaded(function () {
    if (first && !root.contains(document.activeElement)) enterAt(first);
  });
  follow();
}

function attend(cell) {
  cell.input.addEventListener("input", function () { show(cell); });
  cell.input.addEventListener("focus", function () { cell.input.select(); });
  cell.input.addEventListener("blur", function () { commit(cell); });
}

/* A browser that goes to the #place of an address takes the focus away, so this waits for it. */
function whenLoaded(act) {
  if (document.readyState === "complete") act();
  else window.addEventListener("load", function () { setTimeout(act, 0); });
}

/* The cell that the address names. */
function cellNamed() {
  return cells.find(function (cell) { return "#" + cell.input.id === location.hash; });
}

/* Where to begin: a value sent back as wrong, the place of the address, or what is missing; nowhere
 * where queries stand above the grid, so that they are seen first. */
function firstPlace() {
  const typed = cells.find(function (cell) { return tidy(cell.input.value) !== cell.seen.value; });
  const named = blockNamed();
  if (typed || cellNamed()) return typed || cellNamed();
  if (named) return firstOf(named) || { block: named };
  if (document.querySelector(".doubts")) return null;
  return cells.find(isMissing) || cells[0] || { block: blocks[0] };
}

function enterAt(place) {
  if (place.input) focus(place);
  else takeInHand(place.block);
}

function onClick(event) {
  const link = event.target.closest(".scores__map a");
  const on = event.target.closest(".not-played, .next-cell");
  if (link) {
    event.preventDefault();
    enterBlock(document.getElementById(link.dataset.for));
  } else if (on) {
    goOn(last || firstOf(blockInHand()), on.classList.contains("not-played"));
  }
}

/* The buttons for fingers: many a telephone's number keys have neither Enter nor a dash. */
function goOn(cell, isNotPlayed) {
  if (isNotPlayed) {
    cell.input.value = "-";
    show(cell);
  }
  if (commit(cell)) onward(cell);
  else focus(cell);
}

function onSubmit(event) {
  event.preventDefault();
  cellsOf(event.currentTarget).forEach(commit);
}

begin();
