/* The texts of a row, read as a hand: the same rules as `drives/games/hand_rows.py`. This module does not
 * access the page or the network.
 */

import { findContract, isFlat, playerCounts, settle } from "../contracts/settling.js";

const TRICKS = 13;
const FINE = /^f\s*([1-4])\s*[: ]\s*([0-9]{1,4})(?:\s+(.{1,200}))?$/i;

/* Return the contracts that may be bid and whose keys begin with a text. */
export function keysFrom(table, text) {
  const typed = text.trim().toLowerCase();
  return table.contracts.filter(function (each) { return each.played && each.key.startsWith(typed); });
}

/* Return the contract that a text means: by key, by code, or as the only one that begins with it. */
export function contractOf(table, text) {
  const typed = text.trim().toLowerCase();
  if (!typed) return undefined;
  const named = table.contracts.find(function (each) { return each.key === typed || each.code === typed; });
  const found = keysFrom(table, typed);
  return named || (found.length === 1 ? found[0] : undefined);
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
  if (!contract) return null;
  const by = [...texts.players.replace(/[\s,/]/g, "")].map(Number);
  return { hand: { contract: contract.code, by: by, ...resultOf(contract, texts.tricks), ...hand } };
}

/* Whether a hand that was read is complete, so that its points can be shown. */
export function isComplete(table, hand) {
  const contract = findContract(table, hand);
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

/* Return the four points of a row's texts; null where they are not known yet. */
export function pointsOf(table, texts) {
  const found = readRow(table, texts);
  if (!found) return null;
  if (found.score) return found.score;
  if (!isComplete(table, found.hand)) return null;
  const settled = settle(table, found.hand);
  return settled && settled.points;
}
