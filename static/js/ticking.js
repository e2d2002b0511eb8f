/* The round clock, by the server's time, so a laptop's clock after sleep does not matter.
 *
 * It runs locally between two requests and continues without a connection.
 */

import { fill } from "./parts.js";

const EVERY = 3000; // milliseconds between two requests

/* Follow a clock from its state in the page. `drawn` is called four times a second with the current state,
 * `rung` at the end of a round or move, and `heard` after each request with whether it succeeded.
 */
export function ticking(first, url, { drawn, rung, heard }) {
  let face = first;
  let ahead = Date.parse(face.now) - Date.now(); // the server's time minus this computer's

  function left() {
    if (face.state === "paused") return face.left;
    if (!face.until) return 0;
    return Math.max(0, Math.ceil((Date.parse(face.until) - Date.now() - ahead) / 1000));
  }

  /* Call `rung` once at the end of each round and each move. */
  function turn(after) {
    const isEnd = face.state === "running" && (after.round !== face.round || after.phase !== face.phase || after.state === "over");
    if (isEnd && rung && Math.abs(Date.parse(face.until) - Date.now() - ahead) < 2 * EVERY) rung();
    face = after;
  }

  /* Continue with the known next phases while the server does not respond. */
  function goOn() {
    while (face.state === "running" && Date.parse(face.until) <= Date.now() + ahead) {
      const [next, ...rest] = face.following;
      const isSame = next && next.round === face.round;
      const after = { following: rest, late: [], moves: isSame ? face.moves : [] };
      turn(Object.assign({}, face, after, next || { state: "over", until: null }));
    }
  }

  function draw() {
    goOn();
    drawn(face, left());
  }

  async function look() {
    const asked = Date.now();
    let isHeard = true;
    try {
      const response = await fetch(url, {
        headers: { "Accept-Language": document.documentElement.lang }, credentials: "omit", cache: "no-store"
      });
      if (!response.ok) throw new Error(response.statusText);
      const found = await response.json();
      ahead = Date.parse(found.now) - (asked + Date.now()) / 2;
      turn(found);
    } catch (error) {
      isHeard = false;
    }
    if (heard) heard(isHeard);
    draw();
  }

  document.addEventListener("visibilitychange", function () { if (!document.hidden) look(); });
  setInterval(draw, 250);
  setInterval(look, EVERY);
  draw();
}

export function isOn(face) {
  return face.state === "running" || face.state === "paused";
}

export function digits(seconds) {
  const rest = String(seconds % 60).padStart(2, "0");
  return Math.floor(seconds / 60) + ":" + rest;
}

/* Return the current phase, in the texts of the page. */
export function heading(face, say) {
  if (face.state === "off") return face.begun ? say.sayBegun : say.sayOff;
  if (face.phase === "closed") return say.sayClosed;
  if (face.state === "over") return say.sayOver;
  if (face.phase === "moving") return fill(say.sayMoving, { next: face.round + 1 });
  return fill(say.sayRound, { round: face.round, rounds: face.rounds });
}

/* Set the text of an element if it differs. */
export function put(id, words) {
  const place = document.getElementById(id);
  if (place.textContent !== words) place.textContent = words;
}
