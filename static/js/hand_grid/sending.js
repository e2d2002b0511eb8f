/* Sends rows to the server one after another, with retries until it answers. */

import { button, fill } from "../parts.js";
import { fillIn, isChanged, isChangedSince, mark, refuse, rows, say, take, textsOf } from "./rows.js";

const queue = [];
const TIMEOUT_MILLISECONDS = 10000;
let busy = false;
let failures = 0;
let timer = 0;

const form = document.getElementById("hands-form");
const line = document.getElementById("hands-line");

export function isWaiting() {
  return queue.length > 0;
}

/* Send a row if it has changed. */
export function commit(row) {
  if (!isChanged(row)) {
    if (row.place.dataset.state === "wrong") mark(row, "", "");
    return;
  }
  if (!queue.includes(row)) queue.push(row);
  row.isDue = isChangedSince(row);
  mark(row, "waiting", say.sayWaiting);
  pump();
}

export function announce(words, isTrouble, act) {
  line.classList.toggle("is-trouble", Boolean(isTrouble));
  line.replaceChildren(words);
  if (act) line.append(" ", act);
}

export async function pump() {
  if (busy || !queue.length) return;
  clearTimeout(timer);
  const row = queue[0];
  busy = true;
  row.sent = textsOf(row);
  row.isDue = false;
  const answer = await send(row).catch(function () { return null; });
  busy = false;
  if (!answer) {
    failures += 1;
    announce(say.sayDown, true);
    timer = setTimeout(pump, Math.min(1000 * 2 ** (failures - 1), 8000));
    return;
  }
  failures = 0;
  queue.shift();
  receive(row, answer);
  const isLeft = !row.place.contains(document.activeElement);
  const isSentAgain = isChangedSince(row) && (isLeft || row.isDue);
  row.sent = null;
  if (isSentAgain) commit(row);
  pump();
}

async function send(row) {
  const fields = new URLSearchParams();
  for (const name of ["csrfmiddlewaretoken", "round", "table", "w1", "w2", "w3", "w4", "reason"]) {
    const box = form.elements[name];
    if (box) fields.set(name, box.value);
  }
  fields.set("hand", row.hand);
  fields.set("seen" + row.hand, row.seen.value);
  for (const [name, text] of Object.entries(row.sent)) fields.set(name + row.hand, text);
  return post(fields);
}

/* Send fields; return the answer, or null if the server cannot take them now. */
async function post(fields) {
  const stop = new AbortController();
  const clock = setTimeout(function () { stop.abort(); }, TIMEOUT_MILLISECONDS);
  try {
    const response = await fetch(location.pathname, {
      method: "POST",
      body: fields,
      headers: { Accept: "application/json", "X-CSRFToken": fields.get("csrfmiddlewaretoken") },
      credentials: "same-origin",
      signal: stop.signal,
    });
    const isJson = (response.headers.get("Content-Type") || "").includes("json");
    if (response.status >= 500 || response.redirected || !isJson) return null;
    return { status: response.status, data: await response.json() };
  } finally {
    clearTimeout(clock);
  }
}

function receive(row, { status, data }) {
  const own = data.rows.find(function (each) { return each.hand === row.hand; });
  document.getElementById("sums-check").innerHTML = data.check;
  for (const each of data.rows) {
    const other = rows.find(function (one) { return one.hand === each.hand; });
    if (other !== row) take(other, each, false);
  }
  if (status === 200) {
    take(row, own, true);
    mark(row, "saved", "");
    const before = row.before;
    const savedWords = row.isRestoring ? say.sayRestored : say.saySaved;
    const words = own.seen ? savedWords : say.sayEmptied;
    row.isRestoring = false;
    announce(fill(words, { n: row.hand, hand: data.text }), false, button(say.sayUndo, function () { restore(row, before); }));
    return;
  }
  row.isRestoring = false;
  refuse(row, row.sent);
  if (status === 409) askAbout(row, own, data);
  else if (isChangedSince(row)) {
    // The refusal is about texts that have been corrected: moving the cursor would overwrite the new ones.
    mark(row, "", "");
    announce("");
  } else {
    mark(row, "wrong", data.detail, data.place);
    showRefusal(row, data);
  }
}

/* Go to the box that is wrong, or show the message below if the user has gone to another row. */
function showRefusal(row, data) {
  const box = data.place === "reason" ? form.elements.reason : row.boxes[data.place];
  const isHere = row.place.contains(document.activeElement);
  announce(isHere ? "" : fill(say.sayRefused, { n: row.hand, why: data.detail }), true);
  if (box && (isHere || data.place === "reason")) box.focus();
}

/* Enter earlier texts again, as a new value of the row. */
export function enter(row, texts) {
  fillIn(row, texts);
  commit(row);
  row.boxes.contract.focus();
}

/* Enter earlier texts again after an undo; the message then says so. */
export function restore(row, texts) {
  row.isRestoring = true;
  enter(row, texts);
}

/* Someone else has entered another hand: the user chooses one, and nothing is lost. */
function askAbout(row, own, data) {
  mark(row, "conflict", data.detail + " ");
  const mine = textsOf(row);
  const keep = button(fill(say.sayKeep, { theirs: data.text }), function () {
    take(row, own, true);
    fillIn(row, own.texts);
    mark(row, "saved", "");
    row.boxes.contract.focus();
  });
  const use = button(say.sayUse, function () {
    row.seen.value = own.seen;
    row.saved = own.points;
    row.stored = own.texts;
    enter(row, mine);
  });
  row.note.append(keep, " ", use);
}

/* Check the written sums on the server, without saving a row. */
export async function checkSums() {
  const row = rows[0];
  const fields = new URLSearchParams(new FormData(form));
  for (const name of [...fields.keys()]) if (/^(contract|players|tricks|passed|other|scores|seen)\d/.test(name)) fields.delete(name);
  fields.set("hand", row.hand);
  const answer = await post(fields).catch(function () { return null; });
  if (answer) document.getElementById("sums-check").innerHTML = answer.data.check;
}
