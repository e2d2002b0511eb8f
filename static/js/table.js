/* The page of an event's table: entering and confirming boards. The shared parts of all table pages are in
 * phone/.
 *
 * Each file in table/ imports only those listed before it: made, truth, others, rounds, trumps, drawing.
 */

import { canRun, root } from "./phone/frame.js";
import { keep, kept } from "./phone/kept.js";
import { forgetNews } from "./phone/news.js";
import { begin, enter } from "./phone/page.js";
import { draw, shown } from "./table/drawing.js";
import { forget, tellsEach } from "./table/others.js";
import { choose, inHand, take } from "./table/rounds.js";
import { trumpOf } from "./table/trumps.js";

const form = document.getElementById("t-enter");

function act(name, value) {
  const board = shown.board;
  if (!board) return;
  const entry = { act: name, sitting: shown.each.sitting, seats: shown.each.seats, board: board.board,
    seen: board.mark, side: shown.side };
  if (name === "enter") entry.value = value;
  else entry.ticket = board.ticket;
  Object.assign(entry, trumpOf(name, board));
  dropAnswered(entry);
  const isHeld = name === "confirm" && tellsEach();
  choose({ number: name === "enter" || isHeld ? board.board : 0, picked: isHeld, again: false });
  enter(entry);
}

/* Remove conflicts about a board once an answer for it is sent. */
function dropAnswered(sent) {
  kept.troubles = kept.troubles.filter(function (trouble) {
    return typeof trouble.theirs !== "string" || trouble.sitting !== sent.sitting || trouble.board !== sent.board;
  });
  keep();
}

/* Return the value that a button enters: its own, or the typed points. */
function pressed(button) {
  if (button.value !== "points") return button.value;
  return Number(form.elements.ns.value) + "-" + Number(form.elements.ew.value);
}

function onClick(event) {
  const link = event.target.closest("a[data-board], a[data-again], a[data-on]");
  if (link) {
    event.preventDefault();
    const isAgain = "again" in link.dataset;
    const number = Number(link.dataset.board) || (isAgain && shown.board ? shown.board.board : 0);
    choose({ number: number, picked: number > 0, again: isAgain });
    draw(true);
  } else if (event.target.id === "t-next") {
    choose({ round: inHand.round + 1, number: 0, picked: false, again: false });
    forgetNews();
    forget();
    draw(true);
  }
}

if (canRun) {
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    if (event.submitter) act("enter", pressed(event.submitter));
  });
  root.addEventListener("click", onClick);
  begin({
    act: act,
    take: take,
    draw: draw,
    field: "value",
    mine: function (sent) { return sent.value || sent.seen; },
    about: function (sent) { return sent; },
  });
}
