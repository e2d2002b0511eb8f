/* The page of a drive's table: entering and confirming hands. The shared parts of all table pages are in
 * phone/.
 *
 * Each file in drive_table/ imports only those listed before it: truth, state, drawing.
 */

import { draw } from "./drive_table/drawing.js";
import { choose, named, shown, take, truth } from "./drive_table/state.js";
import { asked, numbers, seen, told } from "./drive_table/truth.js";
import { at, canRun, root, say } from "./phone/frame.js";
import { begin, enter } from "./phone/page.js";

/* Enter or confirm the hand that is shown; a game with contracts also sends the `contract`. */
export function act(name, score, extras, contract) {
  const hand = shown.hand;
  if (!hand) return;
  const by = hand.score.length ? (hand.awaits ? asked(hand) : "") : "A";
  const entry = { act: name, round: truth.round, seats: truth.seats, hand: hand.hand, seen: seen(hand), side: by };
  if (name === "enter") Object.assign(entry, { score: score, extras: extras });
  if (contract) entry.contract = JSON.stringify(contract);
  choose({ number: name === "enter" ? hand.hand : null, again: false });
  enter(entry);
}

function typed(form) {
  const boxes = [...form.querySelectorAll("[name=score]")].map(function (each) { return each.value.trim().replace("−", "-"); });
  const extras = [...form.querySelectorAll("[name=extras]")].map(function (each) { return each.value.trim() || "0"; });
  const isWhole = function (text) { return /^-?[0-9]{1,9}$/.test(text); };
  const wrong = [...boxes, ...extras].findIndex(function (text) { return !isWhole(text); });
  if (wrong >= 0) {
    const box = [...form.querySelectorAll("[name=score]"), ...form.querySelectorAll("[name=extras]")][wrong];
    box.setCustomValidity(say.sayNumber);
    box.reportValidity();
    return;
  }
  act("enter", boxes.join(), extras.join());
}

/* Fill in the second score if the two scores have a fixed sum. */
function complete(event) {
  const boxes = [...at("t-boxes").querySelectorAll("[name=score]")];
  for (const box of at("t-boxes").querySelectorAll("input")) box.setCustomValidity("");
  const index = boxes.indexOf(event.target);
  const total = shown.hand ? shown.hand.total : null;
  if (index < 0 || boxes.length !== 2 || total === null) return;
  const other = boxes[1 - index];
  delete event.target.dataset.follows;
  if (other.value && !other.dataset.follows) return;
  other.value = /^[0-9]+$/.test(event.target.value.trim()) ? String(total - Number(event.target.value)) : "";
  other.dataset.follows = "yes";
}

function onClick(event) {
  const link = event.target.closest("a[data-hand], a[data-again], a[data-on], a[data-way]");
  if (!link) return;
  event.preventDefault();
  if ("way" in link.dataset) choose({ number: null, again: false, isWhole: !shown.atOnce });
  else if ("hand" in link.dataset) choose({ number: Number(link.dataset.hand), again: false });
  else if ("again" in link.dataset) choose({ number: shown.hand.hand, again: true });
  else choose({ number: null, again: false });
  draw(true);
}

/* Return the scores in a confirmation's `seen`, without the extras behind them. */
function figures(seen) {
  return seen.split(",").slice(0, truth.figures).join();
}

if (canRun) {
  if (at("t-pad")) {
    at("t-pad").addEventListener("submit", function (event) {
      event.preventDefault();
      if (event.submitter) act("enter", event.submitter.value, "");
    });
  }
  at("t-boxes").addEventListener("submit", function (event) {
    event.preventDefault();
    typed(event.currentTarget);
  });
  at("t-boxes").addEventListener("input", complete);
  root.addEventListener("click", onClick);
  begin({
    act: act,
    take: take,
    draw: draw,
    field: "score",
    mine: function (sent) { return sent.score || figures(sent.seen); },
    about: function (sent) {
      return { round: sent.round, what: named(sent.hand), mine: told(numbers(sent.mine || sent.score)) };
    },
  });
}
