/* The page of a table on a phone, shared by all kinds of tables: it sends queued actions and polls the server.
 *
 * Each entry and confirmation is first written to localStorage with a unique key, then sent, oldest first, and
 * removed once it is answered. A lost connection, a reload or a sleeping phone therefore loses nothing, and
 * nothing is entered twice. Changes by others are shown immediately and announced in words.
 *
 * Each file in phone/ imports only those listed before it: asking, kept, frame, news, sending, notices.
 */

import { send } from "./asking.js";
import { at, put, root, say } from "./frame.js";
import { wait } from "./kept.js";
import { forgetNews } from "./news.js";
import { gone } from "./notices.js";
import { follow, kind, look, poll, pump } from "./sending.js";

const EVERY = 5000; // milliseconds between two requests

export function ask(act) {
  return send(act, say.sayNowhere);
}

/* Store an action of this phone's user, show it, and send it. */
export function enter(act) {
  wait(act);
  forgetNews();
  kind.draw(true);
  pump();
}

/* Start the page with the functions of a kind of table: those listed in sending.js and notices.js, and `act`,
 * which confirms.
 */
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
