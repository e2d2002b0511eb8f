/* Entry of a deal by tapping: choose a seat, then tap its thirteen cards. The fourth hand is filled in
 * automatically.
 *
 * The text fields contain the tapped cards and also work without this script.
 */

import { button, fill, pip, sign } from "./parts.js";

const form = document.getElementById("deal");
const pad = document.getElementById("pad");
const words = document.getElementById("deal-words");
const SUITS = ["S", "H", "D", "C"];
const RANKS = "AKQJT98765432";
const SEATS = ["N", "E", "S", "W"];
const names = {};
const fields = {};
for (const seat of SEATS) {
  fields[seat] = document.getElementById("hand-" + seat);
  names[seat] = form.querySelector('label[for="hand-' + seat + '"]').firstChild.textContent.trim();
}
const turnUp = document.getElementById("turn-up");
let now = "N";

function read(seat) {
  const suits = fields[seat].value.toUpperCase().replace(/10/g, "T").split(".");
  const held = new Set();
  SUITS.forEach(function (suit, place) {
    for (const rank of suits[place] || "") if (RANKS.includes(rank)) held.add(suit[0] + rank);
  });
  return held;
}

function write(seat, held) {
  fields[seat].value = held.size === 0 ? "" : SUITS.map(function (suit) {
    return Array.from(RANKS).filter(function (rank) { return held.has(suit[0] + rank); }).join("");
  }).join(".");
}

let picking = true; // whether a tap chooses the turn-up, once all 52 cards are entered

const seats = document.createElement("div");
seats.className = "actions";
const chosen = {};
for (const seat of SEATS) {
  chosen[seat] = button(names[seat], function () {
    picking = now === seat && !picking; // a second click allows corrections when all hands are complete
    now = seat;
    show();
  });
  seats.append(chosen[seat]);
}
pad.append(seats);

const cards = new Map();
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

function complete() {
  return SEATS.every(function (seat) { return read(seat).size === 13; });
}

function tap(code) {
  const dealer = form.dataset.dealer;
  if (turnUp && complete() && picking && read(dealer).has(code)) {
    turnUp.value = code;
    return show();
  }
  const held = read(now);
  if (held.has(code)) held.delete(code);
  else if (held.size < 13) held.add(code);
  write(now, held);
  if (turnUp && now === dealer && turnUp.value === code) turnUp.value = "";
  const full = SEATS.filter(function (seat) { return read(seat).size === 13; });
  if (held.size === 13 && full.length === 3) fillLast();
  else if (complete()) picking = true;
  else if (held.size === 13) now = SEATS.find(function (seat) { return read(seat).size < 13; }) || now;
  show();
}

function fillLast() {
  const last = SEATS.find(function (seat) { return read(seat).size < 13; });
  const held = new Set(cards.keys());
  for (const seat of SEATS) {
    if (seat !== last) for (const code of read(seat)) held.delete(code);
  }
  write(last, held);
  now = form.dataset.dealer;
  picking = true;
}

function show() {
  const holders = new Map();
  for (const seat of SEATS) for (const code of read(seat)) holders.set(code, seat);
  const all = Boolean(turnUp) && complete() && picking; // an event without a turn-up has none to choose
  for (const [code, card] of cards) {
    const holder = holders.get(code);
    card.setAttribute("aria-pressed", String(all ? turnUp.value === code : holder === now));
    card.disabled = all ? holder !== form.dataset.dealer : Boolean(holder) && holder !== now;
  }
  for (const seat of SEATS) chosen[seat].setAttribute("aria-pressed", String(seat === now));
  const count = read(now).size;
  words.textContent = all ? form.dataset.pick
    : fill(count === 13 ? form.dataset.full : form.dataset.left, { seat: names[now], left: 13 - count });
}

form.addEventListener("input", show);
pad.hidden = words.hidden = false;
show();
