/* The score grid: each result is saved in order as it is entered, and unsaved input is never lost.
 *
 * Without this script every block is a plain form with a button. With it one block is active at a time, keys
 * move between cells, and each cell is saved when the focus leaves it. A response never changes a cell's input
 * or the focus, only the text next to the cell.
 *
 * Each file in scores/ imports only those listed before it: page, sending, drafts, moving, theirs, doubts,
 * keys.
 */

import { button } from "./parts.js";
import { enterQuestion, listenToQuestions, question, questionNamed } from "./scores/doubts.js";
import { keepDrafts, offerDrafts } from "./scores/drafts.js";
import { listen } from "./scores/keys.js";
import { blockInHand, blockNamed, changeBlock, enterBlock, firstOf, focus, leave, leaveWhenSaved, onward, showInHand, takeInHand } from "./scores/moving.js";
import { follow } from "./scores/others.js";
import { blocks, cellOf, cells, cellsOf, isMissing, isUnsaved, queue, root, say, show, tidy, whenChanged } from "./scores/page.js";
import { askBy, commit, isDown, pump, restore, sendOnLeaving } from "./scores/sending.js";
import { askNewer, drawTheirs } from "./scores/theirs.js";

let last = null; // the cell that last had the focus

function begin() {
  askBy(drawTheirs, question);
  root.classList.add("scores--one");
  cells.forEach(attend);
  listen();
  root.addEventListener("click", onClick);
  root.addEventListener("focusin", function (event) { last = cellOf(event.target) || last; });
  for (const block of blocks) block.addEventListener("submit", onSubmit);
  for (const title of root.querySelectorAll("caption")) title.classList.add("visually-hidden"); // the page shows it as its heading
  for (const made of root.querySelectorAll(".not-played, .next-cell")) made.hidden = false;
  for (const plain of root.querySelectorAll(".save-block")) plain.hidden = true;
  for (const [id, by] of [["scores-before", -1], ["scores-after", 1]]) {
    document.getElementById(id).addEventListener("click", function () {
      changeBlock(firstOf(blockInHand()) || { block: blockInHand() }, by);
    });
  }
  window.addEventListener("online", pump);
  window.addEventListener("hashchange", function () {
    const block = blockNamed();
    if (questionNamed()) enterQuestion(questionNamed());
    else if (cellNamed()) focus(cellNamed());
    else if (block) enterBlock(block);
  });
  window.addEventListener("beforeunload", function (event) {
    const typing = cellOf(document.activeElement);
    if (typing) commit(typing);
    const isAsked = isDown() || cells.some(function (cell) { return isUnsaved(cell) && !queue.includes(cell); });
    if (isAsked && cells.some(isUnsaved)) event.preventDefault();
  });
  window.addEventListener("pagehide", function () {
    keepDrafts();
    sendOnLeaving();
  });
  listenToQuestions(function () { focus(last || firstOf(blockInHand())); });
  const offered = offerDrafts(askNewer);
  drawDrafts(offered);
  whenChanged(function () {
    keepDrafts();
    leaveWhenSaved();
    if (!offered.some(isUnsaved)) document.getElementById("scores-drafts").hidden = true;
  });
  const first = firstPlace();
  const named = questionNamed();
  if (named) enterQuestion(named);
  else if (location.hash) takeInHand(first.block);
  else showInHand(first.block); // with a fragment in the URL the browser would scroll to it
  whenLoaded(function () {
    if (root.contains(document.activeElement)) return;
    if (named) enterQuestion(named);
    else enterAt(first);
  });
  follow();
}

function attend(cell) {
  cell.input.addEventListener("input", function () {
    show(cell);
    keepDrafts();
  });
  cell.input.addEventListener("focus", function () { cell.input.select(); });
  cell.input.addEventListener("blur", function () { commit(cell); });
  if (cell.trump) cell.trump.addEventListener("change", function () { commit(cell); });
}

/* Run after loading, because a browser that scrolls to the URL's fragment moves the focus. */
function whenLoaded(act) {
  if (document.readyState === "complete") act();
  else window.addEventListener("load", function () { setTimeout(act, 0); });
}

/* Return the cell that the URL's fragment names. */
function cellNamed() {
  return cells.find(function (cell) { return "#" + cell.input.id === location.hash; });
}

/* Offer to save or discard the unsaved results of an earlier visit. */
function drawDrafts(offered) {
  const box = document.getElementById("scores-drafts");
  box.hidden = !offered.length;
  if (!offered.length) return;
  const words = document.createElement("p");
  words.textContent = offered.length === 1 ? say.sayDraftsOne : say.sayDraftsMany.replace("#", offered.length);
  const answers = document.createElement("div");
  answers.className = "actions";
  answers.append(answer(say.saySaveDrafts, commit), answer(say.sayDropDrafts, restore));
  box.append(words, answers);

  function answer(text, act) {
    return button(text, function () {
      box.hidden = true;
      offered.forEach(function (cell) { if (isUnsaved(cell)) act(cell); });
      focus(cells.find(isMissing) || offered[0]);
    });
  }
}

/* Return where to start: at an unsaved value, at the place in the URL, or at the first missing result. */
function firstPlace() {
  const typed = cells.find(function (cell) { return tidy(cell.input.value) !== cell.seen.value; });
  const named = blockNamed() || document.getElementById(say.at);
  if (typed || cellNamed()) return typed || cellNamed();
  if (named) return firstOf(named) || { block: named };
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
    const block = document.getElementById(link.dataset.for);
    event.preventDefault();
    if (block) enterBlock(block);
    else leave(link.href);
  } else if (on) {
    goOn(last || firstOf(blockInHand()), on.classList.contains("not-played"));
  }
}

/* Buttons for touch screens, because many phones' number pads have neither Enter nor a dash. */
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
