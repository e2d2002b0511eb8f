/* The big clock: it follows the server's time, so that a laptop that slept is right again at once.
 *
 * Between two questions to the server it counts by itself; when the connection is down it goes on.
 */

import { fill } from "./parts.js";

const root = document.getElementById("clock");
const say = root.dataset;
const EVERY = 3000; // milliseconds between two questions to the server
let face = JSON.parse(document.getElementById("clock-data").textContent);
let ahead = Date.parse(face.now) - Date.now(); // the server's time less this machine's
let sound = null;

function put(id, words) {
  const place = document.getElementById(id);
  if (place.textContent !== words) place.textContent = words;
}

function left() {
  if (face.state === "paused") return face.left;
  if (!face.until) return 0;
  return Math.max(0, Math.ceil((Date.parse(face.until) - Date.now() - ahead) / 1000));
}

function digits(seconds) {
  const rest = String(seconds % 60).padStart(2, "0");
  return Math.floor(seconds / 60) + ":" + rest;
}

function heading() {
  if (face.state === "off") return say.sayOff;
  if (face.state === "over") return say.sayOver;
  if (face.phase === "moving") return fill(say.sayMoving, { next: face.round + 1 });
  return fill(say.sayRound, { round: face.round, rounds: face.rounds });
}

function draw() {
  goOn();
  const isOn = face.state === "running" || face.state === "paused";
  const seconds = left();
  put("clock-round", heading());
  put("clock-left", isOn ? digits(seconds) : "");
  put("clock-state", face.state === "paused" ? say.sayPaused : "");
  put("clock-late", face.late.length && isOn ? fill(say.sayLate, { tables: face.late.join(", ") }) : "");
  root.classList.toggle("is-ending", isOn && face.phase === "playing" && seconds <= 60);
  document.getElementById("clock-next").parentElement.hidden = !isOn || !face.moves.length;
  const moves = document.getElementById("clock-moves");
  const words = face.moves.join("\n");
  if (moves.dataset.words !== words) {
    moves.dataset.words = words;
    moves.replaceChildren(...face.moves.map(function (move) {
      const item = document.createElement("li");
      item.textContent = move;
      return item;
    }));
  }
}

/* Without a word from the server the clock goes on to what it knows will come. */
function goOn() {
  while (face.state === "running" && Date.parse(face.until) <= Date.now() + ahead) {
    const [next, ...rest] = face.following;
    const isSame = next && next.round === face.round;
    const after = { following: rest, late: [], moves: isSame ? face.moves : [] };
    turn(Object.assign({}, face, after, next || { state: "over", until: null }));
  }
}

/* Once at the end of each round and each move there is a sound, if somebody asked for it. */
function turn(after) {
  const isEnd = face.state === "running" && (after.round !== face.round || after.phase !== face.phase || after.state === "over");
  if (isEnd && Math.abs(Date.parse(face.until) - Date.now() - ahead) < 2 * EVERY) ring();
  face = after;
}

function ring() {
  if (!sound) return;
  for (const at of [0, 0.5, 1]) {
    const tone = sound.createOscillator();
    const loud = sound.createGain();
    tone.frequency.value = 660;
    loud.gain.setValueAtTime(0.3, sound.currentTime + at);
    loud.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + at + 0.45);
    tone.connect(loud).connect(sound.destination);
    tone.start(sound.currentTime + at);
    tone.stop(sound.currentTime + at + 0.45);
  }
}

async function look() {
  const asked = Date.now();
  try {
    const response = await fetch(say.url, { credentials: "omit", cache: "no-store" });
    if (!response.ok) throw new Error(response.statusText);
    const found = await response.json();
    ahead = Date.parse(found.now) - (asked + Date.now()) / 2;
    turn(found);
    document.getElementById("clock-down").hidden = true;
  } catch (error) {
    document.getElementById("clock-down").hidden = false;
  }
  draw();
}

const bell = document.getElementById("clock-sound");
bell.hidden = false;
bell.addEventListener("click", function () {
  if (sound) sound.close();
  sound = sound ? null : new AudioContext();
  bell.setAttribute("aria-pressed", String(Boolean(sound)));
});
document.addEventListener("visibilitychange", function () { if (!document.hidden) look(); });
setInterval(draw, 250);
setInterval(look, EVERY);
draw();
