/* What this phone keeps in the browser's own store until the server has it: acts that wait, oldest
 * first, each with a name of its own, and troubles that somebody has yet to read.
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
    // A private window may refuse; the open page still holds everything.
  }
}

/* Put an act behind those that wait. By its name the server knows it if it comes twice. */
export function wait(act) {
  kept.queue.push(Object.assign({ key: newKey() }, act));
  keep();
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, function (byte) { return byte.toString(16).padStart(2, "0"); }).join("");
}
