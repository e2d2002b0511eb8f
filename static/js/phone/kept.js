/* The storage of this phone: queued actions that the server does not have yet, oldest first and each with a
 * unique key, and errors that no one has read yet.
 */

const store = "overplay" + location.pathname;
export const kept = read();

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(store)) || {};
    return { queue: found.queue || [], troubles: found.troubles || [] };
  } catch (error) {
    return { queue: [], troubles: [] };
  }
}

export function keep() {
  try {
    localStorage.setItem(store, JSON.stringify(kept));
  } catch (error) {
    // Private windows may not allow storage; the open page still has everything.
  }
}

/* Add an action to the queue; its key makes a repeated request recognisable. */
export function wait(act) {
  kept.queue.push(Object.assign({ key: newKey() }, act));
  keep();
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, function (byte) { return byte.toString(16).padStart(2, "0"); }).join("");
}
