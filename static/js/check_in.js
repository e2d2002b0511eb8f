/* Check-in: a person is dragged to another seat; or chosen, and then the seat, by a click or a key.

   Without a script the same links lead to forms. */

import { fill } from "./parts.js";

const list = document.getElementById("check-in");
const announcer = document.getElementById("announcer");
const bar = document.getElementById("check-in-held");
let held = null; // the key of the person who is being moved
let heldName = "";

if (list) {
  list.addEventListener("click", choose);
  list.addEventListener("dragstart", function (event) {
    const person = event.target.closest("[data-person]");
    if (!person) return;
    take(person);
    event.dataTransfer.setData("text/plain", heldName);
  });
  list.addEventListener("dragover", function (event) {
    const chair = held && event.target.closest("[data-chair]");
    mark(chair);
    if (chair) event.preventDefault();
  });
  list.addEventListener("drop", function (event) {
    const chair = held && event.target.closest("[data-chair]");
    if (!chair) return;
    event.preventDefault();
    put(chair);
  });
  list.addEventListener("dragend", release);
  document.addEventListener("keydown", function (event) {
    if (event.key !== "Escape" || !held) return;
    putBack();
  });
  bar.querySelector("button").addEventListener("click", putBack);
  // A poll must not replace the list while someone is being moved.
  document.addEventListener("htmx:beforeRequest", function (event) {
    if (held && event.detail.elt === list) event.preventDefault();
  });
}

function choose(event) {
  const spot = event.target.closest("a[data-chair]");
  if (!spot || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (held) {
    event.preventDefault();
    if (spot.dataset.person === held) window.location = spot.href; // a second click: the person's form
    else put(spot);
  } else if (spot.dataset.person) {
    event.preventDefault();
    take(spot);
    announcer.textContent = fill(list.dataset.sayHeld, { name: heldName });
    bar.querySelector("span").textContent = fill(list.dataset.sayChoose, { name: heldName });
    bar.querySelector("a").href = spot.href;
    bar.hidden = false;
  }
}

function putBack() {
  announcer.textContent = list.dataset.sayPutBack;
  release();
}

function take(person) {
  release();
  held = person.dataset.person;
  heldName = person.textContent.trim();
  person.classList.add("is-held");
  list.classList.add("is-moving");
}

function put(chair) {
  const [table, seat] = (chair.dataset.chair || "-").split("-");
  const values = { act: "put", person: held, table: table, seat: seat };
  release();
  window.htmx.ajax("POST", list.dataset.act, { source: list, target: list, swap: "innerHTML", values: values });
}

function mark(chair) {
  for (const each of list.querySelectorAll(".is-over")) each.classList.toggle("is-over", each === chair);
  if (chair) chair.classList.add("is-over");
}

function release() {
  held = null;
  bar.hidden = true;
  mark(null);
  list.classList.remove("is-moving");
  for (const each of list.querySelectorAll(".is-held")) each.classList.remove("is-held");
}
