/* What the pages of all kinds of tables are drawn with: places, words and notices. */

export const root = document.getElementById("table") || document.getElementById("marker-room");
export const say = root ? root.dataset : {};

/* A browser that is too old to say which button was pressed keeps the plain forms. */
export const canRun = Boolean(window.SubmitEvent && "submitter" in SubmitEvent.prototype && Element.prototype.replaceChildren);

const PAUSE = 500; // milliseconds in which a finger that is on its way presses nothing

export function at(id) {
  return document.getElementById(id);
}

/* Put words into a place of the page, unless they are there. */
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

/* Draw a place again only if something else is to be there: a screen reader says it once. */
export function fresh(place, about, made) {
  const key = JSON.stringify(about);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.replaceChildren(...made());
}

/* Another question is under a finger that is on its way: that tap answers the old one. */
export function holdStill(panel) {
  const hadFocus = panel.contains(document.activeElement);
  panel.inert = true;
  setTimeout(function () {
    panel.inert = false;
    if (hadFocus && document.activeElement === document.body) panel.querySelector("h2").focus({ preventScroll: true });
  }, PAUSE);
}
