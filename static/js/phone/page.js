/* The page of a table on its phone, of whatever kind: it sends what waits, and follows the server.
 *
 * Each entry and each yes is written into the browser's own store first, with a name of its own;
 * then it is sent, oldest first, and removed when it is answered. So a drop in the connection, a
 * reload or a phone that falls asleep loses nothing, and nothing is entered twice. What others
 * change is drawn as soon as it is known, and said in words.
 *
 * Each file in phone/ imports only those before it: asking, kept, frame, news, sending, notices.
 */

import { send } from "./asking.js";
import { at, put, root, say } from "./frame.js";
import { wait } from "./kept.js";
import { forgetNews } from "./news.js";
import { gone } from "./notices.js";
import { follow, kind, look, poll, pump } from "./sending.js";

const EVERY = 5000; // milliseconds between two looks

export function ask(act) {
  return send(act, say.sayNowhere);
}

/* Keep an act that somebody at this phone has done, show it, and send it. */
export function enter(act) {
  wait(act);
  forgetNews();
  kind.draw(true);
  pump();
}

/* Begin with what a kind of table gives: see `sending` and `notices`, and `act`, which confirms. */
export function begin(given) {
  for (const heading of root.querySelectorAll(".table__panel h2")) heading.tabIndex = -1;
  at("t-confirm").addEventListener("submit", function (event) {
    event.preventDefault();
    given.act("confirm");
  });
  at("t-call").addEventListener("submit", function (event) {
    event.preventDefault();
    call();
  });
  document.addEventListener("visibilitychange", look);
  setInterval(poll, EVERY);
  follow(Object.assign({ ask: ask, gone: gone }, given));
}

async function call() {
  const answer = await ask({ act: "call" });
  if (answer === null) put("t-called", say.sayCallDown);
  else if (answer.status === 200) {
    kind.take(answer.data, null, false);
    kind.draw(false);
  } else look();
}
