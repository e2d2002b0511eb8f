/* The keys of the grid: their actions, their help, and the jump to a block. */

import { nextQuestion, questioned, stand, swap } from "./doubts.js";
import { addressOf, blockInHand, changeBlock, enterBlock, focus, leave, onward, seekMissing, step } from "./moving.js";
import { asked, blocks, cellOf, isSound, isUnsaved, root, say, tell, tidy } from "./page.js";
import { commit, restore } from "./sending.js";
import { keepTheirs, useMine } from "./theirs.js";

const help = document.getElementById("scores-help");
const jump = document.getElementById("scores-jump");

const KEYS = {
  ArrowDown: function (cell) { step(cell, 1); },
  ArrowUp: function (cell) { step(cell, -1); },
  ArrowRight: function (cell) { changeBlock(cell, 1); },
  ArrowLeft: function (cell) { changeBlock(cell, -1); },
  PageDown: function (cell) { changeBlock(cell, 1); },
  PageUp: function (cell) { changeBlock(cell, -1); },
  Escape: restore,
  b: openJump,
  m: seekMissing,
  k: function (cell) {
    if (asked.length) keepTheirs(asked[0]);
    else if (questioned(cell)) stand(questioned(cell));
  },
  s: function (cell) {
    const one = questioned(cell);
    if (one && one.query.swap) swap(one);
  },
  u: function () { if (asked.length) useMine(asked[0]); },
  g: function (cell) { if (questioned(cell)) focus(questioned(cell).cell); },
  q: nextQuestion,
  "?": openHelp,
};

function onKey(event) {
  const cell = cellOf(event.target);
  if (!cell || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (event.key === "Enter") {
    event.preventDefault();
    if (event.shiftKey) step(cell, -1);
    else if (isSound(tidy(cell.input.value))) onward(cell);
    else commit(cell);
    return;
  }
  if (cell.trump !== null && canDeclare(cell, event.key) && isUnsaved(cell) && /^\d/.test(tidy(cell.input.value))) {
    event.preventDefault();
    cell.trump.value = event.key.toUpperCase();
    return;
  }
  const act = KEYS[event.key] || KEYS[event.key.toLowerCase()];
  if (act) {
    event.preventDefault();
    act(cell);
  } else if (event.key.length === 1 && !(say.points ? /[0-9\-–−x:/ ]/i : /[0-9\-–−x]/i).test(event.key)) {
    event.preventDefault();
  }
}

/* Return whether a key is the code of a declaration that is possible here. */
function canDeclare(cell, key) {
  return /^[shdcn]$/i.test(key) && Boolean(cell.trump.querySelector('option[value="' + key.toUpperCase() + '"]'));
}

function openHelp() {
  if (help && help.showModal) help.showModal();
}

function openJump() {
  const field = jump.querySelector("input");
  field.value = "";
  field.focus();
}

function jumpTo(event) {
  event.preventDefault();
  const key = keyTyped(jump.querySelector("input").value.toUpperCase());
  const block = blocks.find(function (one) { return one.id === key; })
    || blocks.find(function (one) { return key && one.id.startsWith(key + "-"); });
  if (block) enterBlock(block);
  else if (key && "part" in say) leave(addressOf(key));
  else tell(say.sayNowhere, true);
}

/* Return the key of a typed block: a board as 5 or A5, or a round and a table as 2.13 or 2.A13. Without a
 * letter the current section is meant; a round without a table is "round-2".
 */
function keyTyped(text) {
  const parts = text.match(/[A-Z]*\d+/g) || [];
  const place = /^([A-Z]*)(\d+)$/.exec(parts[say.by === "board" ? 0 : 1]);
  const here = blockInHand().dataset.section;
  if (say.by === "board") return place ? "board-" + (say.lettered ? place[1] || here : "") + place[2] : "";
  if (!parts.length) return "";
  return "round-" + parts[0] + (place ? "-" + (place[1] || here) + place[2] : "");
}

export function listen() {
  const opener = document.getElementById("scores-help-open");
  opener.hidden = jump.hidden = false;
  opener.addEventListener("click", openHelp);
  root.addEventListener("keydown", onKey);
  jump.addEventListener("submit", jumpTo);
  jump.addEventListener("keydown", function (event) {
    if (event.key === "Escape") enterBlock(blockInHand());
  });
}
