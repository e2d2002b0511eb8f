/* What waits on this phone goes to the server, oldest first, and is removed when it is answered.
 *
 * A kind of table gives its part in an object: `ask` sends one act and returns null if it has not
 * arrived, else its status and data; `mine` is the value of an act; `take` uses an answer, the act
 * (null if it has to be asked again) and whether it was refused; `draw` and `gone` show the page.
 */

import { pause, WHILE_CLOSED } from "./asking.js";
import { root } from "./frame.js";
import { keep, kept } from "./kept.js";
import { tellOnce } from "./news.js";

export let kind = null;
export let isShut = false; // the link opens nothing now: what waits stays, and is not sent
export let busy = false;
let shutAt = 0; // when the server last said so
let failures = kept.queue.length ? 1 : 0; // what waits at the start has failed before
let timer = 0;

/* Whether the last attempt to send has failed. */
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

/* Send an act while no other is on its way. */
export async function sendNow(act) {
  busy = true;
  const answer = await kind.ask(act, isDown());
  busy = false;
  return answer;
}

function settle(sent, answer) {
  kept.queue.shift();
  const isOpen = answer.status === 409 && sent.act === "confirm" && "seen" in answer.data; // it is asked again
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

/* Ask what others have done, unless something of this phone is on its way or waits. A link that was
 * shut is asked for as well: the director may open the session again. */
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

/* Ask regularly, but a closed page only once a minute. */
export function poll() {
  if (!isShut || Date.now() - shutAt >= WHILE_CLOSED) look();
}

function isBehind() {
  return !isShut && (busy || kept.queue.length > 0);
}
