/* Navigation in the grid; one block and one cell are active at a time.
 *
 * A large session is divided into parts, each on a separate page. The page is only left for another part once
 * everything entered on it is saved.
 */

import { asked, blocks, cellOf, cells, cellsOf, isDue, isMissing, isUnsaved, linkOf, queue, root, say, showTitle, tell } from "./page.js";
import { commit } from "./sending.js";

let sought = null; // the missing cell that was announced last
let leavingFor = ""; // the URL of another part, while results are being saved

/* Return the URL of a block in another part. */
export function addressOf(key) {
  return "?by=" + say.by + "&at=" + key + "#" + key;
}

/* Go to another part as soon as everything is saved; until then keys change no cell. */
export function leave(url) {
  const cell = cellOf(document.activeElement);
  if (cell && !commit(cell)) return;
  leavingFor = url;
  document.activeElement.blur();
  leaveWhenSaved();
}

export function leaveWhenSaved() {
  if (!leavingFor || queue.length || asked.length) return;
  const url = leavingFor;
  const open = cells.find(isUnsaved);
  leavingFor = "";
  if (open) focus(open);
  else location.assign(url);
}

/* Return the link to the previous or next part: "prev" or "next". */
function otherPart(rel) {
  return root.querySelector(".scores__turn [rel=" + rel + "]");
}

export function takeInHand(block) {
  showInHand(block);
  history.replaceState(null, "", addressOf(block.id));
}

export function showInHand(block) {
  for (const other of blocks) {
    other.classList.toggle("is-in-hand", other === block);
    const link = linkOf(other);
    if (other === block) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  showTitle(block);
  root.dispatchEvent(new Event("inhand"));
  showStep("scores-before", blocks[blocks.indexOf(block) - 1], otherPart("prev"));
  showStep("scores-after", blocks[blocks.indexOf(block) + 1], otherPart("next"));
  const map = root.querySelector(".scores__tiles");
  const link = linkOf(block);
  if (map.scrollWidth > map.clientWidth) map.scrollLeft = link.offsetLeft - map.clientWidth / 2;
  if (map.scrollHeight > map.clientHeight) map.scrollTop = link.offsetTop - map.clientHeight / 2;
}

/* Label a button with the previous or next block; at the end of a part with the block of the next part. */
function showStep(id, block, other) {
  const button = document.getElementById(id);
  button.hidden = !block && !other;
  if (button.hidden) return;
  button.querySelector("span").textContent = block
    ? linkOf(block).querySelector("[aria-hidden]").textContent : other.dataset.number;
  button.setAttribute("aria-label", block ? block.dataset.title : other.textContent.trim());
}

export function blockInHand() {
  return root.querySelector(".is-in-hand");
}

/* Return the block that the URL's fragment names. */
export function blockNamed() {
  return blocks.find(function (one) { return "#" + one.id === location.hash; });
}

export function focus(cell) {
  leavingFor = "";
  if (!cell.block.classList.contains("is-in-hand")) takeInHand(cell.block);
  cell.input.focus({ preventScroll: true });
  cell.input.scrollIntoView({ block: "nearest", inline: "nearest" }); // scroll as little as possible
  cell.input.select();
}

export function firstOf(block) {
  const inside = cellsOf(block);
  return inside.find(function (cell) { return isDue(cell); }) || inside.find(isMissing) || inside[0];
}

export function enterBlock(block) {
  takeInHand(block);
  const cell = firstOf(block);
  if (cell) focus(cell);
}

export function changeBlock(cell, by) {
  const block = blocks[blocks.indexOf(cell.block) + by];
  const other = otherPart(by > 0 ? "next" : "prev");
  if (block) enterBlock(block);
  else if (other) leave(other.href);
}

export function step(cell, by) {
  const inside = cellsOf(cell.block);
  const target = inside[inside.indexOf(cell) + by];
  if (target) focus(target);
  else stepBlock(cell, by);
}

function stepBlock(cell, by) {
  const block = blocks[blocks.indexOf(cell.block) + by];
  const other = otherPart(by > 0 ? "next" : "prev");
  if (block && by > 0) enterBlock(block);
  else if (block) focus(cellsOf(block).pop());
  else if (other) leave(other.href);
  else if (by > 0) nextMissing(cell);
}

/* Go to the next cell: after a missing result to the next missing one, so that no result entered at a table is
 * overwritten; after a correction to the next line.
 */
export function onward(cell) {
  const inside = cellsOf(cell.block);
  const target = inside.slice(inside.indexOf(cell) + 1).find(function (next) { return isDue(next, cell); });
  if (cell.seen.value) step(cell, 1);
  else if (target) focus(target);
  else stepBlock(cell, 1);
}

/* Go to the next missing result; if the current cell is missing, announce it once first. */
export function seekMissing(cell) {
  if (!isMissing(cell) || cell === sought) nextMissing(cell);
  sought = cellOf(document.activeElement);
  if (sought === cell && isMissing(cell)) tell(say.sayMissing, false);
}

function nextMissing(cell) {
  const from = cells.indexOf(cell) + 1;
  const below = cells.slice(from).find(isMissing);
  const above = cells.slice(0, from).find(isMissing);
  if (below) focus(below);
  else if (say.missingElsewhere) leave(addressOf(say.missingElsewhere));
  else if (above) focus(above);
  else {
    commit(cell);
    cell.input.select();
  }
}
