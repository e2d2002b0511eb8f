/* The scoring page of a rubber table: a tapped hand is stored here until the server has it.
 *
 * Each hand is first written to localStorage and then sent, oldest first. Its spell and number identify it, so
 * a repeated request is recognised. While a request is running, and for a moment after each tap, the pad is
 * locked, so a double tap enters one hand. Without a connection entry continues; the server computes the score
 * later.
 */

import { hold } from "./held.js";
import { button, fill } from "./parts.js";
import { box, canRun, fresh, root, say } from "./phone/frame.js";
import { keep, kept, wait } from "./phone/kept.js";
import { drawTroubles, unsent } from "./phone/notices.js";
import { busy, follow, isDown, isShut, pump, sendNow } from "./phone/sending.js";

const TOKEN = "csrfmiddlewaretoken";
const AFTER_A_TAP = 800; // milliseconds in which a second tap is ignored
let tapped = 0;
let problem = "";

function marker() {
  return document.getElementById("marker");
}

/* Describe a hand: "Hand 5: 9 tricks of A, 3 honours of B". */
function named(act) {
  const parts = [act.called ? fill(say.sayCalled, { side: act.called }) : fill(say.sayTricks, { made: act.made.slice(1), side: act.made[0] })];
  if (act.honours) parts.push(fill(say.sayHonours, { held: act.honours.slice(1), side: act.honours[0] }));
  if (Object.keys(act).some(function (name) { return name.startsWith("revoke-") && act[name]; })) parts.push(say.sayRevoke);
  return fill(say.sayHand, { hand: act.hand }) + ": " + parts.join(", ");
}

function draw() {
  if (isShut) return;
  const waiting = isDown() ? kept.queue : [];
  const count = waiting.length;
  fresh(document.getElementById("marker-waits"), [waiting, problem], function () {
    const found = problem ? [box("notice--wrong", [problem])] : [];
    if (!count) return found;
    const lead = count === 1 ? say.sayWaitOne : say.sayWaitMany.replace("#", String(count));
    const back = button(say.sayBack, takeBack);
    return [...found, box("notice--waiting", [lead + " " + say.sayLater, ...waiting.map(named)], [back])];
  });
  drawTroubles(document.getElementById("marker-troubles"));
  drawHand();
}

/* Count the waiting hands in the number of the next hand; the server determines its dealer. */
function drawHand() {
  const head = marker().querySelector("[data-next-hand]");
  const pad = marker().querySelector(".marker__pad");
  if (!head || !pad) return;
  const count = here(pad).length;
  if (!("words" in head.dataset)) head.dataset.words = head.textContent;
  head.textContent = count ? fill(say.sayHand, { hand: Number(pad.hand.value) + count }) : head.dataset.words;
}

/* Return the waiting hands of the pad's round and players that the server does not have yet. */
function here(pad) {
  const round = pad.round ? pad.round.value : "";
  return kept.queue.filter(function (act) {
    return (act.round || "") === round && act.spell === pad.spell.value && Number(act.hand) >= Number(pad.hand.value);
  });
}

function takeBack() {
  if (busy && kept.queue.length === 1) return; // it is being sent
  kept.queue.pop();
  keep();
  draw();
}

/* Send pairs of fields, and show the returned marker. Returns null if no response arrived, else the status and
 * the error message.
 */
async function ask(pairs) {
  const stop = new AbortController();
  const clock = setTimeout(function () { stop.abort(); }, 10000);
  const token = document.querySelector(`#marker [name=${TOKEN}]`);
  const sent = pairs.filter(function (pair) { return pair[0] !== TOKEN; });
  if (token) sent.push([TOKEN, token.value]); // the current token, because a stored one may have expired
  problem = "";
  try {
    const response = await fetch(location.pathname, {
      method: "POST",
      body: new URLSearchParams(sent),
      headers: { "HX-Request": "true" },
      credentials: "same-origin",
      cache: "no-store",
      signal: stop.signal,
    });
    if (response.status >= 500) return null; // the server did not store it, so it stays in the queue
    if (response.status === 404 || response.status === 410) return { status: 410, data: { detail: say.sayGone } };
    const drawn = swap(await response.text());
    if (drawn) return { status: response.status, data: { detail: drawn.words } };
    problem = say.sayLogin; // the response is a sign-in page or an error page, so the queue is kept
    return null;
  } catch (error) {
    return null;
  } finally {
    clearTimeout(clock);
  }
}

/* Replace the marker by the received one, and keep the focus. */
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

/* Remove the error from the marker, because it is shown below with the hand that it concerns. */
function take(_data, _sent, isRefused) {
  const alert = isRefused && marker().querySelector("[role=alert]");
  if (alert) alert.remove();
}

function gone(words) {
  fresh(document.getElementById("marker-troubles"), [words, unsent()], function () {
    return [box("notice--wrong", [words, ...unsent()])];
  });
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

/* Send any other action of the marker directly, without queueing it. */
async function act(form, submitter) {
  const pairs = [...new FormData(form)];
  if (submitter && submitter.name) pairs.push([submitter.name, submitter.value]);
  const answer = await sendNow(pairs);
  if (answer === null) problem = problem || say.sayDown;
  else if (answer.status === 410) problem = say.sayGone;
  draw();
  pump();
}

function onSubmit(event) {
  const form = event.target;
  if (!form.closest("#marker") || form.method !== "post") return;
  const isPad = form.classList.contains("marker__pad");
  event.preventDefault();
  const now = Date.now();
  if (isShut || (busy && !isDown()) || now - tapped < AFTER_A_TAP) return;
  tapped = now;
  if (isPad && event.submitter && event.submitter.name) mark(form, event.submitter);
  else if (form.act && form.act.value === "undo" && kept.queue.length) takeBack();
  else if (!isPad && kept.queue.length) pump();
  else if (!isPad) act(form, event.submitter);
}

if (root && canRun) {
  document.addEventListener("submit", onSubmit);
  document.addEventListener("htmx:afterSwap", draw);
  follow({
    draw: draw,
    gone: gone,
    take: take,
    about: function (sent) { return { what: named(sent) }; },
    mine: function () { return ""; },
    ask: function (sent, hasWaited) {
      if (Array.isArray(sent)) return ask(sent);
      return ask([...Object.entries(sent), ...(hasWaited ? [["waited", "yes"]] : [])]);
    },
  });
}
