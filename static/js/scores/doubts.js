/* Queries about results that contradict best play or the other tables.
 *
 * Each query is in a row below its result, with its possible answers; the result is never rejected. The list
 * next to the grid has all queries, and a key moves from one to the next.
 */

import { fill } from "../parts.js";
import { focus, leave, showInHand } from "./moving.js";
import { blocks, cellOf, cells, linkOf, mark, root, say, tell } from "./page.js";
import { post, put } from "./sending.js";

const doubts = []; // the latest queries, each with its cell; keys answer the first one
const away = document.getElementById("scores-asked"); // the query about a board that is no longer shown
const form = document.getElementById("doubt-form");
const list = document.getElementById("doubts");
const announcer = document.getElementById("announcer");

function rows() {
  return Array.from(root.querySelectorAll("tr.query"));
}

function rowOf(cell) {
  return rows().find(function (row) { return row.dataset.cell === cell.input.id; });
}

function cellFor(row) {
  return cells.find(function (cell) { return cell.input.id === row.dataset.cell; });
}

/* Return the query that keys answer: the latest one, else that of the current cell. */
export function questioned(cell) {
  if (doubts.length) return doubts[0];
  const row = cell && rowOf(cell);
  return row ? { cell: cell, query: { swap: row.dataset.swap } } : null;
}

/* Return the query that the URL's fragment names. */
export function questionNamed() {
  return rows().find(function (row) { return "#" + row.id === location.hash; });
}

export function enterQuestion(row) {
  showInHand(row.closest(".block"));
  const first = row.querySelector("button");
  if (first) first.focus();
  row.scrollIntoView({ block: "nearest" });
}

/* Go to the next query, and after the last one of this part to the first of another part. */
export function nextQuestion() {
  const all = rows();
  const at = all.findIndex(function (row) { return row.contains(document.activeElement); });
  const next = elsewhere()[0];
  if (next && at === all.length - 1) leave(next.querySelector("a").href);
  else if (all.length) enterQuestion(all[(at + 1) % all.length]);
}

/* Return the list items of queries in other parts. */
function elsewhere() {
  return Array.from(list.querySelectorAll("[data-elsewhere]"));
}

export function listenToQuestions(back) {
  document.querySelector("#scores-checks kbd").hidden = false;
  root.addEventListener("inhand", drawList);
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    answer(event.submitter.value);
  });
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "q" && !event.target.closest("input, textarea, select, dialog")) nextQuestion();
    else if (event.key === "Escape" && event.target.closest(".query__in")) back();
  });
}

/* Return whether there are any queries. */
export function hasQuestions() {
  return rows().length > 0 || elsewhere().length > 0;
}

/* Remove the queries that an answer has also settled; `names` are those that remain of the earlier ones. */
export function liftQuestions(names) {
  const asked = doubts.map(function (one) { return one.cell; });
  const gone = elsewhere().filter(function (item) { return !names.includes(item.dataset.elsewhere); });
  for (const item of gone) item.remove();
  const lifted = rows().map(cellFor).filter(function (cell) {
    return cell && !names.includes(cell.input.id) && !asked.includes(cell);
  });
  if (!lifted.length && !gone.length) return;
  for (const cell of lifted) {
    drop(cell);
    if (cell.row.dataset.state === "queried") mark(cell, "", "");
  }
  drawList();
}

/* Show or remove the query about a result; `query` is from the response to its saving. */
export function question(cell, query) {
  drop(cell);
  if (query) {
    for (const cap of root.querySelectorAll(".query kbd")) cap.remove();
    doubts.unshift({ cell: cell, query: query });
    if (cell.state === "saved") mark(cell, "queried", say.sayQueried);
    insert(cell, query);
    announcer.textContent = query.text;
  }
  drawList();
}

/* Run an action without moving the focused cell on the screen while rows above it change. */
function still(act) {
  const here = document.activeElement;
  const before = here.getBoundingClientRect().top;
  act();
  window.scrollBy(0, here.getBoundingClientRect().top - before);
}

function drop(cell) {
  const at = doubts.findIndex(function (one) { return one.cell === cell; });
  if (at >= 0) doubts.splice(at, 1);
  const row = rowOf(cell);
  if (row) still(function () { row.remove(); });
}

function insert(cell, query) {
  const row = document.createElement("tr");
  const data = document.createElement("td");
  row.className = "query";
  row.id = "doubt-" + placeOf(cell);
  Object.assign(row.dataset, { cell: cell.input.id, typed: cell.seen.value, swap: query.swap });
  data.colSpan = cell.row.cells.length;
  data.append(asking(cell, query, ""));
  row.append(data);
  still(function () { cell.row.after(row); });
}

/* Keep the latest query visible when its board is no longer shown, because keys answer it; the others are only
 * in the list. Returns its cell, or null.
 */
function drawAway() {
  const one = doubts[0];
  const isLeft = one && !one.cell.block.classList.contains("is-in-hand");
  away.replaceChildren(...(isLeft ? [asking(one.cell, one.query, whereOf(one.cell) + ": ")] : []));
  return isLeft ? one.cell : null;
}

function placeOf(cell) {
  return cell.input.dataset.sitting + "-" + cell.input.dataset.board;
}

function asking(cell, query, where) {
  const box = document.createElement("div");
  const place = placeOf(cell);
  box.className = "query__in";
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", say.sayCheck + ": " + whereOf(cell));
  const answers = [made(fill(say.sayStands, { tricks: cell.seen.value }), "keep-" + place, "k")];
  if (query.swap) answers.unshift(made(fill(say.saySwap, { tricks: query.swap }), "swap-" + place, "s"));
  box.append(words(where + query.text), together(answers));
  if (query.round) box.append(words(query.round.text), together([made(say.sayRound, "round-" + place)]));
  return box;
}

function words(text, kind = "query__text") {
  const span = document.createElement("span");
  span.className = kind;
  span.textContent = text;
  return span;
}

function together(buttons) {
  const span = document.createElement("span");
  span.className = "query__answers";
  span.append(...buttons);
  return span;
}

function made(text, value, key) {
  const one = document.createElement("button");
  one.setAttribute("form", form.id);
  one.name = "answer";
  one.value = value;
  one.textContent = text + " ";
  if (key) one.append(Object.assign(document.createElement("kbd"), { textContent: key }));
  return one;
}

function whereOf(cell) {
  return cell.input.getAttribute("aria-label").split(",").slice(0, 2).join(",");
}

function drawList() {
  const all = rows();
  const below = drawAway();
  const listed = all.filter(function (row) { return cellFor(row) !== below; });
  const count = listed.length + elsewhere().length;
  document.getElementById("scores-checks").hidden = !count;
  document.getElementById("doubts-count").textContent = count;
  list.replaceChildren(...listed.map(function (row) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = "#" + row.id;
    link.textContent = whereOf(cellFor(row));
    item.append(link, words("N-S " + row.dataset.typed, "nowrap"));
    return item;
  }), ...elsewhere());
  for (const block of blocks) linkOf(block).classList.toggle("is-asked", block.querySelector("tr.query") !== null);
}

function answer(value) {
  const [act, sitting, board] = value.split("-");
  const cell = cellOf(document.getElementById("r-" + sitting + "-" + board));
  const one = doubts.find(function (each) { return each.cell === cell; }) || { cell: cell, query: rowOf(cell).dataset };
  if (act === "swap") swap(one);
  else if (act === "keep") stand(one);
  else mend(one);
}

function answered(one) {
  const here = document.activeElement.closest(".query__in");
  if (here && !away.contains(here)) focus(one.cell);
  drop(one.cell);
  drawList();
}

export function swap(one) {
  answered(one);
  put(one.cell, one.query.swap);
}

/* Correct a round: a new query contains the scores, for an older one the server has them. */
async function mend(one) {
  const place = one.cell.input.dataset;
  const marks = one.query.round && one.query.round.marks;
  const there = cells.filter(function (cell) { return cell.input.dataset.sitting === place.sitting; });
  if (marks) {
    answered(one);
    for (const cell of there) if (marks[cell.input.dataset.board]) put(cell, marks[cell.input.dataset.board]);
  } else if (await sent(one, "round")) {
    there.forEach(drop);
    focus(one.cell);
    drawList();
  }
}

export async function stand(one) {
  const query = { ...one.query, text: rowOf(one.cell).querySelector(".query__text").textContent };
  answered(one);
  mark(one.cell, "saved", say.sayKept);
  if (!(await sent(one, "keep"))) question(one.cell, query); // show the query again
}

async function sent(one, act) {
  const place = one.cell.input.dataset;
  try {
    const response = await post(say.doubtUrl, { sitting: place.sitting, board: place.board, act: act });
    if (!response.ok) throw new Error(say.sayDown);
    tell((await response.json()).text, false);
    return true;
  } catch (error) {
    tell(say.sayDown, true);
    return false;
  }
}
