/* The rounds as they stand at this table, and which round and board are in hand. */

import { kept } from "./kept.js";

export const root = document.getElementById("table");
export const say = root.dataset;
export let page = JSON.parse(document.getElementById("table-data").textContent);
export const inHand = {
  round: page.rounds[0].round,
  number: 0, // the board; 0 for the next thing to do
  picked: false, // whether somebody chose that board, so that it stays when it is done
  again: false, // whether that board is to be entered anew
};
let last = null; // the round in hand, which the server forgets once it is over

function roundIn(rounds) {
  return rounds.find(function (each) { return each.round === inHand.round; });
}

export function current() {
  const found = roundIn(page.rounds);
  if (found) last = found;
  if (!last || last.round !== inHand.round) {
    last = page.rounds[0];
    inHand.round = last.round;
  }
  return last;
}

/* What the server said of a round's boards, with what still waits on this phone laid over it. */
export function standing(each) {
  const boards = each.boards.map(function (board) { return Object.assign({}, board); });
  for (const act of kept.queue) {
    const board = act.sitting === each.sitting && boards.find(function (one) { return one.board === act.board; });
    if (board) change(board, act);
  }
  return boards;
}

function change(board, act) {
  if (act.act === "enter") Object.assign(board, { mark: act.value, awaits: true });
  else board.awaits = false;
}

export function isDone(board) {
  return board.ruled || (board.mark !== "" && !board.awaits);
}

/* The round in hand may be over for the server; this page shows it until the table turns. */
export function remember(sent) {
  if (!last || last.sitting !== sent.sitting) return;
  const board = last.boards.find(function (one) { return one.board === sent.board; });
  if (board) change(board, sent);
}

export function take(data) {
  if (!data.page) return;
  page = data.page;
  const isOver = last && last.round === inHand.round && !roundIn(page.rounds);
  if (isOver && inHand.round < page.rounds[0].round) leave();
  current();
}

/* The server says that the round in hand is over: another phone of the table may have ended it. */
function leave() {
  for (const board of last.boards) {
    if (board.mark || board.ruled) board.awaits = false;
    else inHand.round = page.rounds[0].round;
  }
}
