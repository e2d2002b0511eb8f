/* The page as it stands at this table: what is true, and which round and board are in hand. */

import { kept } from "../phone/kept.js";
import { forgetNews, tell } from "../phone/news.js";
import { hear } from "./others.js";
import { follow, truthOf, viewOf } from "./truth.js";

export let page = JSON.parse(document.getElementById("table-data").textContent);
export let inHand = { round: page.rounds[0].round, number: 0, picked: false, again: false };
const known = {}; // results that this phone has seen, by their stamps
let shown = null; // the truth that the page showed last

learn(page);

function learn(from) {
  for (const each of from.rounds) {
    for (const board of each.boards) if (board.mark) known[board.stamp] = board.mark;
  }
}

/* What is to be drawn now. */
export function view() {
  shown = truthOf(page, kept.queue, known);
  return viewOf(shown, inHand);
}

/* Put something else in hand: somebody at this phone chose it. */
export function choose(changes) {
  inHand = Object.assign({}, inHand, changes);
}

/* Take what the server says now. `sent` was answered by it; `isRefused` if it was not taken. */
export function take(data, sent, isRefused) {
  hear(data);
  if (!data.page) return;
  const was = shown || truthOf(page, kept.queue, known);
  page = data.page;
  learn(page);
  if (sent && !isRefused) recognise(sent);
  shown = truthOf(page, kept.queue, known);
  const found = follow(inHand, was, shown, isRefused ? sent.board : 0);
  inHand = found.hand;
  if (found.news.some(isOfRounds)) forgetNews(isOfRounds);
  tell(...found.news);
}

/* The round may be over by what was just sent, so that the server no longer tells its results. */
function recognise(sent) {
  const past = page.past && page.past.sitting === sent.sitting ? page.past.boards : [];
  for (const board of past) if (board.board === sent.board) known[board.stamp] = sent.value || sent.seen;
}

/* In which round the table is: only the newest holds. */
function isOfRounds([word]) {
  return word === "sayOnward" || word === "sayBack";
}
