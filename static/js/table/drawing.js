/* A table's page drawn from the rounds as they stand, and the troubles that somebody must read. */

import { button, fill } from "../parts.js";
import { keep, kept, wait } from "./kept.js";
import { forgetNews, news, page, root, say, tell, view } from "./rounds.js";
import { isDown, pump } from "./sending.js";
import { drawTrump, trumpNews, trumpWords } from "./trumps.js";
import { asked, isDone } from "./truth.js";

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
  document.getElementById("t-planned").hidden = page.state !== "planned";
  drawBoards(each, each.boards, board);
  const isLost = showPanel(mode);
  if (board) drawBoard(board, each);
  put("t-turned", fill(say.sayTurn, { round: each.round }));
  drawMoves(each, mode);
  drawQueue();
  drawTroubles();
  drawNews();
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
  const panel = at && at.closest(".table__panel, #t-moves");
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
    link.href = "?round=" + each.round + "&board=" + one.board;
    link.dataset.board = one.board;
    if (board && one.board === board.board) link.setAttribute("aria-current", "true");
    const mark = document.createElement("span");
    mark.className = "table__mark";
    mark.textContent = isDone(one) ? "✓" : one.awaits ? "?" : "";
    const words = document.createElement("span");
    words.className = "visually-hidden";
    words.textContent = isDone(one) ? " " + say.sayIn : one.awaits ? " " + say.sayAsked : "";
    link.append(fill(say.sayBoard, one), mark, words);
    item.append(link);
    return item;
  }));
}

function drawBoard(board, each) {
  const ns = Number(board.mark);
  const values = { board: board.board, ns: ns, ew: 13 - ns };
  const isPlayed = board.mark !== "-";
  const isNs = asked(board) === "NS";
  put("t-ask", fill(say.sayAsk, values));
  if (isPlayed) put("t-you", fill(isNs ? say.sayYouNs : say.sayYou, values));
  else put("t-you", fill(isNs ? say.sayNotBothNs : say.sayNotBoth, values));
  put("t-them", isPlayed ? fill(isNs ? say.sayThemNs : say.sayThem, values) : "");
  put("t-yes", isPlayed ? fill(isNs ? say.sayYesNs : say.sayYes, values) : say.sayYesNot);
  put("t-told", fill(board.ruled ? say.sayRuled : isPlayed ? say.sayDone : say.sayNot, values));
  drawSaid(board);
  drawTrump(board, each);
  for (const form of [document.getElementById("t-enter"), document.getElementById("t-confirm")]) {
    form.elements.sitting.value = each.sitting;
    form.elements.board.value = board.board;
    form.elements.seen.value = board.mark;
    form.elements.seats.value = each.seats;
    form.elements.side.value = shown.side;
  }
  for (const key of root.querySelectorAll(".pad button")) {
    if (key.value === board.mark) key.setAttribute("aria-pressed", "true");
    else key.removeAttribute("aria-pressed");
  }
}

/* Whoever enters a board again sees what both sides said of it, and who typed which. */
function drawSaid(board) {
  const list = document.getElementById("t-said");
  list.hidden = !board.mark;
  list.replaceChildren(...board.said.map(function (one) {
    const item = document.createElement("li");
    const ns = Number(one.mark);
    item.textContent = fill(one.mark === "-" ? say.sayTypedNot : say.sayTyped, { who: who(one.by), ns: ns, ew: 13 - ns });
    if (one.trump) item.append(" " + trumpWords(one.trump));
    return item;
  }));
  put("t-no", board.awaits ? fill(say.sayNo, { who: who(asked(board)) }) : "");
}

function who(by) {
  return { NS: say.sayNs, EW: say.sayEw, table: say.sayTable, desk: say.sayTheDesk }[by];
}

function drawMoves(each, shown) {
  const box = document.getElementById("t-moves");
  const next = document.getElementById("t-next");
  box.hidden = shown !== "turn" && shown !== "idle";
  if (box.hidden) return;
  document.getElementById("t-move-list").replaceChildren(...each.moves.map(function (words) {
    const item = document.createElement("li");
    item.textContent = words;
    return item;
  }));
  next.hidden = each.round >= page.last;
  next.textContent = fill(say.sayNext, { round: each.round + 1 });
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

// ---------------------------------------------------------------- news and troubles

function drawNews() {
  const box = document.getElementById("t-news");
  const key = JSON.stringify(news);
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren();
  if (!news.length) return;
  const made = document.createElement("div");
  made.className = "notice notice--waiting table__trouble";
  for (const [word, values] of news) {
    const line = document.createElement("p");
    line.textContent = say[word] ? fill(say[word], values) : trumpNews(word, values);
    made.append(line);
  }
  made.append(button(say.saySeen, function () {
    forgetNews();
    draw(false);
  }));
  box.append(made);
}

function notice(words) {
  const box = document.createElement("div");
  const text = document.createElement("p");
  box.className = "notice notice--wrong table__trouble";
  text.textContent = words;
  box.append(text);
  return box;
}

function drawTroubles() {
  const box = document.getElementById("t-troubles");
  const key = JSON.stringify(kept.troubles);
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren(...kept.troubles.map(function (trouble) {
    const isStale = typeof trouble.theirs === "string";
    const lead = isStale ? "" : fill(say.sayRefused, trouble) + " ";
    const made = notice(lead + trouble.words + (isStale ? " " + fill(say.sayStale, trouble) : ""));
    made.append(button(isStale ? say.sayKeep : say.saySeen, function () { drop(trouble); }));
    if (isStale) made.append(button(fill(say.sayMine, trouble), function () { insist(trouble); }));
    return made;
  }));
}

function drop(trouble) {
  kept.troubles.splice(kept.troubles.indexOf(trouble), 1);
  keep();
  draw(false);
}

function insist(trouble) {
  const { sitting, seats, board, side, theirs, mine, trump } = trouble;
  const said = trump === undefined ? {} : { trump: trump };
  wait(Object.assign({ act: "enter", sitting: sitting, seats: seats, board: board, side: side, seen: theirs, value: mine }, said));
  drop(trouble);
  pump();
}

/* The address is worth nothing now: say so, and name what has not arrived. */
export function gone(words) {
  const box = document.getElementById("t-troubles");
  const key = JSON.stringify([words, kept.queue]);
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  const unsent = kept.queue.filter(function (each) { return each.act === "enter"; });
  box.replaceChildren(notice(words), ...unsent.map(function (each) { return notice(fill(say.sayUnsent, each)); }));
  put("t-queue", "");
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
