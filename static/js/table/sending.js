/* What waits on this phone goes to the server, oldest first, and is taken out when it is answered. */

import { keep, kept } from "./kept.js";
import { remember, say, take } from "./rounds.js";

/* How the page shows what an answer has changed. The file that draws stands above this one. */
const screen = { draw: null, gone: null };
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
  if (busy || !kept.queue.length) return;
  busy = true;
  const first = kept.queue[0];
  const answer = await send(first);
  busy = false;
  if (answer === null) {
    failures += 1;
    timer = setTimeout(pump, Math.min(1000 * 2 ** (failures - 1), 8000));
    screen.draw(false);
    return;
  }
  failures = 0;
  if (answer.status === 410) {
    screen.gone(answer.data.detail); // what waits stays; asking again would not end
    return;
  }
  settle(first, answer);
  pump();
}

/* Answers null when the connection is down: the act stays where it is. */
export async function send(fields) {
  const stop = new AbortController();
  const clock = setTimeout(function () { stop.abort(); }, 10000);
  try {
    const response = await fetch(location.pathname, {
      method: fields ? "POST" : "GET",
      body: fields ? new URLSearchParams(fields) : undefined,
      headers: { Accept: "application/json" },
      credentials: "omit",
      cache: "no-store",
      signal: stop.signal,
    });
    const isJson = (response.headers.get("Content-Type") || "").includes("json");
    if (response.status === 404) return { status: 410, data: { detail: say.sayNowhere } };
    if (!isJson) return null;
    return { status: response.status, data: await response.json() };
  } catch (error) {
    return null;
  } finally {
    clearTimeout(clock);
  }
}

function settle(sent, answer) {
  kept.queue.shift();
  remember(sent);
  if (answer.status >= 400 && !(answer.status === 409 && sent.act === "confirm" && "seen" in answer.data)) {
    kept.troubles.push({ sitting: sent.sitting, board: sent.board, act: sent.act, mine: sent.value || sent.seen,
      theirs: answer.data.seen, words: answer.data.detail });
  }
  keep();
  take(answer.data);
  screen.draw(false);
}

/* Ask what other phones have done, unless something of this one is on its way or waits. */
export async function look() {
  if (busy || kept.queue.length || document.hidden) return null;
  const answer = await send(null);
  return busy || kept.queue.length ? null : answer;
}
