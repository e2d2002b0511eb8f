/* The points of a hand from its contract: the same arithmetic as `drives/games/settling.py`.
 *
 * `table` is the table of points in the page, `hand` a hand in the format of files, with seats 1 to
 * 4. Nothing here knows the page or the network.
 */

export const SEATS = [1, 2, 3, 4];

/* The contract of a hand, or undefined for a stopped hand. */
export function findContract(table, hand) {
  return table.contracts.find(function (each) { return each.code === hand.contract; });
}

/* Whether made or lost may be entered instead of the number of tricks. */
export function isFlat(contract) {
  const hasOnePrice = contract.made.length === 1 && contract.lost.length === 1;
  return contract.how !== "least" || (hasOnePrice && !contract.made_step && !contract.lost_step);
}

/* The least and the greatest number of players of a contract. */
export function playerCounts(contract) {
  return { alone: [1, 1], pair: [2, 2], "pair-or-alone": [1, 2], each: [1, 4] }[contract.side];
}

export function isMadeBy(contract, tricks) {
  if (contract.how === "least") return tricks >= contract.wants;
  return contract.how === "most" ? tricks <= contract.wants : tricks === contract.wants;
}

function lookUp(points, step, at) {
  const beyond = at - points.length + 1;
  return beyond <= 0 ? points[at] : points[points.length - 1] + step * beyond;
}

function madePrice(contract, over) {
  return lookUp(contract.made, contract.made_step, contract.how === "least" ? over : 0);
}

function lostPrice(contract, short) {
  return lookUp(contract.lost, contract.lost_step, contract.how === "least" ? short - 1 : 0);
}

/* How often the points count: after passed deals, and doubled at the table. */
export function multiple(table, hand) {
  const passed = hand.passed || 0;
  const byPassed = { redeal: 1, "double-next": passed ? 2 : 1, adds: 1 + passed }[table.passed];
  return byPassed * (hand.times || 1);
}

function pick(value, at) {
  return Array.isArray(value) ? value[at] : value;
}

function resultOf(contract, hand, at) {
  if (contract.how === "loses") return { isMade: false, tricks: null };
  if (hand.made !== undefined) return { isMade: pick(hand.made, at), tricks: null };
  const tricks = pick(hand.tricks, at);
  return { isMade: isMadeBy(contract, tricks), tricks: tricks };
}

function priceOf(table, contract, hand, result) {
  const revokes = table.revoke ? hand.revokes || 0 : 0;
  const revokeTimes = (revokes && table.revoke.times) || 1;
  if (revokes) {
    if (contract.how !== "least" || contract.wants === 13) return lostPrice(contract, 1) * revokeTimes;
    if (result.tricks !== null && table.revoke.tricks) {
      const short = contract.wants - result.tricks + table.revoke.tricks * revokes;
      return short > 0 ? lostPrice(contract, short) : madePrice(contract, 0);
    }
  }
  if (result.tricks === null) return (result.isMade ? madePrice(contract, 0) : lostPrice(contract, 1)) * revokeTimes;
  const over = result.tricks - contract.wants;
  return (result.isMade ? madePrice(contract, over) : lostPrice(contract, -over)) * revokeTimes;
}

/* The settlements of a hand: the players, whether they made it, and the price to each opponent. */
function partsOf(table, hand) {
  const contract = findContract(table, hand);
  if (!contract) return [];
  const count = contract.side === "each" ? hand.by.length : 1;
  const results = Array.from({ length: count }, function (_each, at) { return resultOf(contract, hand, at); });
  const prices = results.map(function (each) { return priceOf(table, contract, hand, each) * multiple(table, hand); });
  if (count === 1) return [{ by: hand.by, isMade: results[0].isMade && !hand.revokes, price: prices[0] }];
  if (table.several === "camp") {
    const lost = results.findIndex(function (each) { return !each.isMade; });
    return [{ by: hand.by, isMade: lost < 0, price: prices[Math.max(lost, 0)] }];
  }
  return results.map(function (each, at) { return { by: [hand.by[at]], isMade: each.isMade, price: prices[at] }; });
}

/* Settle a hand: its four points, and its settlements. A camp of three can have points that three
 * cannot share: then null, and the table enters the points itself. */
export function settle(table, hand) {
  const parts = partsOf(table, hand);
  const points = [0, 0, 0, 0];
  for (const part of parts) {
    const sign = part.isMade ? 1 : -1;
    const share = part.price * (4 - part.by.length) / part.by.length;
    if (!Number.isInteger(share)) return null;
    for (const seat of SEATS) points[seat - 1] += part.by.includes(seat) ? sign * share : -sign * part.price;
  }
  for (const fine of hand.fines || []) {
    for (const seat of SEATS) points[seat - 1] += seat === fine.by ? -3 * fine.each : fine.each;
  }
  return { points: points.map(function (each) { return each || 0; }), parts: parts };
}
