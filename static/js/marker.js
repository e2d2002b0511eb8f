/* A rubber table's marker: a hand that is tapped is kept here until the server has it.
 *
 * Each hand is written into the browser's own store first and then sent, oldest first; it names
 * its spell and its number, so that the server knows it if it comes twice. While one is on its
 * way, and for a moment after each tap, the pad takes no other: two quick taps are one hand.
 * Without a connection the pad goes on; the score is counted by the server, once it is back.
 */

import { hold } from "./held.js";
import { button, fill } from "./parts.js";
import { pause } from "./table/asking.js";
import { keep, kept, wait } from "./table/kept.js";

const TOKEN = "csrfmiddlewaretoken";
const AFTER_A_TAP = 800; // milliseconds in which a second tap is the same one
const room = document.getElementById("marker-room");
const say = room ? room.dataset : {};
let busy = false;
let isShut = false;
let failures = kept.queue.length ? 1 : 0; // what waits at the start has failed before
let timer = 0;
let tapped = 0;
let problem = "";

function marker() {
  return document.getElementById("marker");
}

/* The hand's own words: "Hand 5: 9 tricks of A, 3 honours of B". */
function named(act) {
  const parts = [act.called ? fill(say.sayCalled, { side: act.called }) : fill(say.sayTricks, { made: act.made.slice(1), side: act.made[0] })];
  if (act.honours) parts.push(fill(say.sayHonours, { held: act.honours.slice(1), side: act.honours[0] }));
  if (Object.keys(act).some(function (name) { return name.startsWith("revoke-") && act[name]; })) parts.push(say.sayRevoke);
  return fill(say.sayHand, { hand: act.hand }) + ": " + parts.join(", ");
}

function line(words) {
  const made = document.createElement("p");
  made.textContent = words;
  return made;
}

function box(kind, lines, buttons) {
  const made = document.createElement("div");
  made.className = "notice table__trouble " + kind;
  made.append(...lines.map(line), ...buttons);
  return made;
}

/* Draw a place anew only where something else is to stand there: a reader says it once. */
function show(id, about, made) {
  const place = document.getElementById(id);
  const key = JSON.stringify(about);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.replaceChildren(...made());
}

function draw() {
  const waiting = failures > 0 ? kept.queue : [];
  const count = waiting.length;
  show("marker-waits", [waiting, problem], function () {
    const found = problem ? [box("notice--wrong", [problem], [])] : [];
    if (!count) return found;
    const lead = count === 1 ? say.sayWaitOne : say.sayWaitMany.replace("#", String(count));
    const back = button(say.sayBack, takeBack);
    return [...found, box("notice--waiting", [lead + " " + say.sayLater, ...waiting.map(named)], [back])];
  });
  show("marker-troubles", kept.troubles, function () {
    return kept.troubles.map(function (trouble) {
      const lead = fill(say.sayRefused, { what: named(trouble) }) + " " + trouble.words;
      return box("notice--wrong", [lead], [button(say.saySeen, function () { read(trouble); })]);
    });
  });
  follow();
}

/* The pad stands one hand further for each that waits; who deals then, the server says. */
function follow() {
  const head = marker().querySelector("[data-next-hand]");
  const pad = marker().querySelector(".marker__pad");
  if (!head || !pad) return;
  const count = here(pad).length;
  if (!("words" in head.dataset)) head.dataset.words = head.textContent;
  head.textContent = count ? fill(say.sayHand, { hand: Number(pad.hand.value) + count }) : head.dataset.words;
}

/* What waits for the round and the four that the pad is of, and is not marked yet. */
function here(pad) {
  const round = pad.round ? pad.round.value : "";
  return kept.queue.filter(function (act) {
    return (act.round || "") === round && act.spell === pad.spell.value && Number(act.hand) >= Number(pad.hand.value);
  });
}

function takeBack() {
  if (busy && kept.queue.length === 1) return; // it is on its way
  kept.queue.pop();
  keep();
  draw();
}

function read(trouble) {
  kept.troubles.splice(kept.troubles.indexOf(trouble), 1);
  keep();
  draw();
}

/* Answers null where nothing has arrived; else the status and the marker as it stands then. */
async function ask(pairs) {
  const stop = new AbortController();
  const clock = setTimeout(function () { stop.abort(); }, 10000);
  const token = document.querySelector(`#marker [name=${TOKEN}]`);
  const sent = pairs.filter(function (pair) { return pair[0] !== TOKEN; });
  if (token) sent.push([TOKEN, token.value]); // that of the page, for what waited long
  try {
    const response = await fetch(location.pathname, {
      method: "POST",
      body: new URLSearchParams(sent),
      headers: { "HX-Request": "true" },
      credentials: "same-origin",
      cache: "no-store",
      signal: stop.signal,
    });
    if (response.status >= 500) return null; // it is not stored: it waits here
    return { status: response.status, text: await response.text() };
  } catch (error) {
    return null;
  } finally {
    clearTimeout(clock);
  }
}

/* Put the marker that came in the place of the one that stands; the finger stays where it was. */
function swap(text) {
  const parsed = new DOMParser().parseFromString(text, "text/html");
  const came = parsed.getElementById("marker");
  if (!came) return null;
  const give = hold(marker());
  const words = came.querySelector("[role=alert]");
  marker().replaceWith(came);
  if (window.htmx) window.htmx.process(came);
  give(came);
  return { words: words ? words.textContent.trim() : "" };
}

async function pump() {
  clearTimeout(timer);
  if (busy || isShut || !kept.queue.length) return;
  busy = true;
  const first = kept.queue[0];
  const answer = await ask([...Object.entries(first), ...(failures ? [["waited", "yes"]] : [])]);
  busy = false;
  if (answer === null) {
    failures += 1;
    timer = setTimeout(pump, pause(failures));
    draw();
    return;
  }
  if (answer.status === 404 || answer.status === 410) {
    shut();
    return;
  }
  const drawn = swap(answer.text);
  if (!drawn) { // a page to sign in, or a refusal of the frame: what waits stays
    failures += 1;
    problem = say.sayLogin;
    draw();
    return;
  }
  kept.queue.shift();
  if (answer.status >= 400) {
    kept.troubles.push(Object.assign({}, first, { words: drawn.words }));
    const alert = marker().querySelector("[role=alert]");
    if (alert) alert.remove(); // it is told below, with the hand it is about
  }
  keep();
  problem = "";
  if (!kept.queue.length) failures = 0;
  draw();
  pump();
}

function shut() {
  isShut = true;
  const unsent = kept.queue.map(function (act) { return fill(say.sayUnsent, { what: named(act) }); });
  show("marker-troubles", ["gone", unsent], function () { return [box("notice--wrong", [say.sayGone, ...unsent], [])]; });
  for (const each of marker().querySelectorAll("button, input, select")) each.disabled = true;
}

function mark(form, submitter) {
  const fields = {};
  for (const [name, value] of new FormData(form)) if (value && name !== TOKEN) fields[name] = value;
  fields[submitter.name] = submitter.value;
  fields.hand = String(Number(fields.hand) + here(form).length);
  wait(fields);
  form.reset();
  draw();
  pump();
}

/* Any other act of the marker is sent as it is; without a connection nothing is lost by it. */
async function act(form, submitter) {
  const pairs = [...new FormData(form)];
  if (submitter && submitter.name) pairs.push([submitter.name, submitter.value]);
  busy = true;
  const answer = await ask(pairs);
  busy = false;
  problem = answer === null ? say.sayDown : "";
  if (answer !== null && !swap(answer.text)) problem = answer.status === 410 ? say.sayGone : say.sayLogin;
  draw();
  pump();
}

function onSubmit(event) {
  const form = event.target;
  if (!form.closest("#marker") || form.method !== "post") return;
  const isPad = form.classList.contains("marker__pad");
  event.preventDefault();
  const now = Date.now();
  if (isShut || (busy && !failures) || now - tapped < AFTER_A_TAP) return;
  tapped = now;
  if (isPad && event.submitter && event.submitter.name) mark(form, event.submitter);
  else if (form.act && form.act.value === "undo" && kept.queue.length) takeBack();
  else if (!isPad && kept.queue.length) pump();
  else if (!isPad) act(form, event.submitter);
}

function begin() {
  document.addEventListener("submit", onSubmit);
  document.addEventListener("htmx:afterSwap", draw);
  window.addEventListener("online", pump);
  draw();
  pump();
}

/* A browser that is too old to say which button was pressed keeps the plain forms. */
if (room && window.SubmitEvent && "submitter" in SubmitEvent.prototype && Element.prototype.replaceChildren) begin();
