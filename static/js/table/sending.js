/* What waits on this phone goes to the server, oldest first, and is taken out when it is answered. */

import { keep, kept } from "./kept.js";
import { hear } from "./others.js";
import { say, take } from "./rounds.js";

/* How the page shows what an answer has changed. The file that draws stands above this one. */
const screen = { draw: null, gone: null };
let isShut = false; // the address is worth nothing now: what waits stays, and is not sent
let busy = false;
let failures = kept.queue.length ? 1 : 0; // what waits at the start has failed before
let timer = 0;
let later = 0; // seconds after which the server, which lacks something, wants to be asked again

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
    timer = setTimeout(pump, pause());
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

/* Milliseconds until the next attempt; not all phones of a hall come back in the same moment. */
function pause() {
  if (later) return later * 1000 * (0.7 + 0.6 * Math.random());
  return Math.min(1000 * 2 ** (failures - 1), 8000);
}

function shut(words) {
  isShut = true;
  screen.gone(words);
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
    later = response.status >= 500 ? Number(response.headers.get("Retry-After")) || 0 : 0;
    if (response.status >= 500) return null; // it is not stored: it waits here
    const isJson = (response.headers.get("Content-Type") || "").includes("json");
    if (response.status === 404) return { status: 410, data: { detail: say.sayNowhere } };
    if (!isJson) return null;
    return { status: response.status, data: await response.json() };
  } catch (error) {
    later = 0;
    return null;
  } finally {
    clearTimeout(clock);
  }
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

function isBehind() {
  return !isShut && (busy || kept.queue.length > 0);
}
