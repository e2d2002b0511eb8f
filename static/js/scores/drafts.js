/* What was typed and is not saved yet is kept in the browser's own store, so that a reload or a closed
 * page loses nothing: it is offered again, and never put over what was saved meanwhile.
 */

import { fill } from "../parts.js";
import { asked, cells, fieldsOf, isSound, isUnsaved, mark, queue, say, show, tidy } from "./page.js";

const store = "overplay" + location.pathname;
const held = new Set(); // what this page has put into the store, or taken from it

function read() {
  try {
    return JSON.parse(localStorage.getItem(store)) || {};
  } catch (error) {
    return {};
  }
}

function write(drafts) {
  try {
    if (Object.keys(drafts).length) localStorage.setItem(store, JSON.stringify(drafts));
    else localStorage.removeItem(store);
  } catch (error) {
    // A private window may refuse; the open page still holds everything.
  }
}

/* What other pages show about an unsaved score. */
function describe(cell, value) {
  const { board, table } = cell.input.dataset;
  const words = isSound(value) ? say.sayUnsavedHere : say.sayWrongHere;
  return fill(words, { event: say.event, board: board, table: table, value: value || say.sayNone });
}

/* Write down what is unsaved now. What another tab or another session's grid keeps is left alone. */
export function keepDrafts() {
  const drafts = read();
  for (const cell of cells) {
    const name = cell.input.id;
    if (isUnsaved(cell)) {
      const value = asked.includes(cell) ? cell.wanted : tidy(cell.input.value);
      const waits = queue.includes(cell); // another page may send it (unsaved.js)
      drafts[name] = {
        value, seen: cell.seen.value, waits, url: say.url, fields: fieldsOf(cell, value),
        text: describe(cell, value), place: "?by=" + say.by + "&at=" + cell.block.id + "#" + name,
      };
      held.add(name);
    } else if (held.delete(name)) delete drafts[name];
  }
  write(drafts);
}

/* Put what was kept back into its boxes, and return those cells. Where somebody saved another value
 * since, `ask` is called instead, and the box stays as it was saved. */
export function offerDrafts(ask) {
  const drafts = read();
  const offered = [];
  for (const cell of cells) {
    const draft = drafts[cell.input.id];
    if (!draft) continue;
    held.add(cell.input.id);
    if (draft.value === cell.seen.value) continue;
    if (draft.seen === cell.seen.value) {
      cell.input.value = draft.value;
      show(cell);
      mark(cell, "draft", say.sayDraft);
      offered.push(cell);
    } else ask(cell, draft.value);
  }
  keepDrafts();
  return offered;
}
