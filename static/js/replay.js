/* Step through a play card by card: with buttons, arrow keys, Home and End, or by swiping.
 *
 * The table below contains the whole play and also works without this script.
 */

import { fill } from "./parts.js";

const box = document.getElementById("replay");
const source = document.getElementById("replay-steps");
const steps = JSON.parse(source.textContent);
const trick = document.getElementById("replay-trick");
const words = document.getElementById("replay-words");
const buttons = document.getElementById("replay-buttons");
const cards = new Map();
for (const card of box.querySelectorAll("[data-card]")) cards.set(card.dataset.card, card);
let at = 0; // the number of cards played so far

function finished() {
  const last = steps[at - 1];
  const next = steps[at];
  return last && (!next || next.trick !== last.trick) ? last : null;
}

function show() {
  const played = new Set(steps.slice(0, at).map(function (step) { return step.card; }));
  const last = steps[at - 1];
  for (const [code, card] of cards) {
    card.classList.toggle("is-played", played.has(code));
    card.classList.toggle("is-now", Boolean(last) && last.card === code);
  }
  trick.textContent = steps
    .slice(0, at)
    .filter(function (step) { return last && step.trick === last.trick; })
    .map(function (step) { return step.seat + " " + step.text; })
    .join("   ");
  words.textContent = sentence(last);
  for (const row of document.querySelectorAll(".tricks tbody tr")) {
    row.classList.toggle("is-now", Boolean(last) && row.id === "trick-" + last.trick);
  }
  buttons.querySelector('[data-go="back"]').disabled = at === 0;
  buttons.querySelector('[data-go="first"]').disabled = at === 0;
  buttons.querySelector('[data-go="on"]').disabled = at === steps.length;
  buttons.querySelector('[data-go="last"]').disabled = at === steps.length;
}

function sentence(last) {
  if (!last) return box.dataset.start;
  const done = finished();
  let text = last.trick + ". " + last.words + ".";
  if (done && done.winner) {
    text += " " + fill(box.dataset.won, { seat: done.winner, ns: done.ns, ew: done.ew });
    if (done.best !== null) text += " " + fill(box.dataset.best, { tricks: done.best });
  }
  return text;
}

function go(where) {
  if (where === "first") at = 0;
  if (where === "back") at = Math.max(0, at - 1);
  if (where === "on") at = Math.min(steps.length, at + 1);
  if (where === "last") at = steps.length;
  show();
}

buttons.addEventListener("click", function (event) {
  const button = event.target.closest("[data-go]");
  if (button) go(button.dataset.go);
});

const KEYS = { ArrowRight: "on", ArrowLeft: "back", Home: "first", End: "last" };
// The arrow keys work on the whole page, except in elements that use them otherwise.
document.addEventListener("keydown", function (event) {
  if (!KEYS[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
  const elsewhere = !box.contains(event.target);
  if (elsewhere && !event.key.startsWith("Arrow")) return;
  if (elsewhere && event.target.closest("input, select, textarea, .scroll")) return;
  event.preventDefault();
  go(KEYS[event.key]);
});

let from = null;
box.addEventListener("pointerdown", function (event) { from = [event.clientX, event.clientY]; });
box.addEventListener("pointerup", function (event) {
  if (!from) return;
  const across = event.clientX - from[0];
  const down = Math.abs(event.clientY - from[1]);
  from = null;
  if (Math.abs(across) > 40 && down < 40) go(across < 0 ? "on" : "back");
});

trick.hidden = words.hidden = buttons.hidden = false;
show();
