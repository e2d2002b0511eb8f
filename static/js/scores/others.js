/* Polling for results that others enter while this grid is open.
 *
 * A cell without unsaved input is updated immediately. An update of a cell with unsaved input waits until that
 * is saved or discarded.
 */

import { fill } from "../parts.js";
import { hasQuestions, liftQuestions, question } from "./doubts.js";
import { cells, countBlock, countMissing, isUnsaved, mark, say, setTrump, show } from "./page.js";

const EVERY = 3000; // milliseconds between two requests
const news = new Map(); // updates by sitting and board that the grid has not applied yet
let since = Number(say.newest); // the newest version that the page shows

async function look() {
  if (document.hidden) return;
  const asked = Date.now();
  let found = null;
  try {
    const response = await fetch(say.news + "?since=" + since + (hasQuestions() ? "&queried=1" : ""), {
      credentials: "same-origin",
      headers: { Accept: "application/json" },
    });
    if (!response.ok || response.redirected) return;
    found = await response.json();
  } catch (error) {
    return; // the grid itself shows a lost connection
  }
  since = found.at;
  for (const cell of found.cells) {
    cell.asked = asked;
    news.set(cell.sitting + "-" + cell.board, cell);
  }
  for (const [key, one] of news) if (isTaken(cellAt(key), one)) news.delete(key);
  countMissing(found.missing);
  if (found.queried) liftQuestions(found.queried);
}

function cellAt(key) {
  return cells.find(function (one) {
    return one.input.dataset.sitting + "-" + one.input.dataset.board === key;
  });
}

function isTaken(cell, one) {
  if (!cell || cell.savedAt > one.asked) return true; // older than a value that was saved here since then
  const isSame = cell.trump === null || cell.trumpSeen.value === one.trump;
  if (cell.seen.value === one.seen && isSame) return true;
  if (isUnsaved(cell)) return false;
  cell.seen.value = cell.input.value = one.seen;
  setTrump(cell, one.trump);
  if (cell.input === document.activeElement) cell.input.select();
  show(cell);
  mark(cell, "saved", fill(say.sayOthers, { by: one.by }));
  question(cell, null);
  countBlock(cell.block);
  return true;
}

export function follow() {
  setInterval(look, EVERY);
  look();
}
