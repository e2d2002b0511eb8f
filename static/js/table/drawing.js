/* Drawing of an event's table page from its rounds. */

import { fill } from "../parts.js";
import { fresh, holdStill, line, put, root, say } from "../phone/frame.js";
import { kept } from "../phone/kept.js";
import { drawCall, drawNews, drawQueue, drawTroubles } from "../phone/notices.js";
import { isShut } from "../phone/sending.js";
import { madeOf } from "./made.js";
import { drawOthers } from "./others.js";
import { page, view } from "./rounds.js";
import { drawTrump, trumpNews, trumpWords } from "./trumps.js";
import { asked, isDone, isDisputed, lastSaid } from "./truth.js";

const panels = { enter: "t-enter", confirm: "t-confirm", done: "t-done", idle: "t-idle", turn: "t-turn", over: "t-over" };
export let shown = { each: null, board: null, mode: "", side: "" }; // what the page shows now
let asking = ""; // the panel and board last shown, to detect changes

/* Redraw everything. The focus moves to a new panel's heading after an action of this phone, or if it would be
 * lost.
 */
export function draw(isMine) {
  if (isShut) return;
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
  drawQueue(new Set(kept.queue.map(function (one) { return one.sitting + "/" + one.board; })).size);
  drawTroubles(document.getElementById("t-troubles"));
  drawNews(worded);
  drawCall(page);
  if (isLost || (isMine && root.dataset.mode !== mode)) {
    root.querySelector("#" + panels[mode] + " h2").focus({ preventScroll: true });
  }
  root.dataset.mode = mode;
  const asks = JSON.stringify([mode, each.sitting, each.seats, board && board.board, board && board.mark, board && board.trump]);
  if (asking && asks !== asking && !isMine) holdStill(document.getElementById(panels[mode]));
  asking = asks;
}

/* Show a panel, and return whether the focus was in a panel that is now hidden. */
function showPanel(mode) {
  const at = document.activeElement;
  for (const name in panels) document.getElementById(panels[name]).hidden = name !== mode;
  const panel = at && at.closest(".table__panel, #t-moves, #t-next");
  return Boolean(panel && panel.hidden);
}

function worded(word, values) {
  return say[word] ? fill(say[word], values) : trumpNews(word, values);
}

/* Return the side that enters: N-S first, the side that rejects a score afterwards; "" for a correction of a
 * confirmed score.
 */
function sideThatTypes(board) {
  if (!board || !board.mark) return "NS";
  return board.awaits ? asked(board) : "";
}

function drawBoards(each, boards, board) {
  const about = [each.round, boards, board && board.board];
  fresh(document.getElementById("t-boards"), about, function () { return boards.map(function (one) {
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
  }); });
}

/* Return the text below a board's number: the N-S result, or its state. */
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

/* Set the two point fields to the current result, until a user enters others. */
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

/* Show the last value that each side entered. */
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

/* Label the buttons to continue from a finished board, and to enter it again. */
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
  next.hidden = !isBetween || !isThere; // the next round may not be drawn yet
  next.textContent = fill(say.sayNext, { round: each.round + 1 });
  document.getElementById("t-move-list").replaceChildren(...each.moves.map(line("li")));
}
