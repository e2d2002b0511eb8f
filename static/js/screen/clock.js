/* The clock on the big screen, and the moves between two rounds. */

import { digits, heading, isOn, ticking } from "../ticking.js";
import { element } from "./leaders.js";

const clock = document.getElementById("screen-clock");

function drawClock(face, seconds) {
  const on = heading(face, clock.dataset);
  const left = isOn(face) ? digits(seconds) : "";
  if (clock.dataset.drawn !== on + left) {
    clock.dataset.drawn = on + left;
    clock.replaceChildren(element("span", left ? on + " · " : on), element("b", left));
  }
  clock.classList.toggle("is-ending", isOn(face) && face.phase === "playing" && seconds <= 60);
  drawMoves(isOn(face) && face.phase === "moving" ? face.moves : []);
}

/* Show the moves between two rounds. */
function drawMoves(moves) {
  const box = document.getElementById("screen-moves");
  const told = moves.join("\n");
  if (box.dataset.told === told) return;
  box.dataset.told = told;
  box.hidden = !moves.length;
  box.querySelector("ul").replaceChildren(...moves.map(function (move) { return element("li", move); }));
}

export function followClock() {
  const known = JSON.parse(document.getElementById("clock-data").textContent);
  ticking(known, clock.dataset.url, { drawn: drawClock });
}
