/* A drive's table in a game with contracts: the phone computes the points of a hand itself, so that it
 * works without a connection. The server computes them again, and its result counts.
 *
 * Each file in contracts/ imports only those before it: settling, bid, hints, choosing.
 */

import { act } from "./drive_table.js";
import { addition, draw } from "./drive_table/drawing.js";
import { choose, named, shown, truth } from "./drive_table/state.js";
import { signed } from "./drive_table/truth.js";
import { dealerOf, describe, handOf, newBid, opponentsOf } from "./contracts/bid.js";
import { stepOf } from "./contracts/choosing.js";
import { hintsAbout } from "./contracts/hints.js";
import { settle } from "./contracts/settling.js";
import { fill } from "./parts.js";
import { at, canRun, line, put, say } from "./phone/frame.js";
import { kept } from "./phone/kept.js";
import { news } from "./phone/news.js";

const table = JSON.parse(at("game-data").textContent);
const RELOADED = "overplay-points" + location.pathname;
let bid = newBid();
let about = "";
let drawn = "";

function namesOf(seats) {
  return seats.map(function (seat) { return truth.people[seat - 1]; }).join(" + ");
}

/* A hand in one line: "Ann + Cy: together 8, 9 tricks". */
function described(hand) {
  return describe(table, bidOf(hand)).map(function ([word, values]) {
    return fill(say[word], Object.assign({}, values, { by: namesOf(values.by || []) }));
  }).join(" · ");
}

/* The contract of a hand; {} for typed scores and for a whole round. */
function bidOf(hand) {
  return hand.contract || {};
}

function pointsOf(score) {
  return score.map(function (each) { return (each > 0 ? "+" : "") + signed(each); }).join(" ");
}

function dealer(hand) {
  const isEntered = hand.score.length && shown.mode !== "enter";
  return dealerOf(table, truth.hands, hand.hand, isEntered ? bidOf(hand).passed || 0 : bid.passed);
}

addition.words = function (hand) {
  begin(hand);
  const who = namesOf(opponentsOf(bidOf(hand))).replaceAll(" + ", ", ") || say.sayAllFour;
  const deals = fill(say.sayDeals, { who: truth.people[dealer(hand) - 1] });
  const number = hand.hand ? fill(say.sayHandOf, { hand: hand.hand, of: truth.hands.length }) + " · " : "";
  return { ask: number + deals, who: who, of: [named(hand.hand), described(hand)].filter(Boolean).join(": "), yes: say.sayYesAlone };
};

addition.mark = function (hand) {
  return hand.score.length ? [described(hand), pointsOf(hand.score)].filter(Boolean).join(": ") : "";
};

addition.draw = function (hand) {
  reloadForNewPoints();
  drawTotals(hand);
  if (!hand || shown.mode !== "enter") return;
  const isWhole = !("contract" in hand);
  const isTyped = isWhole || bid.step === "typed";
  at("t-boxes").hidden = !isTyped;
  at("t-typed").hidden = !isTyped;
  at("t-typed").querySelector("button").hidden = isWhole;
  at("t-bid").hidden = isTyped;
  if (!isTyped) drawBid(hand);
};

/* Begin a new bid if another hand is shown. */
function begin(hand) {
  const key = JSON.stringify([truth.round, truth.seats, hand.hand, shown.mode, hand.score]);
  if (key !== about) bid = newBid();
  about = key;
}

function drawTotals(hand) {
  const sums = [0, 0, 0, 0];
  for (const each of truth.hands) each.score.forEach(function (points, index) { sums[index] += points; });
  const deals = hand ? dealer(hand) : 0;
  at("t-totals").hidden = !truth.seats;
  [...at("t-totals").children].forEach(function (item, index) {
    const name = (truth.people[index] || "") + (deals === index + 1 ? " " + say.sayDealer : "");
    const sum = (sums[index] > 0 ? "+" : "") + signed(sums[index]);
    if (item.firstElementChild.textContent !== name) item.firstElementChild.textContent = name;
    if (item.lastElementChild.textContent !== sum) item.lastElementChild.textContent = sum;
  });
}

function drawBid(hand) {
  const page = { table: table, people: truth.people, dealer: dealer(hand), enterZero: enterZero };
  const key = JSON.stringify([bid, page.people, page.dealer, about]);
  if (key === drawn) return;
  drawn = key;
  const place = at("t-bid");
  const focus = place.contains(document.activeElement) && document.activeElement.dataset.key;
  place.replaceChildren(...stepOf(bid, page, change, send));
  if (focus === false) return;
  const again = place.querySelector("[data-key='" + focus + "']");
  if (again) again.focus({ preventScroll: true });
  else at("t-ask").focus({ preventScroll: true });
}

function change(changes) {
  bid = Object.assign({}, bid, changes);
  draw(false);
}

/* Send the hand with its result; a stopped hand has only fines. A surprising hand is asked about first. */
function send(result, fines) {
  const now = fines ? Object.assign(newBid(), { passed: bid.passed, fines: fines }) : bid;
  const hand = handOf(now, result);
  const settled = settle(table, hand);
  if (settled === null) {
    change({ step: "typed" });
    put("t-no", say.sayCantShare);
    return;
  }
  const hints = bid.step === "ask" ? [] : hintsAbout(table, hand, handBefore());
  if (hints.length) {
    change({ step: "ask", result: result, hints: hints.map(function ([word, values]) { return fill(say[word], values); }) });
    return;
  }
  act("enter", settled.points.join(), "", hand);
}

/* Enter a hand in which everyone passed, if it counts as a hand. */
function enterZero() {
  act("enter", "0,0,0,0", "");
}

/* The last hand before the active one that is entered; undefined if it has no contract. */
function handBefore() {
  const earlier = truth.hands.filter(function (each) { return each.hand < shown.hand.hand && each.score.length; });
  const last = earlier[earlier.length - 1];
  return last && bidOf(last).contract ? bidOf(last) : undefined;
}

/* The organiser has changed the points: load the page again, once, when nothing waits or is unread. */
function reloadForNewPoints() {
  if (truth.points === table.id || kept.queue.length || kept.troubles.length || news.length) return;
  try {
    if (sessionStorage.getItem(RELOADED) === truth.points) return;
    sessionStorage.setItem(RELOADED, truth.points);
  } catch (error) {
    return; // without the store the page could load for ever
  }
  location.reload();
}

function drawSum() {
  const values = [...at("t-boxes").querySelectorAll("[name=score]")].map(function (box) { return Number(box.value.replace("−", "-")) || 0; });
  const sum = values.reduce(function (all, each) { return all + each; }, 0);
  put("t-sum", fill(say.saySum, { n: signed(sum) }));
}

if (canRun) {
  if (at("t-plain")) at("t-plain").hidden = true;
  at("t-ask").tabIndex = -1;
  at("t-boxes").addEventListener("input", drawSum);
  at("t-typed").append(line("p")(""));
  at("t-typed").lastElementChild.id = "t-sum";
  at("t-typed").querySelector("button").addEventListener("click", function () { change({ step: "contract" }); });
  choose({});
  draw(false);
}
