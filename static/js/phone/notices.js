/* Notices about changes by others, rejected entries and a closed page, shown until they are read.
 *
 * Each kind of table also provides `about`, which returns the values for texts about an action or an error, and
 * `field`, the name of the entered value.
 */

import { button, fill } from "../parts.js";
import { at, box, fresh, put, root, say } from "./frame.js";
import { keep, kept, wait } from "./kept.js";
import { forgetNews, news } from "./news.js";
import { isDown, kind, pump } from "./sending.js";

/* Show the news; `worded` formats one of them. */
export function drawNews(worded) {
  const lines = news.map(function (each) { return worded(...each); });
  fresh(at("t-news"), lines, function () {
    if (!lines.length) return [];
    return [box("notice--waiting", lines, [button(say.saySeen, function () { forgetNews(); kind.draw(false); })])];
  });
}

export function drawTroubles(place) {
  fresh(place, kept.troubles, function () {
    return kept.troubles.map(function (trouble) {
      const isStale = typeof trouble.theirs === "string";
      const values = kind.about(trouble);
      const words = isStale ? [trouble.words, fill(say.sayStale, values)] : [fill(say.sayRefused, values), trouble.words];
      const buttons = [button(isStale ? say.sayKeep : say.saySeen, function () { drop(trouble); })];
      if (isStale) buttons.push(button(fill(say.sayMine, values), function () { insist(trouble); }));
      return box("notice--wrong", [words.join(" ")], buttons);
    });
  });
}

function drop(trouble) {
  kept.troubles.splice(kept.troubles.indexOf(trouble), 1);
  keep();
  kind.draw(false);
}

/* Enter this phone's value again, after a user has seen the other value. */
function insist(trouble) {
  const { mine, theirs, words, key, ticket, ...sent } = trouble;
  wait(Object.assign(sent, { act: "enter", seen: theirs, [kind.field]: mine }));
  drop(trouble);
  pump();
}

/* Show the number of waiting actions while there is no connection. */
export function drawQueue(count) {
  const place = at("t-queue");
  const isWaiting = isDown() && count > 0;
  place.classList.toggle("is-waiting", isWaiting);
  if (isWaiting) put("t-queue", count === 1 ? say.sayWaitOne : say.sayWaitMany.replace("#", count));
  else if (!kept.queue.length && place.textContent) put("t-queue", say.saySent);
}

export function drawCall(page) {
  const time = page.called && new Date(page.called).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  if (page.called) put("t-called", fill(say.sayCalled, { time: time }));
  else if (page.coming) put("t-called", say.sayComing);
  else if (root.dataset.called) put("t-called", "");
  root.dataset.called = page.called || (page.coming ? "coming" : "");
}

/* Return texts about the entries that have not been sent. */
export function unsent() {
  const entered = kept.queue.filter(function (act) { return act.act !== "confirm"; });
  return entered.map(function (act) { return fill(say.sayUnsent, kind.about(act)); });
}

/* Show that the page is closed, and name the entries that have not been sent. */
export function gone(words) {
  root.classList.add("is-gone");
  put("t-round", say.sayClosed);
  put("t-queue", "");
  fresh(at("t-troubles"), [words, unsent()], function () {
    return [box("", [words]), ...unsent().map(function (told) { return box("notice--wrong", [told]); })];
  });
}
