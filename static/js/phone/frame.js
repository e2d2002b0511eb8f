/* Drawing helpers for the pages of all kinds of tables: elements, texts and notices. */

export const root = document.getElementById("table") || document.getElementById("marker-room");
export const say = root ? root.dataset : {};

/* Browsers without `submitter` use the plain forms. */
export const canRun = Boolean(window.SubmitEvent && "submitter" in SubmitEvent.prototype && Element.prototype.replaceChildren);

const PAUSE = 500; // milliseconds in which a new panel ignores taps

export function at(id) {
  return document.getElementById(id);
}

/* Set the text of an element if it differs. */
export function put(id, words) {
  if (at(id).textContent !== words) at(id).textContent = words;
}

export function line(tag) {
  return function (words) {
    const made = document.createElement(tag);
    made.textContent = words;
    return made;
  };
}

export function box(kind, lines, buttons = []) {
  const made = document.createElement("div");
  made.className = "notice table__trouble " + kind;
  made.append(...lines.map(line("p")), ...buttons);
  return made;
}

/* Redraw an element only if its data have changed, so screen readers announce it once. */
export function fresh(place, about, made) {
  const key = JSON.stringify(about);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.replaceChildren(...made());
}

/* Make a new panel inert for a moment, because a tap may have been meant for the previous one. */
export function holdStill(panel) {
  const hadFocus = panel.contains(document.activeElement);
  panel.inert = true;
  setTimeout(function () {
    panel.inert = false;
    if (hadFocus && document.activeElement === document.body) panel.querySelector("h2").focus({ preventScroll: true });
  }, PAUSE);
}
