/* The plan of the hall: tables are arranged by dragging, and the form's rows and columns are updated.
 *
 * A table is dragged with a mouse, or with a finger after holding it for a moment. Alternatively select the
 * table and then its new position, with a key, a click or a tap. Two tables exchange positions if the position
 * is taken. Nothing is sent before the form is submitted.
 */

import { button, fill } from "./parts.js";

const HOLD = 250; // milliseconds of holding a table before it is dragged instead of the page scrolling
const SLACK = 6; // pixels of movement that are ignored
const EDGE = 60; // distance in pixels from the top and bottom of the window at which the page scrolls
const FURTHEST = 30;

const form = document.getElementById("plan-form");
const place = document.getElementById("plan-floor");
const said = document.getElementById("plan-said");
const words = place.dataset;
const floor = document.createElement("div");
floor.className = "room floor";
floor.tabIndex = 0; // makes a large hall scrollable with the arrow keys
place.append(floor);

const tables = Array.from(form.querySelectorAll("[name^='row-']"), function (row) {
  const name = row.name.slice(4);
  return { name: name, row: row, column: form.elements["column-" + name] };
});
let held = null; // the selected table
let drawn = null; // the table being dragged, with the position where the drag started
let wasDrawn = false; // ignore the click that ends a drag

function at(table) {
  return [Number(table.row.value), Number(table.column.value)];
}

function standing(row, column) {
  return tables.find(function (each) { return each.row.value === String(row) && each.column.value === String(column); });
}

function put(table, row, column) {
  const other = standing(row, column);
  if (other) [other.row.value, other.column.value] = [table.row.value, table.column.value];
  [table.row.value, table.column.value] = [row, column];
  said.textContent = fill(words.sayStands, { table: table.name, row: row, column: column });
  held = null;
  draw();
  floor.querySelector("[data-table='" + table.name + "']").focus({ preventScroll: true });
}

/* One row and one column more than are used, for new positions. */
function draw() {
  const most = function (which) {
    return Math.min(FURTHEST, Math.max(0, ...tables.map(function (each) { return at(each)[which] || 0; })) + 1);
  };
  const rows = most(0), columns = most(1);
  floor.style.gridTemplateColumns = "repeat(" + columns + ", minmax(2.5rem, 7rem))";
  floor.replaceChildren();
  for (let row = 1; row <= rows; row += 1) {
    for (let column = 1; column <= columns; column += 1) floor.append(spot(row, column));
  }
}

function spot(row, column) {
  const table = standing(row, column);
  const made = button(table ? table.name : "", function () { press(table, row, column); });
  const say = table ? words.sayStands : words.sayFree;
  made.setAttribute("aria-label", fill(say, { table: table && table.name, row: row, column: column }));
  made.className = table ? "tile tile__number" : "tile tile--out";
  [made.dataset.row, made.dataset.column] = [row, column];
  if (!table) return made;
  made.dataset.table = table.name;
  made.setAttribute("aria-pressed", String(table === held));
  made.addEventListener("pointerdown", function (event) { take(event, table, made); });
  return made;
}

function press(table, row, column) {
  if (wasDrawn) return;
  if (held && held !== table) put(held, row, column);
  else if (table) {
    held = held === table ? null : table;
    said.textContent = held ? fill(words.sayHeld, { table: table.name }) : "";
    for (const each of floor.children) {
      if (each.dataset.table) each.setAttribute("aria-pressed", String(Boolean(held) && each.dataset.table === held.name));
    }
  }
}

function take(event, table, tile) {
  wasDrawn = false;
  if (!event.isPrimary || event.button) return;
  drawn = { table: table, tile: tile, x: event.pageX, y: event.pageY, isUp: false, timer: 0 };
  if (event.pointerType === "touch") drawn.timer = setTimeout(lift, HOLD);
}

function lift() {
  drawn.isUp = true;
  drawn.tile.classList.add("is-drawn");
}

function move(event) {
  if (!drawn) return;
  const [x, y] = [event.pageX - drawn.x, event.pageY - drawn.y];
  if (!drawn.isUp) {
    if (Math.hypot(x, y) < SLACK) return;
    if (event.pointerType === "touch") { leave(); return; } // the finger scrolls the page
    lift();
  }
  drawn.tile.style.transform = "translate(" + x + "px, " + y + "px)";
  const under = target(event);
  for (const each of floor.children) each.classList.toggle("is-over", each === under);
  if (event.clientY < EDGE) window.scrollBy(0, -EDGE / 4);
  if (event.clientY > window.innerHeight - EDGE) window.scrollBy(0, EDGE / 4);
}

function target(event) {
  return document.elementsFromPoint(event.clientX, event.clientY).find(function (each) {
    return each !== drawn.tile && each.parentNode === floor;
  });
}

function drop(event) {
  if (!drawn) return;
  const { table, isUp } = drawn;
  const under = isUp && target(event);
  leave();
  wasDrawn = isUp;
  if (under) put(table, Number(under.dataset.row), Number(under.dataset.column));
}

function leave() {
  if (!drawn) return;
  clearTimeout(drawn.timer);
  drawn.tile.classList.remove("is-drawn");
  drawn.tile.style.transform = "";
  for (const each of floor.children) each.classList.remove("is-over");
  drawn = null;
}

window.addEventListener("pointermove", move);
window.addEventListener("pointerup", drop);
window.addEventListener("pointercancel", leave);
floor.addEventListener("touchmove", function (event) { if (drawn && drawn.isUp) event.preventDefault(); }, { passive: false });
floor.addEventListener("contextmenu", function (event) { if (drawn) event.preventDefault(); });
document.addEventListener("keydown", function (event) {
  if (event.key !== "Escape") return;
  leave();
  if (held) press(held);
});
form.addEventListener("input", draw);
document.getElementById("plan-fields").open = false;
place.hidden = false;
draw();
