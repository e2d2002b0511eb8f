/* The grid on the page: its blocks, its cells with their values, its texts and counts. */

import { fill } from "../parts.js";

export const root = document.getElementById("scores");
export const say = root.dataset;
export const blocks = Array.from(root.querySelectorAll(".block"));
export const cells = Array.from(root.querySelectorAll(".cell:not([disabled])")).map(readCell);
export const queue = []; // cells waiting to be sent, oldest first
export const asked = []; // cells that someone else has changed in the meantime
const line = document.getElementById("scores-line");

function readCell(input) {
  const row = input.closest("tr");
  const cell = {
    input: input,
    seen: row.querySelector("[name^=seen-]"),
    trump: row.querySelector(".cell-trump"), // the table's declaration; null if the event records none
    trumpSeen: row.querySelector("[name^=tseen-]"),
    ew: row.querySelector(".ew"),
    mark: row.querySelector(".cell-state"),
    row: row,
    block: input.closest(".block"),
    state: "",
    wanted: null,
    theirs: "",
    savedAt: 0,
    by: "",
  };
  input.closest("form").autocomplete = "off";
  return cell;
}

export function cellOf(input) {
  return cells.find(function (cell) { return cell.input === input; });
}

export function cellsOf(block) {
  return cells.filter(function (cell) { return cell.block === block; });
}

// ---------------------------------------------------------------- the values of a cell

const most = Number(say.points || 0); // the maximum points of a side; 0 if results are tricks

export function tidy(text) {
  const value = text.trim().replace(/[–−x]/i, "-");
  const both = most ? /^(\d+)\s*[-:/;,\s]\s*(\d+)$/.exec(value) : null;
  if (both) return Number(both[1]) + "-" + Number(both[2]);
  return /^\d+$/.test(value) ? String(Number(value)) : value;
}

export function isSound(value) {
  if (value === "" || value === "-") return true;
  if (most) return /^\d+-\d+$/.test(value) && value.split("-").every(function (won) { return Number(won) <= most; });
  return /^\d{1,2}$/.test(value) && Number(value) <= 13;
}

/* Return the text next to a valid value: the tricks of E-W, or the points N-S won less those it lost. */
function beside(value) {
  if (!most) return String(13 - Number(value));
  const [won, lost] = value.split("-").map(Number);
  return (won > lost ? "+" : won < lost ? "−" : "") + Math.abs(won - lost);
}

export function isMissing(cell) {
  return tidy(cell.input.value) === "";
}

/* Return whether a result is missing and its round has begun, or is not later than the round of `from`. */
export function isDue(cell, from) {
  const isLater = "early" in cell.row.dataset && !(from && roundOf(cell) <= roundOf(from));
  return isMissing(cell) && !isLater;
}

function roundOf(cell) {
  return Number(cell.input.dataset.round);
}

/* Return whether a cell's tricks or trumps differ from the saved ones. */
export function isNew(cell, value) {
  return value !== cell.seen.value || (value !== "" && cell.trump !== null && cell.trump.value !== cell.trumpSeen.value);
}

/* Set a cell's trumps to the saved ones. */
export function setTrump(cell, trump) {
  if (cell.trump === null || typeof trump !== "string") return;
  cell.trump.value = cell.trumpSeen.value = trump;
}

export function isUnsaved(cell) {
  return isNew(cell, tidy(cell.input.value)) || queue.includes(cell) || asked.includes(cell);
}

/* Return the form data that save a cell. */
export function fieldsOf(cell, value) {
  const place = cell.input.dataset;
  const fields = { sitting: place.sitting, board: place.board, value: value, seen: cell.seen.value };
  if (cell.trump !== null) fields.trump = cell.trump.value;
  if ("early" in cell.row.dataset) fields.early = "1";
  return fields;
}

export function show(cell) {
  const value = tidy(cell.input.value);
  if (value === "-") cell.ew.textContent = "–";
  else cell.ew.textContent = value !== "" && isSound(value) ? beside(value) : "";
}

/* The listener for changes of input or of saved values, set by a file that imports this one. */
const changed = { tell: null };

export function whenChanged(act) {
  changed.tell = act;
}

export function mark(cell, state, words) {
  cell.state = state;
  if (changed.tell) queueMicrotask(changed.tell); // after the cell has the value that its mark describes
  cell.row.dataset.state = state;
  cell.mark.textContent = words || "";
  if (state === "wrong") cell.input.setAttribute("aria-invalid", "true");
  else cell.input.removeAttribute("aria-invalid");
}

// ---------------------------------------------------------------- texts and counts

export function tell(words, isTrouble) {
  const open = cells.filter(isUnsaved).length;
  line.classList.toggle("is-trouble", isTrouble);
  line.textContent = words;
  if (isTrouble && open) {
    const count = open === 1 ? say.sayUnsavedOne : say.sayUnsavedMany.replace("#", open);
    line.textContent += " " + count;
  }
}

export function countMissing(missing) {
  const place = document.getElementById("scores-missing");
  const words = missing === 0 ? place.dataset.none : missing === 1 ? place.dataset.one : place.dataset.many;
  place.textContent = words.replace("#", missing);
  document.getElementById("scores-done").hidden = missing !== 0;
}

export function countBlock(block) {
  const entered = cellsOf(block).filter(function (cell) { return cell.seen.value !== ""; }).length;
  const expected = Number(block.dataset.expected);
  const words = entered >= expected ? say.sayAll
    : fill(say.sayOf, { entered: entered, expected: expected });
  const link = linkOf(block);
  block.querySelector(".block__count").textContent = words;
  link.querySelector(".scores__count").textContent = words;
  if (block.classList.contains("is-in-hand")) showTitle(block);
  link.classList.toggle("is-full", entered >= expected);
  link.classList.toggle("is-part", entered > 0 && entered < expected);
}

/* Show the active block in the page's title. */
export function showTitle(block) {
  const inside = cellsOf(block);
  const entered = inside.filter(function (cell) { return cell.seen.value !== ""; }).length;
  const count = document.getElementById("scores-count");
  document.getElementById("scores-title").textContent = block.dataset.title;
  count.hidden = !inside.length;
  count.textContent = fill(say.sayIn, { entered: entered, expected: block.dataset.expected });
}

export function linkOf(block) {
  return root.querySelector('.scores__map [data-for="' + block.id + '"]');
}
