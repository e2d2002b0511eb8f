/* Shared helpers of several pages: sentences with placeholders, buttons and suit symbols. */

/* Put values into a translated sentence: "Round %round of %last". */
export function fill(words, values) {
  return words.replace(/%(\w+)/g, function (all, name) { return name in values ? values[name] : all; });
}

export function button(words, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  made.addEventListener("click", act);
  return made;
}

/* Suit symbols: our icon where the page has the icon sprite, else the text character. */
const PIPS = { S: ["spades", "♠"], H: ["hearts", "♥"], D: ["diamonds", "♦"], C: ["clubs", "♣"] };
const SVG = "http://www.w3.org/2000/svg";

export function sign(suit) {
  return PIPS[suit][1];
}

export function pip(suit) {
  const drawn = document.querySelector("use[href*='icons']");
  if (!drawn) return PIPS[suit][1];
  const made = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  made.setAttribute("class", "card__suit");
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", PIPS[suit][1]);
  use.setAttribute("href", drawn.getAttribute("href").split("#")[0] + "#" + PIPS[suit][0]);
  made.append(use);
  return made;
}
