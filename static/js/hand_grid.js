/* The organiser's grid of hands: typed from a paper sheet with the keyboard, and saved row by row.
 *
 * Without this script the page is one form. Each file in hand_grid/ imports only those before it: reading,
 * rows, sending.
 */

import { playerCounts } from "./contracts/settling.js";
import { completed, contractOf, contractsFrom, isNameBegun, isPassedWord, isPassedWordBegun, pointsOf } from "./hand_grid/reading.js";
import { acts, addRestoring, BOXES, draw, fillIn, isChanged, mark, root, rowOf, rows, showTyped, table, textsOf } from "./hand_grid/rows.js";
import { checkSums, commit, isWaiting, restore } from "./hand_grid/sending.js";

const MAX_PASSED = 9;
const form = document.getElementById("hands-form");
const written = [...form.querySelectorAll("[name^=w]")];
let moved = null; // the last automatic move { from, to }, until another key is pressed or a box is tapped

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
    next.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
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

/* Go to the next box without a key, so that a key for the same step does nothing. */
function moveOn(row, name) {
  follow(row, row.boxes[name]);
  const to = document.activeElement;
  if (to !== row.boxes[name]) moved = { from: name, to: to };
}

// ---------------------------------------------------------------- typing

/* Complete a key or name while it is typed, and go on once nothing else begins with it. */
function complete(row, event) {
  const box = row.boxes.contract;
  const typed = box.value;
  if (event.inputType !== "insertText" || isPassedWord(table, typed)) return;
  const found = contractsFrom(table, typed);
  if (!typed.trim() || found.length !== 1) return;
  if (found[0].key === typed.trim().toLowerCase()) {
    if (!isNameBegun(table, typed)) moveOn(row, "contract");
    return;
  }
  box.value = completed(found[0], typed);
  box.setSelectionRange(typed.length, box.value.length);
}

/* How many more players a row may have; 0 if its contract is not known. */
function missingPlayers(row) {
  const contract = contractOf(table, row.boxes.contract.value);
  const count = row.boxes.players.value.replace(/[^\da]/gi, "").length;
  return contract ? Math.max(0, playerCounts(contract)[1] - count) : 0;
}

/* Go on once a contract has all the players that it can have. */
function followPlayers(row, event) {
  const contract = contractOf(table, row.boxes.contract.value);
  if (event.inputType === "insertText" && contract && contract.side !== "each" && !missingPlayers(row)) {
    moveOn(row, "players");
  }
}

/* Whether a space is typed between seats, e.g. "2 4"; a second space goes to the next box. */
function isBetweenSeats(row) {
  return /\d$/.test(row.boxes.players.value) && !isSelected(row.boxes.players) && missingPlayers(row) > 0;
}

function onInput(event) {
  const row = rowOf(event.target);
  if (!row) return;
  const name = nameOf(row, event.target);
  moved = null;
  if (name === "contract") complete(row, event);
  if (name === "players") followPlayers(row, event);
  draw(row);
}

// ---------------------------------------------------------------- keys

/* Whether a character typed in a box belongs to the next one: a seat after a key, tricks after the seats. */
function isForNext(row, name, key) {
  if (name === "contract") {
    const box = row.boxes.contract;
    return /[1-4]/.test(key) && Boolean(contractOf(table, box.value)) && !contractsFrom(table, typedWith(box, key)).length
      && !isSelected(box);
  }
  const digits = row.boxes.players.value.replace(/\D/g, "");
  return name === "players" && /[05-9+-]/.test(key) && digits !== "" && !isSelected(row.boxes.players);
}

/* The text before the cursor with one more character; what is selected was added by the program. */
function typedWith(box, key) {
  return box.value.slice(0, box.selectionStart) + key;
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

function discard(row) {
  fillIn(row, row.stored);
  mark(row, "", "");
  focus(row.boxes.scores.value ? row.boxes.scores : row.boxes.contract);
}

function isEmptyOrSelected(box) {
  return box.value === "" || isSelected(box);
}

/* Return what a key does right after the cursor moved on automatically, or undefined if it does what it always
 * does. Typists who press a key after each box would otherwise go two boxes on.
 */
function actAfterMove(row, event, from) {
  const key = event.key;
  const isStep = (key === "Tab" && !event.shiftKey) || key === "ArrowRight" || key === " ";
  if (isStep || (key === "Enter" && !event.shiftKey && event.target.value === "")) return function () {};
  if (key === "ArrowDown" || key === "ArrowUp") return function () { step(row, key === "ArrowDown" ? 1 : -1, from); };
  return undefined;
}

/* Return what a key does in a box, or undefined if it types a character. */
function actOf(row, name, event) {
  const box = event.target;
  const key = event.key;
  if (key === "Enter") return function () { finish(row, event.shiftKey ? -1 : 1); };
  if (key === "ArrowDown" || key === "ArrowUp") return function () { step(row, key === "ArrowDown" ? 1 : -1, name); };
  if (key === "ArrowRight" && box.selectionEnd === box.value.length) return function () { moveInRow(row, box, 1); };
  if (key === "ArrowLeft" && box.selectionEnd === 0) return function () { moveInRow(row, box, -1); };
  if (key === "Escape") return function () { discard(row); };
  if (name === "contract" && key === "/" && isEmptyOrSelected(box)) return function () { repeatAbove(row); };
  if (name === "contract" && key === "=" && isEmptyOrSelected(box)) return function () { typeScores(row); };
  if (key.toLowerCase() === "p" && row.boxes.passed && isForPassed(name, box)) return function () { addPassed(row); };
  if (key === " " && isSpaceAStep(row, name, box)) return function () { follow(row, box); };
  if (isForNext(row, name, key)) return function () { follow(row, box, key); };
  return undefined;
}

function isSpaceAStep(row, name, box) {
  if (name === "players") return !isBetweenSeats(row);
  const typed = typedWith(box, "");
  return name === "contract" && !isNameBegun(table, typed) && !isPassedWordBegun(table, typed);
}

function isForPassed(name, box) {
  const typed = typedWith(box, "p");
  const isContractTyped = contractsFrom(table, typed).length || isPassedWordBegun(table, typed);
  return ["players", "tricks"].includes(name) || (name === "contract" && !isContractTyped);
}

/* Move to the box before or after, also to those that Tab skips. */
function moveInRow(row, box, by) {
  const boxes = BOXES.map(function (name) { return row.boxes[name]; }).filter(isShown);
  const next = boxes[boxes.indexOf(box) + by];
  if (next) focus(next);
}

/* Save a row and go to the next one, or stay in a row that cannot be saved. */
function finish(row, by) {
  const isWrong = isChanged(row) && !isEmpty(row) && !pointsOf(table, textsOf(row));
  commit(row);
  if (!isWrong) step(row, by, "contract");
}

function isEmpty(row) {
  return Object.values(textsOf(row)).every(function (text) { return text === ""; });
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (event.key === "Shift") return;
  const row = rowOf(event.target);
  const name = row && nameOf(row, event.target);
  const from = moved && moved.to === event.target ? moved.from : "";
  moved = null;
  if (name) {
    const act = (from && actAfterMove(row, event, from)) || actOf(row, name, event);
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
  acts.restore = restore;
  root.addEventListener("input", onInput);
  root.addEventListener("keydown", onKey);
  root.addEventListener("paste", onPaste);
  root.addEventListener("pointerdown", function () { moved = null; });
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
