/* A table's page drawn from the rounds as they stand. */

import { fill } from "../parts.js";
import { drawOthers } from "./others.js";
import { kept } from "./kept.js";
import { madeOf } from "./made.js";
import { page, root, say, tell, view } from "./rounds.js";
import { isDown } from "./sending.js";
import { drawNews, drawTroubles, notice } from "./troubles.js";
import { drawTrump, trumpWords } from "./trumps.js";
import { asked, isDone, isDisputed, lastSaid } from "./truth.js";

const panels = { enter: "t-enter", confirm: "t-confirm", done: "t-done", idle: "t-idle", turn: "t-turn", over: "t-over" };
const PAUSE = 500; // milliseconds in which a finger that is on its way presses nothing
export let shown = { each: null, board: null, mode: "", side: "" }; // what stands on the page now
let asking = ""; // what it asks

export function put(id, words) {
  const place = document.getElementById(id);
  if (place.textContent !== words) place.textContent = words;
}

/* Draw everything anew; the focus goes to a new panel's heading if it is this phone's own doing, or
 * if it would be lost. */
export function draw(isMine, isBack) {
  if (isBack) open();
  if (isGone()) return;
  const now = view();
  const { each, board, mode } = now;
  shown = Object.assign(now, { side: sideThatTypes(board) });
  put("t-round", fill(say.sayRound, { round: each.round, last: page.last }));
  put("t-ns-label", each.ns_label);
  put("t-ns", each.ns_name);
  put("t-ew-label", each.ew_label);
  put("t-ew", each.ew_name);
  put("t-shares", each.shares);
  document.getElementById("t-shares").hidden = !each.shares;
  document.getElementById("t-planned").hidden = page.state !== "planned";
  drawBoards(each, each.boards, board);
  const isLost = showPanel(mode);
  if (board) drawBoard(board, each);
  put("t-turned", fill(say.sayTurn, { round: each.round }));
  drawOn(each, board, mode);
  drawMoves(each, mode);
  drawOthers(each, board, mode);
  drawQueue();
  drawTroubles(function () { draw(false); });
  drawNews(function () { draw(false); });
  drawCall();
  if (isLost || (isMine && root.dataset.mode !== mode)) {
    root.querySelector("#" + panels[mode] + " h2").focus({ preventScroll: true });
  }
  root.dataset.mode = mode;
  const asks = JSON.stringify([mode, each.sitting, each.seats, board && board.board, board && board.mark, board && board.trump]);
  if (asking && asks !== asking && !isMine) pause();
  asking = asks;
}

/* Whether the focus was in a panel that goes. */
function showPanel(mode) {
  const at = document.activeElement;
  for (const name in panels) document.getElementById(panels[name]).hidden = name !== mode;
  const panel = at && at.closest(".table__panel, #t-moves, #t-next");
  return Boolean(panel && panel.hidden);
}

/* Another question stands under a finger that is on its way: that tap answers the old one. */
function pause() {
  const panel = document.getElementById(panels[shown.mode]);
  const hadFocus = panel.contains(document.activeElement);
  panel.inert = true;
  setTimeout(function () {
    panel.inert = false;
    if (hadFocus && document.activeElement === document.body) panel.querySelector("h2").focus({ preventScroll: true });
  }, PAUSE);
}

/* N-S enter a board; who says no to it types next; who puts right what both agreed to is not known. */
function sideThatTypes(board) {
  if (!board || !board.mark) return "NS";
  return board.awaits ? asked(board) : "";
}

function drawBoards(each, boards, board) {
  const list = document.getElementById("t-boards");
  const key = JSON.stringify([each.round, boards, board && board.board]);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...boards.map(function (one) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    const isNow = Boolean(board && one.board === board.board);
    link.href = "?round=" + each.round + "&board=" + one.board;
    link.dataset.board = one.board;
    link.dataset.state = isDone(one) ? "in" : one.awaits ? "asked" : "";
    if (isNow) link.setAttribute("aria-current", "true");
    const number = document.createElement("b");
    number.textContent = fill(say.sayBoard, one);
    const mark = document.createElement("span");
    mark.className = "table__mark";
    mark.textContent = markOf(one, isNow);
    link.append(number, " ", mark);
    item.append(link);
    return item;
  }));
}

/* What stands under a board's number: what N-S made, or how far it has come. */
function markOf(one, isNow) {
  if (one.ruled) return say.sayMarkRuled;
  if (one.awaits) return say.sayAsked;
  if (one.mark) return one.mark === "-" ? say.sayMarkNot : fill(say.sayMark, { mark: one.mark.replace("-", " : ") });
  if (isDone(one)) return say.sayIn;
  return isNow ? say.sayNow : say.sayToCome;
}

function drawBoard(board, each) {
  const last = board.said[board.said.length - 1];
  const values = Object.assign({ board: board.board, who: who(last ? last.by : "table") }, madeOf(board.mark));
  const isPlayed = board.mark !== "-";
  put("t-ask", fill(say.sayAsk, values));
  put("t-you", fill(say.sayRight, { who: who(asked(board)) }));
  put("t-them", fill(say.sayAs, values));
  put("t-made-ns", String(values.ns));
  put("t-made-ew", String(values.ew));
  document.getElementById("t-tally-ns").hidden = !isPlayed;
  document.getElementById("t-tally-ew").hidden = !isPlayed;
  document.getElementById("t-tally-not").hidden = isPlayed;
  put("t-yes", fill(isPlayed ? say.sayYes : say.sayYesNot, values));
  put("t-told", fill(board.ruled ? say.sayRuled : isPlayed ? say.sayDone : say.sayNot, values));
  drawTrump(board, each);
  drawSaid("t-said", board, Boolean(board.mark));
  drawSaid("t-both", board, isDisputed(board));
  put("t-no", board.awaits ? fill(say.sayNo, { who: who(asked(board)) }) : "");
  for (const form of [document.getElementById("t-enter"), document.getElementById("t-confirm")]) {
    form.elements.sitting.value = each.sitting;
    form.elements.board.value = board.board;
    form.elements.seen.value = board.mark;
    form.elements.seats.value = each.seats;
    form.elements.side.value = shown.side;
  }
  drawPoints(board, each);
  for (const key of root.querySelectorAll(".pad button")) {
    if (key.value === board.mark) key.setAttribute("aria-pressed", "true");
    else key.removeAttribute("aria-pressed");
  }
}

/* Where points are written: the two that stand, until somebody types others. */
function drawPoints(board, each) {
  const both = [document.getElementById("t-points-ns"), document.getElementById("t-points-ew")];
  const now = [each.sitting, board.board, board.mark].join();
  if (!both[0] || both[0].dataset.of === now) return;
  both[0].dataset.of = now;
  const made = madeOf(board.mark);
  const isPlayed = board.mark !== "" && board.mark !== "-";
  both[0].value = isPlayed ? made.ns : "";
  both[1].value = isPlayed ? made.ew : "";
}

/* Both sides see what each of them typed last, and who typed which. */
function drawSaid(id, board, isShown) {
  const list = document.getElementById(id);
  list.hidden = !isShown;
  list.replaceChildren(...(isShown ? lastSaid(board) : []).map(function (one) {
    const item = document.createElement("li");
    const values = Object.assign({ who: who(one.by) }, madeOf(one.mark));
    item.textContent = fill(one.mark === "-" ? say.sayTypedNot : say.sayTyped, values);
    if (one.trump) item.append(" " + trumpWords(one.trump));
    return item;
  }));
}

function who(by) {
  return { NS: say.sayNs, EW: say.sayEw, table: say.sayTable, desk: say.sayTheDesk }[by];
}

/* The way on from a board that is done, and the way back to it. */
function drawOn(each, board, mode) {
  if (mode !== "done") return;
  const next = each.boards.find(function (one) { return !isDone(one); });
  put("t-on", next ? fill(say.sayOn, next) : say.sayOnOnly);
  put("t-again", fill(say.sayAgain, board));
}

function drawMoves(each, shown) {
  const box = document.getElementById("t-moves");
  const next = document.getElementById("t-next");
  const isBetween = shown === "turn" || shown === "idle";
  box.hidden = !(isBetween || shown === "done") || !each.moves.length;
  const isThere = page.rounds.some(function (one) { return one.round === each.round + 1; });
  next.hidden = !isBetween || !isThere; // the next round may still be to be drawn
  next.textContent = fill(say.sayNext, { round: each.round + 1 });
  document.getElementById("t-move-list").replaceChildren(...each.moves.map(function (words) {
    const item = document.createElement("li");
    item.textContent = words;
    return item;
  }));
}

function drawQueue() {
  const boards = new Set(kept.queue.map(function (one) { return one.sitting + "/" + one.board; }));
  const place = document.getElementById("t-queue");
  const isWaiting = isDown() && boards.size > 0;
  place.classList.toggle("is-waiting", isWaiting);
  if (isWaiting) put("t-queue", boards.size === 1 ? say.sayWaitOne : say.sayWaitMany.replace("#", boards.size));
  else if (!kept.queue.length && place.textContent) put("t-queue", say.saySent);
}

function drawCall() {
  const time = page.called && new Date(page.called).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
  if (page.called) put("t-called", fill(say.sayCalled, { time: time }));
  else if (page.coming) put("t-called", say.sayComing);
  else if (root.dataset.called) put("t-called", "");
  root.dataset.called = page.called || (page.coming ? "coming" : "");
}

/* The address is worth nothing now: say so, and name what has not arrived. */
export function gone(words) {
  const box = document.getElementById("t-troubles");
  const key = JSON.stringify([words, kept.queue]);
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  const unsent = kept.queue.filter(function (each) { return each.act === "enter"; });
  box.replaceChildren(notice(words, ""), ...unsent.map(function (each) { return notice(fill(say.sayUnsent, each)); }));
  put("t-queue", "");
  put("t-round", say.sayClosed);
  for (const id of Object.values(panels)) document.getElementById(id).hidden = true;
  root.classList.add("is-gone");
}

/* The director has opened the session again, and the page with it. */
function open() {
  root.classList.remove("is-gone");
  tell("sayBackOpen");
}

function isGone() {
  return root.classList.contains("is-gone");
}
