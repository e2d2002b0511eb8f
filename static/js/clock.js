/* The big clock of the hall: the round, the time left, the next moves and the late tables. */

import { fill } from "./parts.js";
import { digits, heading, isOn, put, ticking } from "./ticking.js";

const root = document.getElementById("clock");
const say = root.dataset;
let sound = null;

function draw(face, seconds) {
  put("clock-round", heading(face, say));
  put("clock-left", isOn(face) ? digits(seconds) : "");
  put("clock-state", face.state === "paused" ? say.sayPaused : "");
  put("clock-late", face.late.length && isOn(face) ? fill(say.sayLate, { tables: face.late.join(", ") }) : "");
  root.classList.toggle("is-ending", isOn(face) && face.phase === "playing" && seconds <= 60);
  document.getElementById("clock-next").parentElement.hidden = !isOn(face) || !face.moves.length;
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

/* Play a tone at the end of a round, if the sound is switched on. */
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

const bell = document.getElementById("clock-sound");
bell.hidden = false;
bell.addEventListener("click", function () {
  if (sound) sound.close();
  sound = sound ? null : new AudioContext();
  bell.setAttribute("aria-pressed", String(Boolean(sound)));
});
ticking(JSON.parse(document.getElementById("clock-data").textContent), say.url, {
  drawn: draw,
  rung: ring,
  heard: function (isHeard) { document.getElementById("clock-down").hidden = isHeard; },
});
