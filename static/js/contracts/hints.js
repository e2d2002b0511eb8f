/* Questions about a surprising hand: the same rules as `drives/games/hints.py`. */

import { findContract, isMadeBy } from "./settling.js";

const UNUSUAL_SHORT = 5;
const UNUSUAL_OVER = 6;
const ALL_TRICKS = 13;
const RARE_FAMILY = "troel";

/* Return the questions about a hand as names of words with their values, given the hand before at the same
 * table.
 */
export function hintsAbout(table, hand, previous) {
  const contract = findContract(table, hand);
  if (!contract) return [];
  const found = [];
  const wants = contract.wants || 0;
  const about = { contract: contract.local, n: hand.tricks };
  if (contract.how === "least" && hand.tricks !== undefined && (hand.tricks <= wants - UNUSUAL_SHORT || hand.tricks >= wants + UNUSUAL_OVER)) {
    found.push(["sayHintTricks", about]);
  }
  if (wants === ALL_TRICKS && isMade(contract, hand)) found.push(["sayHintSlam", about]);
  const before = previous ? findContract(table, previous) : undefined;
  if (before && [contract, before].every(function (each) { return each.code.startsWith(RARE_FAMILY); })) {
    found.push(["sayHintTwice", about]);
  }
  return found;
}

function isMade(contract, hand) {
  if (hand.revokes) return false;
  return hand.made === undefined ? isMadeBy(contract, hand.tricks) : [hand.made].flat().includes(true);
}
