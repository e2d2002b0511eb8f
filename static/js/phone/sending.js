/* Sends the queued actions to the server, oldest first, and removes each once it is answered.
 *
 * A kind of table provides an object: `ask` sends one action and returns null if it has not arrived, else its
 * status and data; `mine` returns the value of an action; `take` processes a response, with the action (null if
 * it must be confirmed again) and whether it was rejected; `draw` and `gone` show the page.
 */

import { pause, WHILE_CLOSED } from "./asking.js";
import { root } from "./frame.js";
import { keep, kept } from "./kept.js";
import { tellOnce } from "./news.js";

export let kind = null;
export let isShut = false; // the page is closed: queued actions are kept but not sent
export let busy = false;
let shutAt = 0; // the time of the last response that it is closed
let failures = kept.queue.length ? 1 : 0; // actions queued at the start have failed before
let timer = 0;

/* Return whether the last attempt to send failed. */
export function isDown() {
  return failures > 0;
}

export function follow(given) {
  kind = given;
  window.addEventListener("online", pump);
  kind.draw(false);
  pump();
}

export async function pump() {
  clearTimeout(timer);
  if (busy || isShut || !kept.queue.length) return;
  const first = kept.queue[0];
  const answer = await sendNow(first);
  if (answer === null) {
    failures += 1;
    timer = setTimeout(pump, pause(failures));
    kind.draw(false);
    return;
  }
  if (answer.status === 410) {
    shut(answer.data.detail);
    return;
  }
  settle(first, answer);
  failures = kept.queue.length ? Math.min(failures, 1) : 0;
  kind.draw(false);
  pump();
}

/* Send an action while no other request is running. */
export async function sendNow(act) {
  busy = true;
  const answer = await kind.ask(act, isDown());
  busy = false;
  return answer;
}

function settle(sent, answer) {
  kept.queue.shift();
  const isOpen = answer.status === 409 && sent.act === "confirm" && "seen" in answer.data; // it must be confirmed again
  const isRefused = answer.status >= 400 && !isOpen;
  if (isRefused) {
    const told = { mine: kind.mine(sent), theirs: answer.data.seen, words: answer.data.detail };
    kept.troubles.push(Object.assign({}, sent, told));
  }
  keep();
  kind.take(answer.data, isOpen ? null : sent, isRefused);
}

export function shut(words) {
  isShut = true;
  shutAt = Date.now();
  kind.gone(words);
}

/* Request changes by others, unless actions of this phone are being sent or waiting. A closed page is requested
 * as well, because the director may reopen the session.
 */
export async function look() {
  if (document.hidden || isBehind()) return;
  const answer = await kind.ask(null);
  if (answer === null || isBehind()) return;
  if (answer.status === 410) {
    shut(answer.data.detail);
    return;
  }
  const isBack = isShut;
  isShut = false;
  kind.take(answer.data, null, false);
  if (isBack) {
    root.classList.remove("is-gone");
    tellOnce("sayBackOpen");
  }
  kind.draw(false);
  if (isBack) pump();
}

/* Poll regularly, but a closed page only once a minute. */
export function poll() {
  if (!isShut || Date.now() - shutAt >= WHILE_CLOSED) look();
}

function isBehind() {
  return !isShut && (busy || kept.queue.length > 0);
}
