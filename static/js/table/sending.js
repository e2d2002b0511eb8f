/* What waits on this phone goes to the server, oldest first, and is taken out when it is answered. */

import { pause, send as ask, WHILE_CLOSED } from "./asking.js";
import { keep, kept } from "./kept.js";
import { hear } from "./others.js";
import { say, take } from "./rounds.js";

/* How the page shows what an answer has changed. The file that draws stands above this one. */
const screen = { draw: null, gone: null };
let isShut = false; // the address is worth nothing now: what waits stays, and is not sent
let shutAt = 0; // when the server last said so
let busy = false;
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
    screen.draw(false);
    return;
  }
  failures = 0;
  if (answer.status === 410) {
    shut(answer.data.detail);
    return;
  }
  settle(first, answer);
  pump();
}

function shut(words) {
  isShut = true;
  shutAt = Date.now();
  screen.gone(words);
}

export function send(fields) {
  return ask(fields, say.sayNowhere);
}

function settle(sent, answer) {
  kept.queue.shift();
  const isOpen = answer.status === 409 && sent.act === "confirm" && "seen" in answer.data; // it is asked anew
  const isRefused = answer.status >= 400 && !isOpen;
  if (isRefused) {
    kept.troubles.push(Object.assign({}, sent, { mine: sent.value || sent.seen, theirs: answer.data.seen,
      words: answer.data.detail }));
  }
  keep();
  take(answer.data, isOpen ? null : sent, isRefused);
  hear(answer.data, function () { screen.draw(false); });
  screen.draw(false);
}

/* Ask what others have done, unless something of this phone is on its way or waits. An address that
 * was shut is asked for as well: the director may open the session again. */
export async function look() {
  if (document.hidden || isBehind()) return;
  const answer = await send(null);
  if (answer === null || isBehind()) return;
  if (answer.status === 410) {
    shut(answer.data.detail);
    return;
  }
  const isBack = isShut;
  isShut = false;
  take(answer.data);
  screen.draw(false, isBack);
  if (isBack) pump();
}

/* Ask regularly, but a closed page only once a minute. */
export function poll() {
  if (!isShut || Date.now() - shutAt >= WHILE_CLOSED) look();
}

function isBehind() {
  return !isShut && (busy || kept.queue.length > 0);
}
