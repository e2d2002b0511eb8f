/* The state of an event's table page: the server's data, and the active round and board. */

import { kept } from "../phone/kept.js";
import { forgetNews, tell } from "../phone/news.js";
import { hear } from "./others.js";
import { follow, truthOf, viewOf } from "./truth.js";

export let page = JSON.parse(document.getElementById("table-data").textContent);
export let inHand = { round: page.rounds[0].round, number: 0, picked: false, again: false };
const known = {}; // results that this phone has seen, by stamp
let shown = null; // the state that the page showed last

learn(page);

function learn(from) {
  for (const each of from.rounds) {
    for (const board of each.boards) if (board.mark) known[board.stamp] = board.mark;
  }
}

/* Compute what to draw now. */
export function view() {
  shown = truthOf(page, kept.queue, known);
  return viewOf(shown, inHand);
}

/* Change the active round or board, as a user of this phone chose. */
export function choose(changes) {
  inHand = Object.assign({}, inHand, changes);
}

/* Process a response of the server to `sent`; `isRefused` if the server rejected it. */
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

/* Remember the sent result, because it may have ended the round, whose results the server then no longer sends.
 */
function recognise(sent) {
  const past = page.past && page.past.sitting === sent.sitting ? page.past.boards : [];
  for (const board of past) if (board.board === sent.board) known[board.stamp] = sent.value || sent.seen;
}

/* Return whether news is about the current round; only the latest such news is kept. */
function isOfRounds([word]) {
  return word === "sayOnward" || word === "sayBack";
}
