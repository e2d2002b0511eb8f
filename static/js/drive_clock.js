/* A drive's clock in one line, on its desk and above the seats on the hall's screen. */

import { digits, heading, isOn, put, ticking } from "./ticking.js";

const root = document.getElementById("drive-clock");

if (root) {
  const data = JSON.parse(document.getElementById("drive-clock-data").textContent);
  ticking(data, root.dataset.url, {
    drawn: function (face, seconds) {
      root.hidden = face.state === "off" && !("always" in root.dataset);
      put("drive-clock-left", isOn(face) ? digits(seconds) : "");
      const isPlain = face.state === "running" && !("always" in root.dataset); // the hall's screen always shows the round
      const words = face.state === "paused" ? root.dataset.sayPaused : heading(face, root.dataset);
      put("drive-clock-words", isPlain ? "" : words);
      root.classList.toggle("is-ending", isOn(face) && seconds <= 60);
    },
  });
}
