/* The state of a drive's table, and the reaction of an open page to changes. This module does not access the
 * page, the storage or the network.
 *
 * The state (`truth`) is the server's data, with the waiting entries of this phone applied. The active hand
 * (`inHand`) has the number of a hand (null for the next one to enter), whether it is entered again, and
 * whether the round is entered as a whole.
 */

export const FRESH = { number: null, again: false, isWhole: null };

/* Apply waiting entries to the server's data, only those for the players who sit here now. */
export function truthOf(page, queue) {
  const now = Object.assign({}, page, {
    hands: page.hands.map(copy),
    whole: page.whole && copy(page.whole),
  });
  for (const act of queue) {
    if (act.round !== page.round || act.seats !== page.seats) continue;
    const hand = every(now).find(function (one) { return one.hand === act.hand; });
    if (!hand) continue;
    hand.awaits = act.act === "enter";
    if (!hand.awaits) continue;
    hand.score = completed(numbers(act.score), hand.total);
    hand.extras = numbers(act.extras || "");
    hand.by = act.side || "table";
    if ("contract" in hand) hand.contract = act.contract ? JSON.parse(act.contract) : {};
  }
  return now;
}

function copy(hand) {
  return Object.assign({}, hand);
}

export function numbers(words) {
  return words === "" ? [] : words.split(",").map(Number);
}

/* Complete the scores if one is given and the two have a fixed sum. */
function completed(score, total) {
  return score.length === 1 && total !== null ? [score[0], total - score[0]] : score;
}

/* Return every hand, followed by the entry for the whole round. */
export function every(truth) {
  return truth.whole ? [...truth.hands, truth.whole] : truth.hands;
}

export function isDone(hand) {
  return hand.score.length > 0 && !hand.awaits;
}

/* Return whether the round is entered as a whole: by existing entries, else by this phone's choice, else by the
 * usual way.
 */
export function isAtOnce(truth, inHand) {
  if (!truth.whole) return false;
  if (truth.whole.score.length) return true;
  if (truth.hands.some(function (one) { return one.score.length > 0; })) return false;
  return inHand.isWhole === null ? truth.is_whole : inHand.isWhole;
}

/* Return the side that has to confirm, which is the side that did not enter the score. */
export function asked(hand) {
  return hand.by === "B" ? "A" : "B";
}

/* Return what to show: the hands, the active hand, and its mode. */
export function viewOf(truth, inHand) {
  const atOnce = isAtOnce(truth, inHand);
  const hands = atOnce ? [truth.whole] : truth.hands;
  const hand = hands.find(function (one) { return one.hand === inHand.number; })
    || hands.find(function (one) { return !isDone(one); });
  return { hands: hands, hand: hand, atOnce: atOnce, mode: modeOf(truth, hand, inHand) };
}

function modeOf(truth, hand, inHand) {
  if (!truth.seats) return truth.round ? "idle" : "planned";
  if (!hand) return truth.of !== null && truth.round >= truth.of ? "over" : "turn";
  if (inHand.again || !hand.score.length) return "enter";
  return hand.awaits ? "confirm" : "done";
}

/* Return the new active hand after a change of the state, and the news, as names of texts with values. `mine`
 * is the hand of a rejected entry of this phone, whose error message already explains it.
 */
export function follow(inHand, was, now, mine) {
  if (was.round !== now.round) {
    const word = now.round > was.round ? "sayNewRound" : "sayBack";
    return { inHand: FRESH, news: now.round ? [[word, { round: now.round }]] : [] };
  }
  if (was.seats !== now.seats) {
    const [one, other] = now.sides;
    return { inHand: FRESH, news: [now.seats ? ["saySeats", { one: one, other: other }] : ["sayNobody", {}]] };
  }
  const news = every(now).flatMap(function (is, at) {
    const before = every(was)[at];
    const word = !before || is.hand === mine ? "" : happened(before, is);
    return word ? [[word, { hand: is.hand, score: told(is.score) }]] : [];
  });
  if (was.moves.join() !== now.moves.join()) news.push(["sayMoves", {}]);
  const isTouched = news.some(function (each) { return each[1].hand === inHand.number; });
  return { inHand: isTouched ? Object.assign({}, inHand, { again: false }) : inHand, news: news };
}

/* Return the name of the text for another person's change of a hand; "" if it needs no message. */
function happened(was, is) {
  const isSame = told(was.score) === told(is.score) && told(was.extras) === told(is.extras);
  if (isSame) return is.awaits && !was.awaits && is.score.length ? "sayUnagreed" : "";
  if (!is.score.length) return "sayOut";
  if (!is.awaits) return "sayDesk";
  return was.score.length ? "sayAnew" : "";
}

/* Return the value that an entry or a confirmation was based on: the scores, then the extras. */
export function seen(hand) {
  const extras = hand.score.map(function (_figure, index) { return hand.extras[index] || 0; });
  return [...hand.score, ...extras].join();
}

/* Format a number with a true minus sign. */
export function signed(figure) {
  return String(figure).replace("-", "−");
}

/* Format scores: "8–5", or with a negative one "−480 / 340", because a dash would be ambiguous. */
export function told(score) {
  const isBelow = score.some(function (figure) { return figure < 0; });
  return score.map(signed).join(isBelow ? " / " : "–");
}
