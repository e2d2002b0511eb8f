/* The state of a drive's table page: the server's data, the active hand, and changes by others. */

import { fill } from "../parts.js";
import { say } from "../phone/frame.js";
import { kept } from "../phone/kept.js";
import { tell } from "../phone/news.js";
import { FRESH, follow, truthOf, viewOf } from "./truth.js";

let page = JSON.parse(document.getElementById("table-data").textContent);
let inHand = FRESH;
export let truth = truthOf(page, kept.queue);
export let shown = viewOf(truth, inHand);

/* Compute what to draw now. */
export function view() {
  truth = truthOf(page, kept.queue);
  shown = viewOf(truth, inHand);
  return shown;
}

/* Change the active hand or its mode, as a user of this phone chose. */
export function choose(changes) {
  inHand = Object.assign({}, inHand, changes);
}

/* Process a response of the server to `sent`; `isRefused` if the server rejected it. */
export function take(data, sent, isRefused) {
  if (!data.page) return;
  const was = truth;
  page = data.page;
  truth = truthOf(page, kept.queue);
  const found = follow(inHand, was, truth, isRefused ? sent.hand : undefined);
  inHand = found.inHand;
  const isOther = !isRefused && sent && sent.contract && differs(sent);
  tell(...found.news.filter(function (each) { return !isOther || each[1].hand !== sent.hand; }));
  if (isOther) tell(["sayDiffers", { hand: sent.hand }]);
}

/* Whether the server computed other points than this phone for the contract that it sent. */
function differs(sent) {
  if (sent.round !== truth.round || sent.seats !== truth.seats) return false;
  const hand = truth.hands.find(function (one) { return one.hand === sent.hand; });
  return Boolean(hand && JSON.stringify(hand.contract) !== "{}" && hand.score.join() !== sent.score);
}

/* Return the two players of a side. */
export function side(letter) {
  return truth.sides[letter === "A" ? 0 : 1];
}

export function named(hand) {
  return hand ? fill(say.sayHand, { hand: hand }) : say.sayWhole;
}
