/* The results of other tables on the boards just played, and the ranks of these pairs.
 *
 * The server sends them once, to the phone whose entry ended the round. They are kept in memory for at most two
 * minutes, because the next players here may still have these boards to play.
 */

import { line, root, say } from "../phone/frame.js";
import { kind } from "../phone/sending.js";

const LONGEST = 120000; // milliseconds for which they are kept
let told = null;
let timer = 0;

/* Store the results of other tables from a response, if it has any. */
export function hear(answer) {
  if (!answer.others) return;
  told = answer.others;
  clearTimeout(timer);
  timer = setTimeout(function () { forget(); kind.draw(false); }, LONGEST);
}

export function forget() {
  told = null;
}

/* Return whether results are shown after each board; its page then waits for a tap before the next board. */
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
