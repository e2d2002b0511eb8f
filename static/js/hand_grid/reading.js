/* The texts of a row, read as a hand: the same rules as `drives/games/hand_rows.py`. This module does not
 * access the page or the network.
 */

import { findContract, isFlat, playerCounts, settle } from "../contracts/settling.js";

const TRICKS = 13;
const FINE = /^f\s*([1-4])\s*[: ]\s*([0-9]{1,4})(?:\s+(.{1,200}))?$/i;

/* Return a text without spaces, case and accents: "Misère op tafel" as "misereoptafel". */
function fold(text) {
  const letters = text.toLowerCase().replace(/\s+/g, "").replaceAll("æ", "ae").replaceAll("ø", "o");
  return letters.normalize("NFD").replace(/\p{M}/gu, "");
}

/* Return the names of a contract on the page, e.g. two for "oplægger, bordlægger". */
function namesOf(contract) {
  return contract.local.split(",").map(function (each) { return each.trim(); }).filter(Boolean);
}

function playable(table, isFound) {
  return table.contracts.filter(function (each) { return each.played && isFound(each); });
}

function hasKeyFrom(contract, typed) {
  return contract.key.startsWith(typed);
}

function nameFrom(contract, typed) {
  return namesOf(contract).find(function (name) { return fold(name).startsWith(typed); });
}

/* Return the contracts that may be bid and whose key or name begins with a text. */
export function contractsFrom(table, text) {
  const typed = fold(text);
  return playable(table, function (each) { return hasKeyFrom(each, typed) || nameFrom(each, typed); });
}

/* Whether a name of a contract is longer than a text and begins with it. */
export function isNameBegun(table, text) {
  const typed = fold(text);
  return typed !== "" && playable(table, function (each) {
    return namesOf(each).some(function (name) { return fold(name).startsWith(typed) && fold(name) !== typed; });
  }).length > 0;
}

/* Whether a text says that everyone passed. The table of the page has these words, folded. */
export function isPassedWord(table, text) {
  return table.passedWords.includes(fold(text));
}

/* Whether a word that says that everyone passed begins with a text. */
export function isPassedWordBegun(table, text) {
  const typed = fold(text);
  return typed !== "" && table.passedWords.some(function (word) { return word.startsWith(typed); });
}

/* Return a text completed to the key of a contract, or to its name. */
export function completed(contract, text) {
  const typed = fold(text);
  if (hasKeyFrom(contract, typed)) return contract.key;
  const name = nameFrom(contract, typed);
  let at = 0;
  while (fold(name.slice(0, at)) !== typed) at += 1;
  return text + name.slice(at);
}

/* Return the contract that a text means: by key, code or name, or as the only one that begins with it. */
export function contractOf(table, text) {
  const typed = fold(text);
  if (!typed) return undefined;
  const isKey = function (each) { return each.key === typed || each.code === typed; };
  const isNamed = function (each) { return namesOf(each).some(function (name) { return fold(name) === typed; }); };
  const byKey = playable(table, function (each) { return hasKeyFrom(each, typed); });
  const byName = playable(table, function (each) { return nameFrom(each, typed); });
  const only = isPassedWord(table, text) ? undefined : [byKey, byName].find(function (each) { return each.length === 1; });
  return table.contracts.find(isKey) || table.contracts.find(isNamed) || (only && only[0]);
}

/* Return the seats of a text such as "13", or "1a" for a bidder who has no partner in a contract that may have one. */
export function seatsOf(contract, text) {
  const seats = text.replace(/[\s,/]/g, "").toLowerCase();
  const mayLackPartner = contract.side === "pair-or-alone";
  const isAlone = mayLackPartner && /^\da$/.test(seats);
  if (mayLackPartner && seats.length === 1) return [];
  return [...(isAlone ? seats.slice(0, 1) : seats)].map(Number);
}

function parts(text) {
  return text.replaceAll("−", "-").split(/[\s,/]+/).filter(Boolean);
}

function resultOf(contract, text) {
  const marks = parts(text).join("");
  if (!marks) return {};
  const isMarks = /^[+-]+$/.test(marks);
  const values = isMarks ? [...marks].map(function (each) { return each === "+"; }) : parts(text).map(Number);
  const value = contract.side === "each" || values.length > 1 ? values : values[0];
  return isMarks ? { made: value } : { tricks: value };
}

/* Read doubling, revokes and fines; null for anything else. */
function otherOf(text) {
  const found = {};
  for (const part of text.split(";").map(function (each) { return each.trim(); }).filter(Boolean)) {
    const times = /^x\s*([0-9]{1,2})$/i.exec(part);
    const revokes = /^r\s*([0-9]{1,2})?$/i.exec(part);
    const fine = FINE.exec(part);
    if (times) found.times = Number(times[1]);
    else if (revokes) found.revokes = Number(revokes[1] || 1);
    else if (fine) {
      const why = fine[3] ? { why: fine[3] } : {};
      found.fines = [...(found.fines || []), { by: Number(fine[1]), each: Number(fine[2]), ...why }];
    } else return null;
  }
  return found;
}

/* Read a row: `{ hand }` in the format of files, `{ score }`, or null where it is empty or unreadable. */
export function readRow(table, texts) {
  if (texts.scores.trim()) {
    const score = parts(texts.scores).map(Number);
    return score.length === 4 && score.every(Number.isInteger) ? { score: score } : null;
  }
  const other = otherOf(texts.other);
  if (other === null) return null;
  const passed = Number(texts.passed || 0);
  const hand = { ...other, ...(passed ? { passed: passed } : {}) };
  if (!texts.contract.trim()) return hand.fines ? { hand: hand } : null;
  const contract = contractOf(table, texts.contract);
  if (!contract) {
    const isOnlyWord = !texts.players.trim() && !texts.tricks.trim() && !Object.keys(hand).length;
    return isOnlyWord && isPassedWord(table, texts.contract) ? { score: [0, 0, 0, 0] } : null;
  }
  return { hand: { contract: contract.code, by: seatsOf(contract, texts.players), ...resultOf(contract, texts.tricks), ...hand } };
}

/* Whether a hand that was read is complete and played here, so that its points can be shown. */
export function isComplete(table, hand) {
  const contract = findContract(table, hand);
  if ((contract && !contract.played) || !areTermsPlayed(table, hand)) return false;
  if (!contract) return Boolean(hand.fines) && !hand.contract;
  const [least, most] = playerCounts(contract);
  const isSeated = new Set(hand.by).size === hand.by.length && hand.by.every(function (seat) { return seat >= 1 && seat <= 4; });
  if (!isSeated || hand.by.length < least || hand.by.length > most) return false;
  if (contract.how === "loses") return hand.tricks === undefined && hand.made === undefined;
  const value = hand.made === undefined ? hand.tricks : hand.made;
  const values = value === undefined ? [] : [value].flat();
  if (values.length !== (contract.side === "each" ? hand.by.length : 1)) return false;
  if (hand.made !== undefined) return isFlat(contract);
  const isInRange = values.every(function (each) { return Number.isInteger(each) && each >= 0 && each <= TRICKS; });
  return isInRange && values.reduce(function (sum, each) { return sum + each; }, 0) <= TRICKS;
}

/* Whether the club plays the doubling, the revokes and the fines of a hand. */
function areTermsPlayed(table, hand) {
  const isDoublingPlayed = !hand.times || hand.times === 1 || table.times.includes(hand.times);
  return isDoublingPlayed && (!hand.revokes || Boolean(table.revoke)) && (!hand.fines || table.fines);
}

/* Return the four points of a row's texts; null where they are not known yet. */
export function pointsOf(table, texts) {
  const found = readRow(table, texts);
  if (!found) return null;
  if (found.score) return found.score;
  if (!isComplete(table, found.hand)) return null;
  const settled = settle(table, found.hand);
  return settled && settled.points;
}
