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

export function question(cell, query) {
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
