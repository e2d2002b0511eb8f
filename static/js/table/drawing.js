/* A table's page drawn from the rounds as they stand, and the troubles that somebody must read. */

import { button, fill } from "../parts.js";
import { keep, kept, wait } from "./kept.js";
import { current, inHand, isDone, page, root, say, standing } from "./rounds.js";
import { isDown, pump } from "./sending.js";

const panels = { enter: "t-enter", confirm: "t-confirm", done: "t-done", idle: "t-idle", turn: "t-turn", over: "t-over" };

export function put(id, words) {
  const place = document.getElementById(id);
  if (place.textContent !== words) place.textContent = words;
}

/* Draw everything anew; the focus goes to a new panel's heading if it is this phone's own doing. */
export function draw(isMine) {
  if (isGone()) return;
  const each = current();
  const boards = standing(each);
  const board = boards.find(isInHand) || boards.find(function (one) { return !isDone(one); });
  const shown = mode(board, each);
  put("t-round", fill(say.sayRound, { round: each.round, last: page.last }));
  put("t-ns-label", each.ns_label);
  put("t-ns", each.ns_name);
  put("t-ew-label", each.ew_label);
  put("t-ew", each.ew_name);
  drawBoards(each, boards, board);
  for (const name in panels) document.getElementById(panels[name]).hidden = name !== shown;
  if (board) drawBoard(board, each);
  put("t-turned", fill(say.sayTurn, { round: each.round }));
  drawMoves(each, shown);
  drawQueue();
  drawTroubles();
  drawCall();
  if (isMine && root.dataset.mode !== shown) root.querySelector("#" + panels[shown] + " h2").focus({ preventScroll: true });
  root.dataset.mode = shown;
}

function isInHand(board) {
  return board.board === inHand.number && (inHand.picked || !isDone(board));
}

function mode(board, each) {
  if (!each.is_played) return "idle";
  if (!board) return each.round === page.last ? "over" : "turn";
  if (inHand.again || !(board.mark || board.ruled)) return "enter";
  return board.awaits ? "confirm" : "done";
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
  put("t-ask", fill(say.sayAsk, values));
  put("t-you", fill(isPlayed ? say.sayYou : say.sayNotBoth, values));
  put("t-them", isPlayed ? fill(say.sayThem, values) : "");
  put("t-yes", isPlayed ? fill(say.sayYes, values) : say.sayYesNot);
  put("t-told", fill(board.ruled ? say.sayRuled : isPlayed ? say.sayDone : say.sayNot, values));
  for (const form of [document.getElementById("t-enter"), document.getElementById("t-confirm")]) {
    form.elements.sitting.value = each.sitting;
    form.elements.board.value = board.board;
    form.elements.seen.value = board.mark;
  }
  for (const key of root.querySelectorAll(".pad button")) {
    if (key.value === board.mark) key.setAttribute("aria-pressed", "true");
    else key.removeAttribute("aria-pressed");
  }
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

// ---------------------------------------------------------------- troubles

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
  wait({ act: "enter", sitting: trouble.sitting, board: trouble.board, seen: trouble.theirs, value: trouble.mine });
  drop(trouble);
  pump();
}

/* The address is worth nothing any more: say so, and name what never arrived. */
export function gone(words) {
  const box = document.getElementById("t-troubles");
  const unsent = kept.queue.filter(function (each) { return each.act === "enter"; });
  box.replaceChildren(notice(words), ...unsent.map(function (each) { return notice(fill(say.sayUnsent, each)); }));
  put("t-queue", "");
  for (const id of Object.values(panels)) document.getElementById(id).hidden = true;
  root.classList.add("is-gone");
}

export function isGone() {
  return root.classList.contains("is-gone");
}
