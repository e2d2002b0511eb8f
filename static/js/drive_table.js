/* A drive's table on its phone: what is tapped is kept here until the server has it.
 *
 * Every entry and every yes is written into the browser's own store first, with a name of its own;
 * then it is sent, oldest first, and taken out when it is answered. What others change meanwhile
 * is drawn as soon as it is known, and said in words.
 *
 * Each file in drive_table/ imports only those before it: truth, state, sending, troubles, drawing.
 */

import { at, draw, put } from "./drive_table/drawing.js";
import { look, poll, pump, send, showBy } from "./drive_table/sending.js";
import { choose, forgetNews, root, say, shown, take, truth } from "./drive_table/state.js";
import { gone } from "./drive_table/troubles.js";
import { asked, seen } from "./drive_table/truth.js";
import { wait } from "./table/kept.js";

const EVERY = 5000; // milliseconds between two looks

function act(name, score, extras) {
  const hand = shown.hand;
  if (!hand) return;
  const by = hand.score.length ? (hand.awaits ? asked(hand) : "") : "A";
  const entry = { act: name, round: truth.round, seats: truth.seats, hand: hand.hand, seen: seen(hand), side: by };
  if (name === "enter") Object.assign(entry, { score: score, extras: extras });
  wait(entry);
  choose({ number: name === "enter" ? hand.hand : null, again: false });
  forgetNews();
  draw(true);
  pump();
}

function typed(form) {
  const boxes = [...form.querySelectorAll("[name=score]")].map(function (each) { return each.value.trim().replace("−", "-"); });
  const extras = [...form.querySelectorAll("[name=extras]")].map(function (each) { return each.value.trim() || "0"; });
  const isWhole = function (text) { return /^-?[0-9]{1,9}$/.test(text); };
  const wrong = [...boxes, ...extras].findIndex(function (text) { return !isWhole(text); });
  if (wrong >= 0) {
    const box = [...form.querySelectorAll("[name=score]"), ...form.querySelectorAll("[name=extras]")][wrong];
    box.setCustomValidity(say.sayNumber);
    box.reportValidity();
    return;
  }
  act("enter", boxes.join(), extras.join());
}

/* Where the sides make a sum, the second figure follows from the first. */
function complete(event) {
  const boxes = [...at("t-boxes").querySelectorAll("[name=score]")];
  for (const box of at("t-boxes").querySelectorAll("input")) box.setCustomValidity("");
  const index = boxes.indexOf(event.target);
  const total = shown.hand ? shown.hand.total : null;
  if (index < 0 || boxes.length !== 2 || total === null) return;
  const other = boxes[1 - index];
  delete event.target.dataset.follows;
  if (other.value && !other.dataset.follows) return;
  other.value = /^[0-9]+$/.test(event.target.value.trim()) ? String(total - Number(event.target.value)) : "";
  other.dataset.follows = "yes";
}

function onClick(event) {
  const link = event.target.closest("a[data-hand], a[data-again], a[data-on], a[data-way]");
  if (!link) return;
  event.preventDefault();
  if ("way" in link.dataset) choose({ number: null, again: false, isWhole: !shown.atOnce });
  else if ("hand" in link.dataset) choose({ number: Number(link.dataset.hand), again: false });
  else if ("again" in link.dataset) choose({ number: shown.hand.hand, again: true });
  else choose({ number: null, again: false });
  draw(true);
}

async function call(event) {
  event.preventDefault();
  const answer = await send({ act: "call" });
  if (answer === null) put("t-called", say.sayCallDown);
  else if (answer.status === 200) {
    take(answer.data);
    draw();
  } else look();
}

function begin() {
  showBy(draw, gone);
  for (const heading of root.querySelectorAll(".table__panel h2")) heading.tabIndex = -1;
  if (at("t-pad")) {
    at("t-pad").addEventListener("submit", function (event) {
      event.preventDefault();
      if (event.submitter) act("enter", event.submitter.value, "");
    });
  }
  at("t-boxes").addEventListener("submit", function (event) {
    event.preventDefault();
    typed(event.currentTarget);
  });
  at("t-boxes").addEventListener("input", complete);
  at("t-confirm").addEventListener("submit", function (event) {
    event.preventDefault();
    act("confirm");
  });
  at("t-call").addEventListener("submit", call);
  root.addEventListener("click", onClick);
  window.addEventListener("online", pump);
  document.addEventListener("visibilitychange", look);
  setInterval(poll, EVERY);
  draw();
  pump();
}

/* A browser that is too old to say which button was pressed keeps the plain forms. */
if (window.SubmitEvent && "submitter" in SubmitEvent.prototype && Element.prototype.replaceChildren) begin();
