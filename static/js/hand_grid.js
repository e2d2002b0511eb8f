/* The organiser's grid of hands: typed from a paper sheet with the keyboard, and saved row by row.
 *
 * Without this script the page is one form. Each file in hand_grid/ imports only those before it: reading,
 * rows, sending.
 */

import { playerCounts } from "./contracts/settling.js";
import { contractOf, keysFrom, pointsOf } from "./hand_grid/reading.js";
import { acts, addRestoring, BOXES, draw, fillIn, isChanged, mark, root, rowOf, rows, showTyped, table, textsOf } from "./hand_grid/rows.js";
import { checkSums, commit, enter, isWaiting } from "./hand_grid/sending.js";

const MAX_PASSED = 9;
const form = document.getElementById("hands-form");
const written = [...form.querySelectorAll("[name^=w]")];

/* Focus a box and select its text. */
function focus(box) {
  box.focus();
  box.select();
}

function nameOf(row, box) {
  return BOXES.find(function (name) { return row.boxes[name] === box; });
}

/* The boxes that the contract of a row needs, in order. */
function neededBoxes(row) {
  if (row.place.classList.contains("is-typed")) return [row.boxes.scores];
  const contract = contractOf(table, row.boxes.contract.value);
  const isPaying = contract && contract.how === "loses";
  return [row.boxes.contract, row.boxes.players, ...(isPaying ? [] : [row.boxes.tricks])];
}

function follow(row, box, char) {
  const boxes = neededBoxes(row);
  const next = boxes[boxes.indexOf(box) + 1];
  if (!next) return;
  focus(next);
  if (char) {
    next.value = char;
    next.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

/* Go to another row, or below the last one to the sums of the sheet. */
function step(row, by, name) {
  const next = rows[rows.indexOf(row) + by];
  if (next) focus([name, "contract", "scores"].map(function (each) { return next.boxes[each]; }).find(isShown));
  else if (by > 0) focus(written[0]);
}

function isShown(box) {
  return Boolean(box && box.offsetParent);
}

// ---------------------------------------------------------------- typing

/* Complete a key while it is typed, and go on once no other key begins with it. */
function complete(row, event) {
  const box = row.boxes.contract;
  if (event.inputType !== "insertText") return;
  const typed = box.value;
  const found = keysFrom(table, typed);
  if (found.length !== 1) return;
  if (found[0].key === typed.trim().toLowerCase()) {
    follow(row, box);
    return;
  }
  box.value = found[0].key;
  box.setSelectionRange(typed.length, box.value.length);
}

/* Go on once a contract has all the players that it can have. */
function followPlayers(row, event) {
  const contract = contractOf(table, row.boxes.contract.value);
  const count = row.boxes.players.value.replace(/\D/g, "").length;
  if (event.inputType === "insertText" && contract && contract.side !== "each" && count >= playerCounts(contract)[1]) {
    follow(row, row.boxes.players);
  }
}

function onInput(event) {
  const row = rowOf(event.target);
  if (!row) return;
  const name = nameOf(row, event.target);
  if (name === "contract") complete(row, event);
  if (name === "players") followPlayers(row, event);
  draw(row);
}

// ---------------------------------------------------------------- keys

/* Whether a character typed in a box belongs to the next one: a seat after a key, tricks after the seats. */
function isForNext(row, name, key) {
  if (name === "contract") {
    const box = row.boxes.contract;
    const typed = box.value.slice(0, box.selectionStart) + key;
    return /[1-4]/.test(key) && Boolean(contractOf(table, box.value)) && box.value !== "" && !keysFrom(table, typed).length
      && !(box.selectionStart === 0 && box.selectionEnd === box.value.length);
  }
  const digits = row.boxes.players.value.replace(/\D/g, "");
  return name === "players" && /[05-9+-]/.test(key) && digits !== "" && !isSelected(row.boxes.players);
}

function isSelected(box) {
  return box.value !== "" && box.selectionStart === 0 && box.selectionEnd === box.value.length;
}

function repeatAbove(row) {
  const above = rows[rows.indexOf(row) - 1];
  if (!above) return;
  fillIn(row, { ...textsOf(above), passed: "" });
  focus(row.boxes.scores.value ? row.boxes.scores : row.boxes.tricks);
}

function typeScores(row) {
  showTyped(row, true);
  for (const name of ["contract", "players", "tricks"]) row.boxes[name].value = "";
  focus(row.boxes.scores);
}

function addPassed(row) {
  const box = row.boxes.passed;
  box.value = String(Math.min(Number(box.value || 0) + 1, MAX_PASSED));
  draw(row);
}

function restore(row) {
  fillIn(row, row.stored);
  mark(row, "", "");
  focus(row.boxes.scores.value ? row.boxes.scores : row.boxes.contract);
}

function isEmptyOrSelected(box) {
  return box.value === "" || isSelected(box);
}

/* Return what a key does in a box, or undefined if it types a character. */
function actOf(row, name, event) {
  const box = event.target;
  const key = event.key;
  if (key === "Enter") return function () { finish(row, event.shiftKey ? -1 : 1); };
  if (key === "ArrowDown" || key === "ArrowUp") return function () { step(row, key === "ArrowDown" ? 1 : -1, name); };
  if (key === "ArrowRight" && box.selectionEnd === box.value.length) return function () { moveInRow(row, box, 1); };
  if (key === "ArrowLeft" && box.selectionEnd === 0) return function () { moveInRow(row, box, -1); };
  if (key === "Escape") return function () { restore(row); };
  if (name === "contract" && key === "/" && isEmptyOrSelected(box)) return function () { repeatAbove(row); };
  if (name === "contract" && key === "=" && isEmptyOrSelected(box)) return function () { typeScores(row); };
  if (key.toLowerCase() === "p" && row.boxes.passed && isForPassed(name)) return function () { addPassed(row); };
  if (key === " " && (name === "contract" || name === "players")) return function () { follow(row, box); };
  if (isForNext(row, name, key)) return function () { follow(row, box, key); };
  return undefined;
}

function isForPassed(name) {
  return ["players", "tricks"].includes(name) || (name === "contract" && !keysFrom(table, "p").length);
}

/* Move to the box before or after, also to those that Tab skips. */
function moveInRow(row, box, by) {
  const boxes = BOXES.map(function (name) { return row.boxes[name]; }).filter(isShown);
  const next = boxes[boxes.indexOf(box) + by];
  if (next) focus(next);
}

function finish(row, by) {
  commit(row);
  step(row, by, "contract");
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  const row = rowOf(event.target);
  const name = row && nameOf(row, event.target);
  if (name) {
    const act = actOf(row, name, event);
    if (!act) return;
    event.preventDefault();
    act();
  } else if (event.key === "Enter" && written.includes(event.target)) {
    event.preventDefault();
    const next = written[written.indexOf(event.target) + 1] || document.getElementById("next-table");
    checkSums();
    if (next) next.focus();
  } else if (event.key === "Enter" && event.target.name === "reason") {
    event.preventDefault();
    rows.filter(isChanged).forEach(commit);
  }
}

// ---------------------------------------------------------------- from a spreadsheet

/* Fill rows from copied cells: key, seats and tricks in each line. */
function onPaste(event) {
  const row = rowOf(event.target);
  const lines = event.clipboardData.getData("text").split(/\r?\n/).filter(function (line) { return line.trim(); });
  if (!row || nameOf(row, event.target) !== "contract" || !lines.some(function (line) { return line.includes("\t"); })) return;
  event.preventDefault();
  lines.forEach(function (line, at) {
    const one = rows[rows.indexOf(row) + at];
    const [contract = "", players = "", tricks = ""] = line.split("\t").map(function (cell) { return cell.trim(); });
    if (!one) return;
    fillIn(one, { contract: contract, players: players, tricks: tricks });
    commit(one);
  });
}

function begin() {
  root.classList.add("hands--script");
  for (const row of rows) {
    showTyped(row);
    addRestoring(row);
    for (const name of ["passed", "other"]) if (row.boxes[name]) row.boxes[name].tabIndex = -1;
    row.place.addEventListener("focusout", function (event) {
      if (row.place.contains(event.relatedTarget)) return;
      if (event.relatedTarget || pointsOf(table, textsOf(row))) commit(row);
    });
  }
  acts.restore = enter;
  root.addEventListener("input", onInput);
  root.addEventListener("keydown", onKey);
  root.addEventListener("paste", onPaste);
  root.addEventListener("focusin", function (event) {
    if (event.target.matches("input[type=text]")) event.target.select();
  });
  for (const box of written) box.addEventListener("change", checkSums);
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    rows.forEach(commit);
  });
  window.addEventListener("beforeunload", function (event) {
    if (isWaiting() || rows.some(isChanged)) event.preventDefault();
  });
  const first = rows.find(function (row) { return !row.saved.length; }) || rows[0];
  if (!root.contains(document.activeElement)) focus(first.boxes.scores.value ? first.boxes.scores : first.boxes.contract);
}

begin();
