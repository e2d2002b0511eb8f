/* Entry of a play by tapping its cards. After each card the server returns who plays next and which cards are
 * legal.
 *
 * The inputs of the table contain every card and also work without this script.
 */

import { fill } from "./parts.js";

const form = document.getElementById("play");
const words = document.getElementById("play-words");
const undo = document.getElementById("play-undo");
let state = null;

const cards = new Map();
for (const mark of form.querySelectorAll("[data-card]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = mark.className;
  button.dataset.card = mark.dataset.card;
  button.append(...mark.childNodes);
  mark.replaceWith(button);
  cards.set(button.dataset.card, button);
}

function cell(trick, seat) {
  return form.elements["t" + trick + seat];
}

function show(found) {
  state = found;
  const legal = new Set(found.legal);
  const played = new Set(found.played);
  for (const [code, button] of cards) {
    const mine = button.closest("[data-seat]").dataset.seat === found.turn;
    button.classList.toggle("is-played", played.has(code));
    button.disabled = played.has(code) || !mine;
    button.classList.toggle("is-now", legal.has(code));
  }
  words.textContent = [found.text, found.turn ? fill(form.dataset.next, { seat: found.turn_word }) : ""]
    .concat(found.revokes).join(" ");
  undo.hidden = found.played.length === 0;
}

async function check() {
  const answer = await fetch(form.dataset.check, { method: "POST", body: new FormData(form) });
  const found = await answer.json();
  if (answer.ok) show(found);
  else words.textContent = found.detail;
}

form.addEventListener("click", function (event) {
  const button = event.target.closest("button[data-card]");
  if (!button || !state || !state.turn) return;
  cell(state.trick, state.turn).value = button.dataset.card;
  check();
});

form.addEventListener("change", function (event) {
  if (/^t\d+[NESW]$/.test(event.target.name)) check();
});

undo.addEventListener("click", function () {
  const last = state.played[state.played.length - 1];
  for (const input of form.querySelectorAll(".tricks input")) {
    if (input.value.toUpperCase() === last) input.value = "";
  }
  check();
});

check();
