/* The page as it stands at this table: what is true, what is in hand, and what others changed. */

import { fill } from "../parts.js";
import { kept } from "../table/kept.js";
import { FRESH, follow, truthOf, viewOf } from "./truth.js";

const MOST_NEWS = 5;
export const root = document.getElementById("table");
export const say = root.dataset;
let page = JSON.parse(document.getElementById("table-data").textContent);
let inHand = FRESH;
export let truth = truthOf(page, kept.queue);
export let shown = viewOf(truth, inHand);
export let news = []; // what others have changed: names of words, with their values

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

/* Take what the server says now. `mine` is the hand of an act of this phone that was refused. */
export function take(data, mine) {
  if (!data.page) return;
  const was = truth;
  page = data.page;
  truth = truthOf(page, kept.queue);
  const found = follow(inHand, was, truth, mine);
  inHand = found.inHand;
  news = [...news, ...found.news].slice(-MOST_NEWS);
}

export function tell(word) {
  news = [...news, [word, {}]];
}

export function forgetNews() {
  news = [];
}

/* The two players of a side, and what a hand is called. */
export function side(letter) {
  return truth.sides[letter === "A" ? 0 : 1];
}

export function named(hand) {
  return hand ? fill(say.sayHand, { hand: hand }) : say.sayWhole;
}
