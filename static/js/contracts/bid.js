/* A hand that is being entered: its contract, players, tricks and terms. Nothing here knows the page. */

import { findContract, isFlat, playerCounts } from "./settling.js";

const FEW = 24; // contracts that fit one screen; more of them begin with the level

export function newBid() {
  return { step: "contract", level: "", contract: "", by: [], isAlone: false, made: {}, passed: 0, times: 1, revokes: 0, fines: [] };
}

/* The contracts under their headings, in the order of the bids. */
export function families(table) {
  const found = new Map();
  for (const each of table.contracts) {
    if (!each.played) continue;
    if (!found.has(each.family)) found.set(each.family, []);
    found.get(each.family).push(each);
  }
  return [...found];
}

/* Whether the contracts are too many for one screen, so that the level is chosen first. */
export function startsWithLevel(table) {
  return table.contracts.filter(function (each) { return each.played; }).length > FEW;
}

/* Choose a player, or another one: one name for a contract of one player, else each name goes on and off. */
export function choosePlayer(contract, by, seat) {
  const most = playerCounts(contract)[1];
  if (by.includes(seat)) return by.filter(function (each) { return each !== seat; });
  if (most === 1) return [seat];
  return by.length < most ? [...by, seat] : [...by.slice(1), seat];
}

/* Whether a bidder without a partner must be confirmed, as a partner may have been forgotten. */
export function mayLackPartner(contract, by) {
  return contract.side === "pair-or-alone" && by.length === 1;
}

export function hasPlayers(contract, bid) {
  const [least, most] = playerCounts(contract);
  const isConfirmed = bid.isAlone || !mayLackPartner(contract, bid.by);
  return isConfirmed && bid.by.length >= least && bid.by.length <= most;
}

/* How the result is entered: the pad of tricks, "made" and "lost", one pair for each player, or nothing. */
export function resultKind(contract, bid) {
  if (contract.how === "loses") return "none";
  if (contract.side === "each") return "each";
  return isFlat(contract) && !bid.revokes ? "flat" : "tricks";
}

/* The hand in the format of files, with a result: `{ tricks: 9 }`, `{ made: [true, false] }` or `{}`. */
export function handOf(bid, result) {
  const hand = bid.contract ? { contract: bid.contract, by: bid.by, ...result } : {};
  if (bid.passed) hand.passed = bid.passed;
  if (bid.times > 1) hand.times = bid.times;
  if (bid.revokes) hand.revokes = bid.revokes;
  if (bid.fines.length) hand.fines = bid.fines;
  return hand;
}

/* The seat that deals a hand: seat 1 deals the first. A passed deal goes to the next dealer, unless the
 * same player deals again. */
export function dealerOf(table, hands, number, passed) {
  const earlier = hands.filter(function (each) { return each.hand < number; });
  const counts = [passed, ...earlier.map(function (each) { return each.contract.passed || 0; })];
  const moves = table.passed === "redeal" ? 0 : counts.reduce(function (sum, each) { return sum + each; }, 0);
  return 1 + (Math.max(number - 1, 0) + moves) % 4;
}

/* The players who are asked whether a hand as bid is right: those who did not play its contract. */
export function opponentsOf(hand) {
  const by = hand.by || [];
  const others = [1, 2, 3, 4].filter(function (seat) { return !by.includes(seat); });
  return by.length ? others : [];
}

/* What is said about a hand: a list of names of words, with their values. */
export function describe(table, hand) {
  const contract = findContract(table, hand);
  const found = [];
  if (contract && contract.side === "each" && hand.by.length > 1) {
    hand.by.forEach(function (seat, at) { found.push(resultWords(contract, [seat], hand, at)); });
  } else if (contract) found.push(resultWords(contract, hand.by, hand, 0));
  if (hand.passed && table.passed !== "redeal") found.push(["sayPassed", { n: hand.passed }]);
  if (hand.times > 1) found.push(["sayTimes", { n: hand.times }]);
  if (hand.revokes) found.push(["sayRevokes", { n: hand.revokes }]);
  for (const fine of hand.fines || []) found.push(["sayFine", { by: [fine.by], n: fine.each }]);
  return found;
}

function resultWords(contract, by, hand, at) {
  const value = hand.made === undefined ? hand.tricks : hand.made;
  const one = Array.isArray(value) ? value[at] : value;
  const about = { by: by, contract: contract.local, n: one };
  if (contract.how === "loses") return ["sayPays", about];
  if (typeof one !== "boolean") return ["sayTricks", about];
  return [one ? "sayMade" : "sayLost", about];
}
