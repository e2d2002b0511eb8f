/* The suit that a table declares, where the event notes it (Law IV 11): asked with the tricks, and
 * shown to the other side with them. Without the question on the page nothing here does anything.
 */

import { fill } from "../parts.js";

const asking = document.getElementById("t-trumps");
let of = ""; // the board for which a suit stands chosen, with what is known of it

/* What goes with an act: the suit chosen with the tricks, or the one that was shown with them. */
export function trumpOf(act, board) {
  if (!asking) return {};
  const chosen = asking.querySelector("input:checked");
  return { trump: act === "enter" ? (chosen ? chosen.value : "") : board.trump };
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
  for (const one of asking.querySelectorAll("input")) one.checked = one.value === board.trump;
}

function wordOf(code) {
  return code ? asking.dataset["suit" + code] : "";
}
