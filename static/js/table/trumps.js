/* The declaration of a table, if the event records it (Law IV §11): a suit, and in points also no trump and
 * doubling. It is entered with the result and confirmed with it. On a page without these fields the module does
 * nothing.
 */

import { fill } from "../parts.js";

const asking = document.getElementById("t-trumps");
const doubling = document.getElementById("t-doubled");
let of = ""; // the board whose stored declaration is shown, with its values

/* Return the declaration to send with an action: the chosen one, or for a confirmation the shown one. */
export function trumpOf(act, board) {
  if (!asking) return {};
  const strain = chosenIn(asking);
  return { trump: act === "enter" ? strain && strain + chosenIn(doubling) : board.trump };
}

function chosenIn(fields) {
  const chosen = fields && fields.querySelector("input:checked");
  return chosen ? chosen.value : "";
}

/* Return a sentence about the declaration; "" if there is none. */
export function trumpWords(code) {
  return asking && code ? fill(asking.dataset.sayTrump, { suit: wordOf(code) }) : "";
}

/* Return the news about a director's change of the declaration. */
export function trumpNews(word, values) {
  return asking ? fill(asking.dataset[word], Object.assign({ suit: wordOf(values.trump) }, values)) : "";
}

/* Show a board's stored declaration; a choice in progress is kept until the board changes. */
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
