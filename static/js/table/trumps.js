/* What a table declares, where the event notes it (Law IV 11): a suit, and in points also no trump and
 * whether it is doubled. It is entered with the result and shown to the other side with it. On a page without the question this module does nothing.
 */

import { fill } from "../parts.js";

const asking = document.getElementById("t-trumps");
const doubling = document.getElementById("t-doubled");
let of = ""; // the board for which a suit stands chosen, with what is known of it

/* The declaration sent with an act: the one chosen with the result, or the one shown with it. */
export function trumpOf(act, board) {
  if (!asking) return {};
  const strain = chosenIn(asking);
  return { trump: act === "enter" ? strain && strain + chosenIn(doubling) : board.trump };
}

function chosenIn(fields) {
  const chosen = fields && fields.querySelector("input:checked");
  return chosen ? chosen.value : "";
}

/* The suit in a sentence; "" where none is noted. */
export function trumpWords(code) {
  return asking && code ? fill(asking.dataset.sayTrump, { suit: wordOf(code) }) : "";
}

/* What a director has changed about it, for the news. */
export function trumpNews(word, values) {
  return asking ? fill(asking.dataset[word], Object.assign({ suit: wordOf(values.trump) }, values)) : "";
}

/* Show what is noted of a board; what somebody is choosing stays until the board is another. */
export function drawTrump(board, each) {
  if (!asking) return;
  for (const place of document.querySelectorAll(".table__trump")) place.textContent = trumpWords(board.trump);
  const now = [each.sitting, board.board, board.mark, board.trump].join();
  if (now === of) return;
  of = now;
  choose(asking, board.trump.slice(0, 1));
  choose(doubling, board.trump.slice(1));
}

function choose(fields, value) {
  if (!fields) return;
  for (const one of fields.querySelectorAll("input")) one.checked = one.value === value;
}

function wordOf(code) {
  if (!code) return "";
  const times = code.slice(1);
  const strain = asking.dataset["suit" + code[0]];
  return times ? strain + ", " + asking.dataset[times === "X" ? "doubledX" : "doubledXx"] : strain;
}
