/* The state of a table, and the reaction of an open page to changes. This module does not access the page, the
 * storage or the network, so tests can list every case in a table.
 *
 * The state (`truth`) is the server's data, with the queued actions of this phone applied. A `hand` is what the
 * page shows: a round, one of its boards (0 for the next thing to do), whether a user chose that board, and
 * whether it is being entered again.
 */

import { madeOf } from "./made.js";

/* Apply queued actions to the server's data; `known` has the results that this phone has seen, by stamp. */
export function truthOf(page, queue, known) {
  const rounds = page.rounds.map(function (each) { return laid(each, queue); });
  const on = rounds.find(function (each) { return !isComplete(each); }) || rounds[rounds.length - 1];
  if (page.past) rounds.unshift(left(page.past, known));
  return { rounds: rounds, on: on.round, last: page.last, state: page.state };
}

function laid(each, queue) {
  const boards = each.boards.map(function (board) { return Object.assign({}, board); });
  for (const act of queue) {
    const board = act.sitting === each.sitting && boards.find(function (one) { return one.board === act.board; });
    if (board) change(board, act);
  }
  return Object.assign({}, each, { boards: boards });
}

function change(board, act) {
  board.awaits = act.act === "enter";
  if (!board.awaits) return;
  board.mark = act.value;
  if (act.trump !== undefined) board.trump = act.value === "-" ? "" : act.trump;
  board.said = board.said.concat({ by: act.side || "table", mark: act.value, trump: board.trump });
}

/* Return a round that the table has left: the server hides its results, but this phone may know them. */
function left(each, known) {
  const boards = each.boards.map(function (board) {
    return Object.assign({}, board, { mark: known[board.stamp] || "", isLeft: true });
  });
  return Object.assign({}, each, { boards: boards });
}

export function isDone(board) {
  return Boolean(board.isLeft || board.ruled || (board.mark !== "" && !board.awaits));
}

function isComplete(each) {
  return each.boards.every(isDone);
}

export function roundAt(truth, number) {
  return truth.rounds.find(function (each) { return each.round === number; });
}

/* Return the side that has to confirm, which is the side that did not enter the result. */
export function asked(board) {
  const last = board.said[board.said.length - 1];
  return last && last.by === "EW" ? "NS" : "EW";
}

/* Return the last value from each source, in order of entry. */
export function lastSaid(board) {
  return board.said.filter(function (one, at) {
    return !board.said.slice(at + 1).some(function (later) { return later.by === one.by; });
  });
}

/* Return whether two sources entered different values. */
export function isDisputed(board) {
  return new Set(lastSaid(board).map(function (one) { return one.mark + (one.trump || ""); })).size > 1;
}

/* Return what to show: the round, the board, and the panel. */
export function viewOf(truth, hand) {
  const each = roundAt(truth, hand.round) || roundAt(truth, truth.on);
  const board = each.boards.find(function (one) { return isInHand(one, hand); })
    || each.boards.find(function (one) { return !isDone(one); });
  return { each: each, board: board, mode: modeOf(truth, each, board, hand) };
}

function isInHand(board, hand) {
  if (board.board !== hand.number || (board.isLeft && !board.mark)) return false;
  return hand.picked || !isDone(board);
}

function modeOf(truth, each, board, hand) {
  if (!each.is_played) return "idle";
  if (!board) return each.round === truth.last ? "over" : "turn";
  if (hand.again || !(board.mark || board.ruled)) return "enter";
  return board.awaits ? "confirm" : "done";
}

// ---------------------------------------------------------------- changes of the state

/* Return the new `hand` after a change of the state, and the news, as names of texts with values. `mine` is the
 * board of a rejected action of this phone, whose error message already explains it.
 */
export function follow(hand, was, now, mine) {
  const news = [];
  if (was.state !== now.state) news.push([now.state === "planned" ? "sayPlanned" : "sayOpened", {}]);
  const before = roundAt(was, hand.round);
  const after = roundAt(now, hand.round);
  if (now.on < hand.round || !after) {
    news.push([after || now.on < hand.round ? "sayBack" : "sayOnward", { round: now.on }]);
    news.push(...boardNews(roundAt(was, now.on), roundAt(now, now.on), hand, mine));
    return { hand: fresh(now.on), news: news };
  }
  if (!before) return { hand: hand, news: news };
  const others = seatNews(before, after);
  news.push(...others, ...boardNews(before, after, hand, mine));
  const areMovesShown = isComplete(before) && isComplete(after);
  if (areMovesShown && before.moves.join() !== after.moves.join()) news.push(["sayMoves", {}]);
  if (was.last !== now.last) news.push(["sayLast", { last: now.last }]);
  if (others.length || haveOtherBoards(before, after)) return { hand: fresh(hand.round), news: news };
  return { hand: kept(hand, before, after), news: news };
}

function fresh(round) {
  return { round: round, number: 0, picked: false, again: false };
}

/* Keep the entry mode as long as that board has not changed. */
function kept(hand, before, after) {
  if (!hand.again) return hand;
  const is = stands(after.boards.find(function (one) { return one.board === hand.number; }));
  const was = stands(before.boards.find(function (one) { return one.board === hand.number; }));
  return is === was ? hand : Object.assign({}, hand, { again: false });
}

function stands(board) {
  return board && [board.mark, board.trump, board.awaits, board.ruled, Boolean(board.isLeft)].join();
}

function seatNews(before, after) {
  const isSame = ["seats", "ns_name", "ew_name", "ns_label", "ew_label", "is_played"].every(function (name) {
    return before[name] === after[name];
  });
  return isSame ? [] : [[after.is_played ? "saySeats" : "sayNobody", { ns: after.ns_name, ew: after.ew_name }]];
}

function numbersOf(each) {
  return each.boards.map(function (one) { return one.board; });
}

function haveOtherBoards(before, after) {
  return numbersOf(before).join() !== numbersOf(after).join();
}

function boardNews(before, after, hand, mine) {
  if (!before || !after) return [];
  if (haveOtherBoards(before, after)) {
    return after.boards.length ? [["sayBoards", { boards: numbersOf(after).join(", ") }]] : [];
  }
  return after.boards.flatMap(function (is, at) {
    const word = is.board === mine ? "" : happened(before.boards[at], is, hand);
    return word ? [[word, Object.assign({ board: is.board, trump: is.trump }, madeOf(is.mark))]] : [];
  });
}

/* Return the name of the text for another person's change of a board; "" if it needs no message. */
function happened(was, is, hand) {
  const isMine = hand.again && hand.number === is.board;
  if (is.isLeft) return leftWord(was, is);
  if (was.isLeft && !isDone(is)) return is.mark ? "sayUnagreed" : "sayOut";
  if (is.ruled !== was.ruled) return is.ruled ? "sayRuled" : "sayUnruled";
  if (is.mark === was.mark) {
    if (is.trump !== was.trump) return is.trump ? "sayOtherTrump" : "sayNotDeclared";
    if (is.awaits === was.awaits || !is.mark) return "";
    return is.awaits ? "sayUnagreed" : isMine ? "sayAgreed" : "";
  }
  if (!is.mark) return "sayOut";
  if (!is.awaits) return is.mark === "-" ? "sayDeskNot" : "sayDesk";
  return was.mark || isMine ? "sayAnew" : "";
}

function leftWord(was, is) {
  if (was.isLeft) return was.stamp === is.stamp ? "" : "sayLeft";
  return is.mark || was.ruled ? "" : "sayLeft";
}
