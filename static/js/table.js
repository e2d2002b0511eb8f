/* A table's page: what is tapped is kept on the phone until the server has it.
 *
 * Every entry and every yes is written into the browser's own store first, in order, each with a
 * name of its own; then it is sent, oldest first, and taken out when it is answered. So a drop in the
 * connection, a reload or a phone that falls asleep loses nothing, and nothing is entered twice.
 *
 * Each file in table/ imports only those before it: kept, rounds, sending, drawing.
 */

import { draw, gone, isGone, put } from "./table/drawing.js";
import { wait } from "./table/kept.js";
import { current, inHand, root, say, standing, take } from "./table/rounds.js";
import { look, pump, send, showBy } from "./table/sending.js";

const enter = document.getElementById("t-enter");

function act(name, board, value) {
  const entry = { act: name, sitting: current().sitting, round: inHand.round, board: board.board, seen: board.mark };
  if (name === "enter") entry.value = value;
  wait(entry);
  inHand.number = name === "enter" ? board.board : 0;
  inHand.picked = inHand.again = false;
  draw(true);
  pump();
}

async function call(event) {
  event.preventDefault();
  const answer = await send({ act: "call" });
  if (answer === null) put("t-called", say.sayCallDown);
  else if (answer.status === 200) {
    take(answer.data);
    draw(false);
  }
}

function boardInHand() {
  const number = Number(enter.elements.board.value);
  return standing(current()).find(function (one) { return one.board === number; });
}

function onClick(event) {
  const link = event.target.closest("a[data-board], a[data-again], a[data-on]");
  if (link) {
    event.preventDefault();
    inHand.again = "again" in link.dataset;
    inHand.picked = inHand.again || "board" in link.dataset;
    if (link.dataset.board) inHand.number = Number(link.dataset.board);
    else inHand.number = inHand.again ? boardInHand().board : 0;
    draw(true);
  } else if (event.target.id === "t-next") {
    inHand.round += 1;
    inHand.number = 0;
    draw(true);
  }
}

/* Another phone of the table may have entered or confirmed; a figure being typed anew stays. */
async function follow() {
  if (isGone()) return;
  const answer = await look();
  if (answer === null) return;
  if (answer.status === 410) gone(answer.data.detail);
  else if (answer.data.page) {
    const before = root.dataset.mode;
    take(answer.data);
    if (before !== "enter" || !inHand.again) draw(false);
  }
}

function begin() {
  showBy(draw, gone);
  for (const heading of root.querySelectorAll(".table__panel h2")) heading.tabIndex = -1;
  enter.addEventListener("submit", function (event) {
    event.preventDefault();
    if (event.submitter) act("enter", boardInHand(), event.submitter.value);
  });
  document.getElementById("t-confirm").addEventListener("submit", function (event) {
    event.preventDefault();
    act("confirm", boardInHand());
  });
  document.getElementById("t-call").addEventListener("submit", call);
  root.addEventListener("click", onClick);
  window.addEventListener("online", pump);
  document.addEventListener("visibilitychange", follow);
  setInterval(follow, 5000);
  draw(false);
  pump();
}

/* A browser that is too old to say which button was pressed keeps the plain forms. */
const saysButton = window.SubmitEvent && "submitter" in SubmitEvent.prototype;
if (saysButton && Element.prototype.replaceChildren) begin();
