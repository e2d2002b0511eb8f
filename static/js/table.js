/* A table's page: what is tapped is kept on the phone until the server has it.
 *
 * Every entry and every yes is written into the browser's own store first, in order, each with a
 * name of its own; then it is sent, oldest first, and taken out when it is answered. So a drop in the
 * connection, a reload or a phone that falls asleep loses nothing, and nothing is entered twice.
 *
 * What others change meanwhile is drawn as soon as it is known, and said in words.
 *
 * Each file in table/ imports only those before it: made, asking, kept, truth, rounds, others,
 * sending, trumps, troubles, drawing.
 */

import { draw, gone, put, shown } from "./table/drawing.js";
import { wait } from "./table/kept.js";
import { forget, tellsEach } from "./table/others.js";
import { choose, forgetNews, inHand, root, say, take } from "./table/rounds.js";
import { look, poll, pump, send, showBy } from "./table/sending.js";
import { dropAnswered } from "./table/troubles.js";
import { trumpOf } from "./table/trumps.js";

const enter = document.getElementById("t-enter");

function act(name, value) {
  const board = shown.board;
  if (!board) return;
  const entry = { act: name, sitting: shown.each.sitting, seats: shown.each.seats, board: board.board,
    seen: board.mark, side: shown.side };
  if (name === "enter") entry.value = value;
  else entry.ticket = board.ticket;
  Object.assign(entry, trumpOf(name, board));
  dropAnswered(entry);
  wait(entry);
  const isHeld = name === "confirm" && tellsEach();
  choose({ number: name === "enter" || isHeld ? board.board : 0, picked: isHeld, again: false });
  forgetNews();
  draw(true);
  pump();
}

/* What a button enters: its own figure, or the points that were typed. */
function pressed(button) {
  if (button.value !== "points") return button.value;
  return Number(enter.elements.ns.value) + "-" + Number(enter.elements.ew.value);
}

async function call(event) {
  event.preventDefault();
  const answer = await send({ act: "call" });
  if (answer === null) put("t-called", say.sayCallDown);
  else if (answer.status === 200) {
    take(answer.data);
    draw(false);
  } else look();
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

function begin() {
  showBy(draw, gone);
  for (const heading of root.querySelectorAll(".table__panel h2")) heading.tabIndex = -1;
  enter.addEventListener("submit", function (event) {
    event.preventDefault();
    if (event.submitter) act("enter", pressed(event.submitter));
  });
  document.getElementById("t-confirm").addEventListener("submit", function (event) {
    event.preventDefault();
    act("confirm");
  });
  document.getElementById("t-call").addEventListener("submit", call);
  root.addEventListener("click", onClick);
  window.addEventListener("online", pump);
  document.addEventListener("visibilitychange", look);
  setInterval(poll, 5000);
  draw(false);
  pump();
}

/* A browser that is too old to say which button was pressed keeps the plain forms. */
const saysButton = window.SubmitEvent && "submitter" in SubmitEvent.prototype;
if (saysButton && Element.prototype.replaceChildren) begin();
