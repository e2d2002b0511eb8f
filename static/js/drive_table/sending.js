/* What waits on this phone goes to the server, oldest first, and is taken out when it is answered. */

import { pause, send as ask, WHILE_CLOSED } from "../table/asking.js";
import { keep, kept } from "../table/kept.js";
import { root, say, take, tell, truth } from "./state.js";

/* How the page shows what an answer has changed. The file that draws stands above this one. */
const screen = { draw: null, gone: null };
let busy = false;
let isShut = false; // the address is worth nothing now: what waits stays, and is not sent
let shutAt = 0; // when the server last said so
let failures = kept.queue.length ? 1 : 0; // what waits at the start has failed before
let timer = 0;

export function showBy(draw, gone) {
  screen.draw = draw;
  screen.gone = gone;
}

/* Whether the last attempt to send has failed. */
export function isDown() {
  return failures > 0;
}

export function send(fields) {
  return ask(fields, say.sayNowhere);
}

export async function pump() {
  clearTimeout(timer);
  if (busy || isShut || !kept.queue.length) return;
  busy = true;
  const first = kept.queue[0];
  const answer = await send(first);
  busy = false;
  if (answer === null) {
    failures += 1;
    timer = setTimeout(pump, pause(failures));
    screen.draw();
    return;
  }
  failures = 0;
  if (answer.status === 410) {
    shut(answer.data.detail);
    return;
  }
  settle(first, answer);
  screen.draw();
  pump();
}

function settle(sent, answer) {
  kept.queue.shift();
  const isOpen = answer.status === 409 && sent.act === "confirm"; // it is asked anew
  const isRefused = answer.status >= 400 && !isOpen;
  if (isRefused) {
    kept.troubles.push(Object.assign({}, sent, { mine: sent.score || figures(sent.seen), theirs: answer.data.seen, words: answer.data.detail }));
  }
  keep();
  take(answer.data, isRefused ? sent.hand : undefined);
}

/* Of what a yes has seen: the figures, without the extras behind them. */
function figures(seen) {
  return seen.split(",").slice(0, truth.figures).join();
}

function shut(words) {
  isShut = true;
  shutAt = Date.now();
  screen.gone(words);
}

/* Ask regularly, but a closed page only once a minute. */
export function poll() {
  if (!isShut || Date.now() - shutAt >= WHILE_CLOSED) look();
}

export async function look() {
  const isBehind = function () { return !isShut && (busy || kept.queue.length > 0); };
  if (document.hidden || isBehind()) return;
  const answer = await send(null);
  if (answer === null || isBehind()) return;
  if (answer.status === 410) {
    shut(answer.data.detail);
    return;
  }
  if (isShut) {
    isShut = false;
    root.classList.remove("is-gone");
    tell("sayBackOpen");
  }
  take(answer.data);
  screen.draw();
  pump();
}
