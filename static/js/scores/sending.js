/* Sends cells to the server one after another, with retries until it succeeds. */

import {
  asked, countBlock, countMissing, fieldsOf, isNew, isSound, mark, queue, root, say, setTrump, show, tell, tidy,
} from "./page.js";

/* Functions that show a conflict or a query after a response. They are in files that import this one, so they
 * are passed in.
 */
const ask = { theirs: null, doubt: null };
let token = root.querySelector("[name=csrfmiddlewaretoken]").value;
let busy = false;
let failures = 0;
let timer = 0;

export function askBy(theirs, doubt) {
  ask.theirs = theirs;
  ask.doubt = doubt;
}

/* Save a cell if its value has changed; return false if the value is invalid. */
export function commit(cell) {
  const value = tidy(cell.input.value);
  if (!isSound(value)) {
    mark(cell, "wrong", say.sayWrong);
    return false;
  }
  if (asked.includes(cell)) {
    cell.wanted = value;
    ask.theirs();
    return true;
  }
  if (!queue.includes(cell)) {
    if (!isNew(cell, value)) {
      if (cell.state === "wrong" || cell.state === "refused") mark(cell, "", "");
      return true;
    }
    queue.push(cell);
  }
  cell.wanted = value;
  if (cell.state !== "sending") mark(cell, "waiting", say.sayWaiting);
  pump();
  return true;
}

export function put(cell, value) {
  cell.input.value = value;
  show(cell);
  commit(cell);
}

/* Restore the saved value, unless the cell is already being sent. */
export function restore(cell) {
  const at = queue.indexOf(cell);
  cell.input.value = cell.seen.value;
  if (cell.trump !== null) cell.trump.value = cell.trumpSeen.value;
  cell.wanted = cell.seen.value;
  if (at > 0 || (at === 0 && !busy)) queue.splice(at, 1);
  show(cell);
  if (!asked.includes(cell)) mark(cell, "", "");
  cell.input.select();
}

export async function pump() {
  if (busy || !queue.length) return;
  clearTimeout(timer);
  const cell = queue[0];
  const value = cell.wanted;
  if (!isNew(cell, value)) {
    queue.shift();
    mark(cell, "saved", say.saySaved);
    pump();
    return;
  }
  busy = true;
  mark(cell, "sending", say.saySending);
  let answer = null;
  try {
    answer = await send(cell, value);
  } catch (error) {
    answer = { trouble: say.sayDown };
  }
  busy = false;
  if (answer.trouble) {
    later(cell, answer.trouble);
    return;
  }
  failures = 0;
  take(cell, value, answer);
  pump();
}

async function send(cell, value) {
  const stop = new AbortController();
  const clock = setTimeout(function () { stop.abort(); }, 10000);
  try {
    const response = await post(say.url, fieldsOf(cell, value), { signal: stop.signal });
    const isJson = (response.headers.get("Content-Type") || "").includes("json");
    if (response.status >= 500) return { trouble: say.sayDown };
    if (response.redirected || !isJson) {
      return { trouble: (await renewToken()) ? say.sayDown : say.saySignedOut };
    }
    return { status: response.status, data: await response.json() };
  } finally {
    clearTimeout(clock);
  }
}

/* Send waiting results while the page is being left; the browser completes these requests. The server is
 * idempotent: a value that arrives twice is entered once.
 */
export function sendOnLeaving() {
  for (const cell of queue) post(say.url, fieldsOf(cell, cell.wanted), { keepalive: true }).catch(function () {
    // the next page sends it (unsaved.js)
  });
}

/* Return whether the last request failed. */
export function isDown() {
  return failures > 0;
}

export function post(url, fields, options) {
  return fetch(url, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { "X-CSRFToken": token, Accept: "application/json" },
    credentials: "same-origin",
    ...options,
  });
}

/* Fetch a new CSRF token after a sign-in in another tab. */
async function renewToken() {
  const response = await fetch(location.pathname + location.search, { credentials: "same-origin" });
  if (!response.ok || response.redirected) return false;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const field = page.querySelector("#scores [name=csrfmiddlewaretoken]");
  if (!field) return false;
  token = field.value;
  for (const old of document.querySelectorAll("[name=csrfmiddlewaretoken]")) old.value = token;
  return true;
}

function later(cell, words) {
  failures += 1;
  mark(cell, "waiting", say.sayWaiting);
  tell(words, true);
  timer = setTimeout(pump, Math.min(1000 * 2 ** (failures - 1), 8000));
}

function take(cell, value, answer) {
  const data = answer.data;
  if (answer.status === 200 || (answer.status === 409 && data.seen === value)) {
    saved(cell, value, data);
    if (answer.status === 200) ask.doubt(cell, data.query);
    return;
  }
  queue.shift();
  if (answer.status === 409) {
    cell.theirs = data.seen;
    cell.by = data.detail || "";
    asked.push(cell);
    ask.theirs();
    return;
  }
  mark(cell, "refused", say.sayRefused);
  tell(data.detail || say.sayRefused, true);
}

function saved(cell, value, data) {
  const isEarly = data.early === true;
  if (!isEarly) delete cell.row.dataset.early; // its round has begun since the page was loaded
  cell.seen.value = data.seen;
  if (cell.trump !== null && typeof data.trump === "string") cell.trumpSeen.value = data.trump;
  if (data.seen === "" || data.seen === "-") setTrump(cell, "");
  cell.savedAt = Date.now();
  if (cell.wanted === value) {
    queue.shift();
    if (tidy(cell.input.value) === data.seen) mark(cell, "saved", data.seen ? isEarly ? say.sayEarly : say.saySaved : say.sayCleared);
    else mark(cell, "", "");
  }
  if (isEarly && data.seen) data.text += " " + say.sayNotBegun;
  if (typeof data.missing === "number") countMissing(data.missing);
  countBlock(cell.block);
  tell(data.text || "", false);
}
