/* Two or four colours for the suits: the reader's choice, remembered in this browser alone. */
(function () {
  "use strict";

  const NAME = "overplay-four-colours";
  const button = document.getElementById("suits-switch");

  function read() {
    try {
      return localStorage.getItem(NAME) === "yes";
    } catch (error) {
      return false;
    }
  }

  function write(isFour) {
    try {
      localStorage.setItem(NAME, isFour ? "yes" : "no");
    } catch (error) {
      // a browser that keeps nothing still switches this page
    }
  }

  function show(isFour) {
    document.documentElement.classList.toggle("four-colours", isFour);
    if (button) button.setAttribute("aria-pressed", String(isFour));
  }

  show(read());
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", function () {
    const isFour = !document.documentElement.classList.contains("four-colours");
    write(isFour);
    show(isFour);
  });
})();
