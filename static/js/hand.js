/* Entry of one hand by tapping its thirteen cards. For a dealer's hand the turn-up is tapped afterwards.
 *
 * The text fields contain the tapped cards and also work without this script.
 */

import { button, fill, pip, sign } from "./parts.js";

const form = document.getElementById("hand");
const pad = document.getElementById("pad");
const words = document.getElementById("hand-words");
const field = document.getElementById("cards");
const turnUp = document.getElementById("turn-up");
const isDealer = Boolean(turnUp) && form.dataset.dealer === "yes"; // other hands have no turn-up
const SUITS = ["S", "H", "D", "C"];
const RANKS = "AKQJT98765432";
const cards = new Map();
let picking = false; // whether a tap chooses the turn-up, once thirteen cards are entered

function read() {
  const held = new Set();
  field.value.toUpperCase().replace(/10/g, "T").split(".").forEach(function (suit, place) {
    if (SUITS[place]) for (const rank of suit) if (RANKS.includes(rank)) held.add(SUITS[place][0] + rank);
  });
  return held;
}

function write(held) {
  field.value = held.size === 0 ? "" : SUITS.map(function (suit) {
    return Array.from(RANKS).filter(function (rank) { return held.has(suit[0] + rank); }).join("");
  }).join(".");
}

function tap(code) {
  const held = read();
  if (picking) {
    turnUp.value = code;
  } else {
    if (held.has(code)) held.delete(code);
    else if (held.size < 13) held.add(code);
    write(held);
    picking = isDealer && held.size === 13;
  }
  show();
}

function sentence(held) {
  if (held.size < 13) return fill(form.dataset.left, { held: held.size, left: 13 - held.size });
  if (!isDealer) return form.dataset.full;
  const chosen = cards.get(turnUp.value.toUpperCase());
  return chosen ? fill(form.dataset.picked, { card: chosen.textContent }) : form.dataset.pick;
}

function show() {
  const held = read();
  const now = turnUp ? turnUp.value.toUpperCase() : "";
  for (const [code, card] of cards) {
    card.setAttribute("aria-pressed", String(picking ? code === now : held.has(code)));
    card.disabled = picking ? !held.has(code) : held.size === 13 && !held.has(code);
  }
  change.hidden = !picking;
  words.textContent = sentence(held);
}

for (const suit of SUITS) {
  const row = document.createElement("div");
  row.className = "cardpad__suit";
  for (const rank of RANKS) {
    const code = suit + rank;
    const card = button(rank === "T" ? "10" : rank, function () { tap(code); });
    card.className = "cardpad__card suit-" + suit.toLowerCase();
    card.setAttribute("aria-label", card.textContent + sign(suit));
    card.append(pip(suit));
    cards.set(code, card);
    row.append(card);
  }
  pad.append(row);
}
const change = button(form.dataset.again, function () { picking = false; turnUp.value = ""; show(); });
pad.append(change);

form.addEventListener("input", function () { picking = isDealer && read().size === 13; show(); });
picking = isDealer && read().size === 13;
words.after(form.querySelector(".actions")); // keep the submit button close to the cards
pad.hidden = words.hidden = false;
show();
