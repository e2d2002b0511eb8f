/* Conflicts with results that someone else has entered: the user chooses one, and nothing is lost. */

import { button, fill } from "../parts.js";
import { focus } from "./moving.js";
import { asked, countBlock, mark, queue, say, show } from "./page.js";
import { pump } from "./sending.js";

const box = document.getElementById("scores-ask");

export function drawTheirs() {
  box.replaceChildren();
  box.hidden = !asked.length;
  for (const cell of asked) {
    const values = { theirs: cell.theirs || say.sayNone, mine: cell.wanted || say.sayNone };
    mark(cell, "asked", fill(say.sayTheirs, values));
    const one = document.createElement("div");
    const text = document.createElement("p");
    text.textContent = cell.by || cell.input.getAttribute("aria-label");
    one.append(text, keyed(fill(say.sayKeep, values), "k", function () { keepTheirs(cell); }),
      keyed(fill(say.sayMine, values), "u", function () { useMine(cell); }));
    box.append(one);
  }
}

/* Show a conflict between a draft of an earlier visit and a value that someone else has saved since then. */
export function askNewer(cell, typed) {
  const where = cell.input.getAttribute("aria-label").split(":")[0];
  cell.theirs = cell.seen.value;
  cell.wanted = typed;
  cell.by = fill(say.sayNewer, { where: where, theirs: cell.theirs || say.sayNone });
  asked.push(cell);
  drawTheirs();
}

/* Create a button that also shows its key. */
export function keyed(words, key, act) {
  const made = button(words + " ", act);
  const cap = document.createElement("kbd");
  cap.textContent = key;
  made.append(cap);
  return made;
}

function settle(cell) {
  const inside = box.contains(document.activeElement);
  asked.splice(asked.indexOf(cell), 1);
  cell.seen.value = cell.theirs;
  drawTheirs();
  countBlock(cell.block);
  if (inside) focus(cell);
}

export function keepTheirs(cell) {
  cell.input.value = cell.theirs;
  cell.wanted = cell.theirs;
  show(cell);
  settle(cell);
  mark(cell, "saved", say.saySaved);
}

export function useMine(cell) {
  cell.input.value = cell.wanted;
  show(cell);
  settle(cell);
  queue.push(cell);
  mark(cell, "waiting", say.sayWaiting);
  pump();
}
