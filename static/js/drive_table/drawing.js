/* Drawing of a drive's table in its current state. */

import { fill } from "../parts.js";
import { at, fresh, holdStill, line, put, root, say } from "../phone/frame.js";
import { kept } from "../phone/kept.js";
import { drawCall, drawNews, drawQueue, drawTroubles } from "../phone/notices.js";
import { isShut } from "../phone/sending.js";
import { named, shown, side, truth, view } from "./state.js";
import { asked, isDone, signed, told } from "./truth.js";

const PANELS = ["enter", "confirm", "done", "planned", "idle", "turn", "over"];
let asking = "";

/* What the page of a game with contracts adds: its `words` of a hand, and `draw` for all else. */
export const addition = { words: null, mark: null, draw: null };

export function draw(isMine) {
  if (isShut) return;
  const { hand, mode } = view();
  const words = truth.of === null ? say.sayRoundOpen : say.sayRound;
  put("t-round", fill(words, truth));
  at("t-seats").hidden = !truth.seats;
  if (truth.seats) {
    put("t-side-a", side("A"));
    put("t-side-b", side("B"));
    put("t-trumps", hand ? hand.trumps : truth.trumps);
  }
  drawHands();
  const hadFocus = root.contains(document.activeElement) && document.activeElement.closest(".table__panel");
  for (const name of PANELS) at("t-" + name).hidden = name !== mode;
  if (hand) drawHand(hand);
  put("t-turned", fill(say.sayTurn, truth));
  at("t-moves").hidden = mode !== "turn" || !truth.moves.length;
  at("t-move-list").replaceChildren(...truth.moves.map(line("li")));
  at("t-wait").hidden = !truth.moves.length;
  at("t-wait-seats").hidden = truth.moves.length > 0;
  drawDepartures();
  drawWay();
  if (addition.draw) addition.draw(hand);
  put("t-bell", truth.bell);
  drawQueue(kept.queue.length);
  drawNews(worded);
  drawTroubles(at("t-troubles"));
  drawCall(truth);
  const asks = JSON.stringify([mode, truth.round, truth.seats, hand && [hand.hand, hand.score, hand.extras]]);
  if (asks !== asking) {
    const heading = root.querySelector("#t-" + mode + " h2");
    if (isMine || hadFocus) heading.focus({ preventScroll: true });
    if (asking && !isMine) holdStill(at("t-" + mode));
  }
  asking = asks;
}

/* Where the players of the round before sit now, until the table has a score. */
function drawDepartures() {
  const isPlayed = shown.hands.some(function (one) { return one.score.length; });
  at("t-departures").hidden = isPlayed || !truth.departures.length;
  put("t-departures-title", fill(say.sayDepartures, { round: truth.round - 1 }));
  fresh(at("t-departure-list"), truth.departures, function () { return truth.departures.map(line("li")); });
}

function drawHands() {
  const hands = shown.hands.length > 1 && truth.seats ? shown.hands : [];
  const about = [hands, shown.hand && shown.hand.hand];
  fresh(at("t-hands"), about, function () { return hands.map(function (one) {
    const isNow = one === shown.hand;
    const link = document.createElement("a");
    link.href = "?hand=" + one.hand;
    link.dataset.hand = one.hand;
    link.dataset.state = isDone(one) ? "in" : one.awaits ? "asked" : "";
    if (isNow) link.setAttribute("aria-current", "true");
    const mark = line("span")(one.awaits ? say.sayAsked : markOf(one) || (isNow ? say.sayNow : say.sayToCome));
    mark.className = "table__mark";
    link.append(line("b")(named(one.hand)), " ", mark);
    const item = document.createElement("li");
    item.append(link);
    return item;
  }); });
}

function markOf(hand) {
  return addition.mark ? addition.mark(hand) : told(hand.score);
}

/* The words about a hand: the question, who has to correct or confirm it, and the answer. */
function wordsOf(hand, isPad) {
  const type = truth.figures > 2 ? say.sayTypeEach : say.sayType;
  return {
    ask: isPad ? fill(say.sayAsk, { who: side("A") }) : type,
    who: side(asked(hand)),
    of: truth.whole ? named(hand.hand) : "",
    yes: fill(say.sayYes, { score: told(hand.score) }),
  };
}

function usesPad(hand) {
  return truth.pad.length > 0 && !(truth.whole && hand.hand === 0);
}

function drawHand(hand) {
  const isPad = usesPad(hand);
  const words = addition.words ? addition.words(hand) : wordsOf(hand, isPad);
  put("t-ask", words.ask);
  const isNo = shown.mode === "enter" && hand.awaits;
  put("t-no", isNo ? fill(say.sayNo, { who: words.who }) : "");
  if (at("t-pad")) at("t-pad").hidden = !isPad;
  at("t-boxes").hidden = isPad;
  const who = truth.figures > 2 ? truth.people : truth.sides;
  const fields = at("t-fields");
  fields.querySelectorAll("label > span").forEach(function (place, index) {
    const inner = place.querySelector("span") || place;
    inner.textContent = who[index % who.length];
  });
  const key = JSON.stringify([truth.round, truth.seats, hand.hand]);
  if (fields.dataset.about !== key) {
    if (fields.dataset.about) fields.querySelectorAll("input").forEach(function (each) { each.value = ""; });
    fields.dataset.about = key;
  }
  put("t-you", fill(say.sayRight, { who: words.who }));
  put("t-of", words.of);
  at("t-tally").replaceChildren(...hand.score.map(function (figure, index) {
    const made = document.createElement("p");
    const more = hand.extras[index] ? " + " + hand.extras[index] : "";
    made.append(line("span")(who[index]), line("b")(plus(figure) + more));
    return made;
  }));
  put("t-yes", words.yes);
  const about = { what: named(hand.hand), score: told(hand.score) };
  put("t-told", truth.whole ? fill(say.sayTold, about) : about.score);
  put("t-again", fill(say.sayAgain, { what: truth.whole ? about.what : about.score }));
}

/* Points of players who pay each other have a plus sign. */
function plus(figure) {
  return (addition.words && figure > 0 ? "+" : "") + signed(figure);
}

function drawWay() {
  const isFree = truth.whole && truth.seats && !truth.whole.score.length
    && !truth.hands.some(function (one) { return one.score.length; });
  at("t-way").hidden = !isFree || shown.mode !== "enter";
  at("t-way").firstElementChild.textContent = shown.atOnce ? say.sayByHand : say.sayByWhole;
}

function worded(word, values) {
  return fill(say[word], "hand" in values ? Object.assign({ what: named(values.hand) }, values) : values);
}
