/* Unsaved input is stored in the browser, so a reload or a closed page loses nothing. It is offered again, but
 * never overwrites a value saved since then.
 */

import { fill } from "../parts.js";
import { asked, cells, fieldsOf, isSound, isUnsaved, mark, queue, say, show, tidy } from "./page.js";

const store = "overplay" + location.pathname;
const held = new Set(); // the ids of drafts that this page has stored or read

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
    // Private windows may not allow storage; the open page still has everything.
  }
}

/* Return the text that other pages show about an unsaved score. */
function describe(cell, value) {
  const { board, table } = cell.input.dataset;
  const words = isSound(value) ? say.sayUnsavedHere : say.sayWrongHere;
  return fill(words, { event: say.event, board: board, table: table, value: value || say.sayNone });
}

/* Store the unsaved input, without changing drafts of other tabs or other sessions' grids. */
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

/* Restore stored drafts to their inputs, and return those cells. If another value was saved since then, `ask`
 * is called instead, and the input is not changed.
 */
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
