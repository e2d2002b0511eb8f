/* The rows of the grid on the page: their boxes, points, states, and the sums below them. */

import { signed } from "../drive_table/truth.js";
import { button } from "../parts.js";
import { pointsOf } from "./reading.js";

export const BOXES = ["contract", "players", "tricks", "passed", "other", "scores"];
export const root = document.getElementById("hands");
export const say = root.dataset;
export const table = JSON.parse(document.getElementById("game-data").textContent);
export const rows = [...root.querySelectorAll("[data-hand]")].map(read);

function read(place) {
  const boxes = Object.fromEntries(BOXES.map(function (name) { return [name, place.querySelector("[name^=" + name + "]")]; }));
  const row = {
    hand: Number(place.dataset.hand),
    place: place,
    boxes: boxes,
    seen: place.querySelector("[name^=seen]"),
    points: [...place.querySelectorAll("[data-seat]")],
    note: place.querySelector("[data-note]"),
    details: place.querySelector("[data-details]"),
    saved: null,
    stored: null,
    before: null,
    refused: "",
    isRestoring: false,
    sent: null,
    isDue: false, // whether the typist asked to save other texts while the row was being sent
  };
  row.saved = row.seen.value ? JSON.parse(row.seen.value)[0] : [];
  row.stored = JSON.parse(place.dataset.texts);
  if (row.note.textContent.trim()) row.refused = JSON.stringify(textsOf(row));
  return row;
}

export function rowOf(element) {
  const place = element.closest("[data-hand]");
  return place ? rows.find(function (row) { return row.place === place; }) : undefined;
}

export function textsOf(row) {
  return Object.fromEntries(BOXES.map(function (name) { return [name, row.boxes[name] ? row.boxes[name].value.trim() : ""]; }));
}

/* Remember that the server did not accept these texts of a row: their points no longer count. */
export function refuse(row, texts) {
  row.refused = JSON.stringify(texts);
  draw(row);
}

/* The points that count now: those of valid texts that will be saved, or else the stored ones. */
function countedPoints(row) {
  const isRefused = row.refused === JSON.stringify(textsOf(row));
  return (isChanged(row) && !isRefused && pointsOf(table, textsOf(row))) || row.saved;
}

export function isChanged(row) {
  const texts = textsOf(row);
  return BOXES.some(function (name) { return texts[name] !== row.stored[name]; });
}

export function fillIn(row, texts) {
  for (const name of BOXES) if (row.boxes[name]) row.boxes[name].value = texts[name] || "";
  showTyped(row);
  draw(row);
}

/* Show the box of four scores only where it is used. */
export function showTyped(row, isForced) {
  const isTyped = isForced || Boolean(row.boxes.scores.value);
  row.place.classList.toggle("is-typed", isTyped);
}

function plus(figure) {
  return (figure > 0 ? "+" : "") + signed(figure);
}

/* Draw the points of a row, as they would be saved, and the sums. */
export function draw(row) {
  const points = countedPoints(row);
  row.place.classList.toggle("is-changed", isChanged(row));
  row.points.forEach(function (cell, at) { cell.textContent = points.length ? plus(points[at]) : ""; });
  drawSums();
}

export function drawSums() {
  const sums = [0, 0, 0, 0];
  for (const row of rows) {
    countedPoints(row).forEach(function (each, at) { sums[at] += each; });
  }
  root.querySelectorAll("[data-sum]").forEach(function (cell, at) { cell.textContent = plus(sums[at]); });
}

/* Mark a row: "waiting", "saved", "wrong" or "conflict", with words, and the box that is wrong. */
export function mark(row, state, words, place) {
  row.place.dataset.state = state;
  row.note.replaceChildren(words || "");
  for (const name of BOXES) {
    if (!row.boxes[name]) continue;
    if (state === "wrong" && name === place) {
      row.boxes[name].setAttribute("aria-invalid", "true");
      row.boxes[name].setAttribute("aria-describedby", row.note.id);
    } else {
      row.boxes[name].removeAttribute("aria-invalid");
      row.boxes[name].removeAttribute("aria-describedby");
    }
  }
}

/* Take the stored values of a row from the server; typed values that are not saved stay.
 *
 * A row whose box of four scores has the focus stays as well: filling it in would hide the box, and the typist
 * would lose the keys that follow.
 */
export function take(row, data, isMine) {
  const isTyping = !isMine && (isChanged(row) || document.activeElement === row.boxes.scores);
  const isNew = row.seen.value !== data.seen;
  if (isTyping) return; // a conflict is reported when the row is saved
  row.seen.value = data.seen;
  row.saved = data.points;
  if (isNew || isMine) row.before = row.stored;
  row.stored = data.texts;
  if (!isMine || !isChangedSince(row)) fillIn(row, data.texts);
  setDetails(row, data.details);
  draw(row);
}

/* Whether the boxes changed again while the row was being sent. */
export function isChangedSince(row) {
  return Boolean(row.sent) && JSON.stringify(row.sent) !== JSON.stringify(textsOf(row));
}

export function setDetails(row, html) {
  const isOpen = Boolean(row.details.querySelector("details[open]"));
  row.details.innerHTML = html;
  if (isOpen && row.details.querySelector("details")) row.details.querySelector("details").open = true;
  addRestoring(row);
}

/* Restoring an earlier value enters it again; set by a file that imports this one. */
export const acts = { restore: null };

export function addRestoring(row) {
  for (const line of row.details.querySelectorAll("[data-texts]")) {
    const texts = JSON.parse(line.dataset.texts);
    line.append(" ", button(say.sayRestore, function () { acts.restore(row, texts); }));
  }
}
