/* What others have changed, and what was not taken: told in words until somebody has read it. */

import { button, fill } from "../parts.js";
import { keep, kept, wait } from "./kept.js";
import { forgetNews, news, say } from "./rounds.js";
import { pump } from "./sending.js";
import { trumpNews } from "./trumps.js";

export function drawNews(redraw) {
  const box = document.getElementById("t-news");
  const key = JSON.stringify(news);
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren();
  if (!news.length) return;
  const made = document.createElement("div");
  made.className = "notice notice--waiting table__trouble";
  for (const [word, values] of news) {
    const line = document.createElement("p");
    line.textContent = say[word] ? fill(say[word], values) : trumpNews(word, values);
    made.append(line);
  }
  made.append(button(say.saySeen, function () {
    forgetNews();
    redraw();
  }));
  box.append(made);
}

export function notice(words, kind = "notice--wrong") {
  const box = document.createElement("div");
  const text = document.createElement("p");
  box.className = `notice ${kind} table__trouble`;
  text.textContent = words;
  box.append(text);
  return box;
}

export function drawTroubles(redraw) {
  const box = document.getElementById("t-troubles");
  const key = JSON.stringify(kept.troubles);
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren(...kept.troubles.map(function (trouble) {
    const isStale = typeof trouble.theirs === "string";
    const lead = isStale ? "" : fill(say.sayRefused, trouble) + " ";
    const made = notice(lead + trouble.words + (isStale ? " " + fill(say.sayStale, trouble) : ""));
    made.append(button(isStale ? say.sayKeep : say.saySeen, function () { drop(trouble, redraw); }));
    if (isStale) made.append(button(fill(say.sayMine, trouble), function () { insist(trouble, redraw); }));
    return made;
  }));
}

/* An answer on the same board, given after the question, leaves nothing to ask. */
export function dropAnswered(sent) {
  const isOpen = function (trouble) {
    return typeof trouble.theirs !== "string" || trouble.sitting !== sent.sitting || trouble.board !== sent.board;
  };
  kept.troubles = kept.troubles.filter(isOpen);
  keep();
}

function drop(trouble, redraw) {
  kept.troubles.splice(kept.troubles.indexOf(trouble), 1);
  keep();
  redraw();
}

function insist(trouble, redraw) {
  const { sitting, seats, board, side, theirs, mine, trump } = trouble;
  const said = trump === undefined ? {} : { trump: trump };
  wait(Object.assign({ act: "enter", sitting: sitting, seats: seats, board: board, side: side, seen: theirs, value: mine }, said));
  drop(trouble, redraw);
  pump();
}
