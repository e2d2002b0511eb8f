/* The page as it stands at this table: what is true, what is in hand, and what others changed. */

import { fill } from "../parts.js";
import { say } from "../phone/frame.js";
import { kept } from "../phone/kept.js";
import { tell } from "../phone/news.js";
import { FRESH, follow, truthOf, viewOf } from "./truth.js";

let page = JSON.parse(document.getElementById("table-data").textContent);
let inHand = FRESH;
export let truth = truthOf(page, kept.queue);
export let shown = viewOf(truth, inHand);

/* Work out what is to be drawn now. */
export function view() {
  truth = truthOf(page, kept.queue);
  shown = viewOf(truth, inHand);
  return shown;
}

/* Put something else in hand: somebody at this phone chose it. */
export function choose(changes) {
  inHand = Object.assign({}, inHand, changes);
}

/* Take what the server says now. `sent` was answered by it; `isRefused` if it was not taken. */
export function take(data, sent, isRefused) {
  if (!data.page) return;
  const was = truth;
  page = data.page;
  truth = truthOf(page, kept.queue);
  const found = follow(inHand, was, truth, isRefused ? sent.hand : undefined);
  inHand = found.inHand;
  tell(...found.news);
}

/* The two players of a side, and what a hand is called. */
export function side(letter) {
  return truth.sides[letter === "A" ? 0 : 1];
}

export function named(hand) {
  return hand ? fill(say.sayHand, { hand: hand }) : say.sayWhole;
}
