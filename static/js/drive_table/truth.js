/* What is true of a drive's table, and what an open page makes of it when that changes. Nothing
 * here knows the page, the store or the network.
 *
 * A truth is what the server said last, with what waits on this phone laid over it. In hand is the
 * number of a hand (null for the next thing to do), whether it is entered again, and whether the
 * round is entered at once.
 */

export const FRESH = { number: null, again: false, isWhole: null };

/* Lay what waits over what the server said: only what was entered for those who sit here now. */
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
  }
  return now;
}

function copy(hand) {
  return Object.assign({}, hand);
}

export function numbers(words) {
  return words === "" ? [] : words.split(",").map(Number);
}

/* Where the two sides make a sum, one figure is enough. */
function completed(score, total) {
  return score.length === 1 && total !== null ? [score[0], total - score[0]] : score;
}

/* Every hand, and the whole round behind them. */
export function every(truth) {
  return truth.whole ? [...truth.hands, truth.whole] : truth.hands;
}

export function isDone(hand) {
  return hand.score.length > 0 && !hand.awaits;
}

/* Whether the round is entered at once: what stands says so, then this phone, then what is usual. */
export function isAtOnce(truth, inHand) {
  if (!truth.whole) return false;
  if (truth.whole.score.length) return true;
  if (truth.hands.some(function (one) { return one.score.length > 0; })) return false;
  return inHand.isWhole === null ? truth.is_whole : inHand.isWhole;
}

/* The side that is asked to say yes: the other than that which entered it. */
export function asked(hand) {
  return hand.by === "B" ? "A" : "B";
}

/* What is shown: the hands, the one in hand, and what is asked about it. */
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

/* What goes in hand with a new truth, and in words (by name, with values) what has changed. `mine`
 * is the hand of an act of this phone that was refused: its own words say why. */
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

/* What somebody else did to a hand, as the name of its words; "" for nothing worth saying. */
function happened(was, is) {
  const isSame = told(was.score) === told(is.score) && told(was.extras) === told(is.extras);
  if (isSame) return is.awaits && !was.awaits && is.score.length ? "sayUnagreed" : "";
  if (!is.score.length) return "sayOut";
  if (!is.awaits) return "sayDesk";
  return was.score.length ? "sayAnew" : "";
}

/* What an entry and a yes say that stood here: the figures, then the extras. */
export function seen(hand) {
  const extras = hand.score.map(function (_figure, index) { return hand.extras[index] || 0; });
  return [...hand.score, ...extras].join();
}

/* A figure with a true minus sign. */
export function signed(figure) {
  return String(figure).replace("-", "−");
}

/* "8–5"; with a figure below zero "−480 / 340", as a dash would mislead. */
export function told(score) {
  const isBelow = score.some(function (figure) { return figure < 0; });
  return score.map(signed).join(isBelow ? " / " : "–");
}
