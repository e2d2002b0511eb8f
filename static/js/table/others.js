/* What other tables made of the boards just played here, and where these pairs stand.
 *
 * The server tells it once, to the phone whose entry ended the round. It is kept in no store and for
 * two minutes at most: whoever sits here next may still have those boards to play.
 */

import { line, root, say } from "../phone/frame.js";
import { kind } from "../phone/sending.js";

const LONGEST = 120000; // milliseconds
let told = null;
let timer = 0;

/* Take what an answer tells of other tables, if it does. */
export function hear(answer) {
  if (!answer.others) return;
  told = answer.others;
  clearTimeout(timer);
  timer = setTimeout(function () { forget(); kind.draw(false); }, LONGEST);
}

export function forget() {
  told = null;
}

/* Whether each board is told by itself: then its page waits for a finger before the next one. */
export function tellsEach() {
  return root.dataset.tells === "board";
}

export function drawOthers(each, board, mode) {
  const box = document.getElementById("t-others");
  const isHere = told && told.sitting === each.sitting;
  const boards = isHere ? told.boards.filter(function (one) { return mode !== "done" || one.board === board.board; }) : [];
  box.hidden = !["done", "turn", "over"].includes(mode) || !boards.length;
  const key = JSON.stringify([boards, isHere && told.places]);
  if (box.hidden || box.dataset.key === key) return;
  box.dataset.key = key;
  document.getElementById("t-other-list").replaceChildren(...boards.map(boardLine));
  const lines = told.places.map(function (one) { return one.join(" "); });
  document.getElementById("t-place").hidden = !lines.length;
  document.getElementById("t-place-title").textContent = say.sayPlace;
  document.getElementById("t-place-list").replaceChildren(...lines.map(line("li")));
}

function boardLine(one) {
  const made = line("li")(say.sayBoard.replace("%board", one.board) + ": " + one.ns + " – " + one.ew + " ");
  const gap = document.createElement("b");
  gap.className = one.side;
  gap.textContent = say.sayMark.replace("%mark", one.gap);
  const others = document.createElement("span");
  others.className = "quiet";
  others.textContent = " " + say.sayOthers.replace("%made", one.others.join(", "));
  made.append(gap, others);
  return made;
}
