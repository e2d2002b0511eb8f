/* What was not taken, and an address that is gone: told in words until somebody has read it. */

import { button, fill } from "../parts.js";
import { keep, kept, wait } from "../table/kept.js";
import { pump } from "./sending.js";
import { named, root, say } from "./state.js";
import { numbers, told } from "./truth.js";

export function line(tag) {
  return function (words) {
    const made = document.createElement(tag);
    made.textContent = words;
    return made;
  };
}

export function box(kind, lines, buttons) {
  const made = document.createElement("div");
  made.className = "notice table__trouble " + kind;
  made.append(...lines.map(line("p")), ...buttons);
  return made;
}

/* Draw a place anew only where something else is to stand there: a reader says it once. */
export function fresh(place, about, made) {
  const key = JSON.stringify(about);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.replaceChildren(...made());
}

export function drawTroubles(redraw) {
  fresh(document.getElementById("t-troubles"), kept.troubles, function () {
    return kept.troubles.map(function (trouble) {
      const isStale = typeof trouble.theirs === "string";
      const values = { round: trouble.round, what: named(trouble.hand), mine: told(numbers(trouble.mine)) };
      const lead = isStale ? trouble.words + " " + fill(say.sayStale, values) : fill(say.sayRefused, values) + " " + trouble.words;
      const buttons = [button(isStale ? say.sayKeep : say.saySeen, function () { drop(trouble, redraw); })];
      if (isStale) buttons.push(button(fill(say.sayMine, values), function () { insist(trouble, redraw); }));
      return box("notice--wrong", [lead], buttons);
    });
  });
}

function drop(trouble, redraw) {
  kept.troubles.splice(kept.troubles.indexOf(trouble), 1);
  keep();
  redraw();
}

function insist(trouble, redraw) {
  const { round, seats, hand, side: by, theirs, mine, extras } = trouble;
  wait({ act: "enter", round: round, seats: seats, hand: hand, side: by, seen: theirs, score: mine, extras: extras || "" });
  drop(trouble, redraw);
  pump();
}

export function gone(words) {
  root.classList.add("is-gone");
  document.getElementById("t-round").textContent = say.sayClosed;
  const unsent = kept.queue.filter(function (act) { return act.act === "enter"; }).map(function (act) {
    return fill(say.sayUnsent, { round: act.round, what: named(act.hand), mine: told(numbers(act.score)) });
  });
  fresh(document.getElementById("t-troubles"), [words, unsent], function () {
    return [box("", [words], []), ...(unsent.length ? [box("notice--wrong", unsent, [])] : [])];
  });
}
