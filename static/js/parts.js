/* What several pages are made of: a sentence with gaps, a button. */

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
