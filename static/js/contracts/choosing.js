/* The buttons with which a table enters a hand: contract, players, tricks, and something else. */

import { fill } from "../parts.js";
import { line, say } from "../phone/frame.js";
import { choosePlayer, families, hasPlayers, mayLackPartner, resultKind, startsWithLevel } from "./bid.js";
import { findContract, SEATS } from "./settling.js";

const MAX_PASSED = 9;
const MAX_REVOKES = 4;

/* A button with a key, by which it has the focus again when it is drawn again. */
function press(words, key, act, isOn) {
  const made = line("button")(words);
  made.type = "button";
  made.dataset.key = key;
  if (isOn !== undefined) made.setAttribute("aria-pressed", String(isOn));
  made.addEventListener("click", act);
  return made;
}

function group(className, items) {
  const made = document.createElement("div");
  made.className = className;
  made.append(...items);
  return made;
}

/* Draw the present step of a bid. `page` has the table of points, the names, the dealer, and the action
 * `enterZero`; `change` takes new values of the bid, and `send` the result of the hand. */
export function stepOf(bid, page, change, send) {
  if (bid.step === "other") return otherStep(bid, page, change, send);
  if (bid.step === "passed") return passedStep(page, change);
  if (bid.step === "ask") return askStep(bid, change, send);
  const contract = findContract(page.table, bid);
  if (contract) return playStep(bid, contract, page, change, send);
  return contractStep(bid, page, change);
}

function contractStep(bid, page, change) {
  const rows = families(page.table);
  const isLevelled = startsWithLevel(page.table);
  const shown = bid.level ? rows.filter(function ([family]) { return family === bid.level; }) : rows;
  const levels = isLevelled && !bid.level ? shown.filter(function ([, each]) { return each.length > 3; }) : [];
  const made = [passedRow(bid, page, change)];
  if (levels.length) {
    made.push(group("contracts__levels", levels.map(function ([family]) {
      return press(family, "level-" + family, function () { change({ level: family }); });
    })));
  }
  for (const [family, contracts] of shown) {
    if (levels.some(function ([level]) { return level === family; })) continue;
    const buttons = contracts.map(function (each) {
      return press(each.local, each.code, function () { change({ contract: each.code, by: [], isAlone: false, made: {} }); });
    });
    made.push(group("contracts__family", [line("h3")(family), group("contracts__buttons", buttons)]));
  }
  const others = [press(say.sayElse, "else", function () { change({ step: "other" }); })];
  if (page.table.passed === "redeal") others.unshift(press(say.sayAllPassed, "passed", function () { change({ step: "passed" }); }));
  if (bid.level) others.unshift(press(say.sayBackToBids, "back", function () { change({ level: "" }); }));
  made.push(fineNote(bid, page, change), group("contracts__more", others));
  return made;
}

function passedRow(bid, page, change) {
  if (page.table.passed === "redeal") return group("contracts__passed", []);
  const items = [press(say.sayAllPassed, "passed", function () {
    change({ passed: Math.min(bid.passed + 1, MAX_PASSED) });
  })];
  if (bid.passed) {
    items.push(line("span")(fill(say.sayPassed, { n: bid.passed })));
    items.push(press(say.sayClear, "clear", function () { change({ passed: 0 }); }));
  }
  return group("contracts__passed", items);
}

function fineNote(bid, page, change) {
  if (!bid.fines.length) return group("contracts__passed", []);
  const words = bid.fines.map(function (fine) { return fill(say.sayFine, { by: page.people[fine.by - 1], n: fine.each }); });
  const clear = press(say.sayClear, "clear-fines", function () { change({ fines: [] }); });
  return group("contracts__passed", [line("span")(words.join(" · ")), clear]);
}

function playStep(bid, contract, page, change, send) {
  const names = SEATS.map(function (seat) {
    const words = page.people[seat - 1] + (seat === page.dealer ? " " + say.sayDealer : "");
    return press(words, "seat-" + seat, function () { change({ by: choosePlayer(contract, bid.by, seat), isAlone: false }); }, bid.by.includes(seat));
  });
  const back = press(say.sayBackToBids, "back", function () { change({ contract: "", level: "", by: [], made: {} }); });
  const head = group("contracts__chosen", [line("h3")(contract.local), back]);
  const isAsking = bid.by.length === 0;
  const made = [head, ...(isAsking ? [line("p")(say.sayWhoPlays)] : []), group("contracts__names", names)];
  if (mayLackPartner(contract, bid.by)) {
    const alone = press(say.sayAlone, "alone", function () { change({ isAlone: !bid.isAlone }); }, bid.isAlone);
    made.push(line("p")(say.sayChoosePartner), group("contracts__terms", [alone]));
  }
  if (hasPlayers(contract, bid)) made.push(...termButtons(bid, page, change), resultButtons(bid, contract, page, change, send));
  return made;
}

function termButtons(bid, page, change) {
  const items = page.table.times.map(function (times) {
    const isOn = bid.times === times;
    return press(fill(say.sayTimes, { n: times }), "times-" + times, function () { change({ times: isOn ? 1 : times }); }, isOn);
  });
  if (page.table.revoke) {
    const next = (bid.revokes + 1) % (MAX_REVOKES + 1);
    items.push(press(fill(say.sayRevokes, { n: bid.revokes }), "revokes", function () { change({ revokes: next }); }, bid.revokes > 0));
  }
  return items.length ? [group("contracts__terms", items)] : [];
}

function resultButtons(bid, contract, page, change, send) {
  const kind = resultKind(contract, bid);
  if (kind === "none") return press(say.sayEnterHand, "enter", function () { send({}); });
  if (kind === "each") return group("contracts__each", bid.by.flatMap(function (seat) { return eachRow(seat, bid, page, change, send); }));
  if (kind === "flat") {
    return group("contracts__flat", [true, false].map(function (isMade) {
      return press(isMade ? say.sayButtonMade : say.sayButtonLost, "made-" + isMade, function () { send({ made: isMade }); });
    }));
  }
  const tricks = Array.from({ length: 14 }, function (_each, number) {
    return press(String(number), "tricks-" + number, function () { send({ tricks: number }); });
  });
  return group("contracts__result", [line("h3")(say.sayHowMany), group("pad", tricks)]);
}

/* One player who plays for himself; the last result that is missing sends the hand. */
function eachRow(seat, bid, page, change, send) {
  const buttons = [true, false].map(function (isMade) {
    return press(isMade ? say.sayButtonMade : say.sayButtonLost, seat + "-made-" + isMade, function () {
      const made = Object.assign({}, bid.made, { [seat]: isMade });
      if (bid.by.every(function (each) { return each in made; })) {
        send({ made: bid.by.map(function (each) { return made[each]; }) });
      } else change({ made: made });
    }, bid.made[seat] === isMade);
  });
  return [line("span")(page.people[seat - 1]), group("contracts__flat", buttons)];
}

/* Everyone passed in a game in which such a deal is not a hand; a club may count it as one. */
function passedStep(page, change) {
  return [
    line("h3")(say.sayRedeal),
    press(say.saySeen, "redeal", function () { change({ step: "contract" }); }),
    press(say.sayZero, "zero", page.enterZero),
  ];
}

/* A surprising hand: it is sent after a second tap, or changed. */
function askStep(bid, change, send) {
  return [
    ...bid.hints.map(line("h3")),
    press(say.sayYesAlone, "sure", function () { send(bid.result); }),
    press(say.sayNoChange, "unsure", function () { change({ step: "contract", made: {} }); }),
  ];
}

function otherStep(bid, page, change, send) {
  const made = [press(say.sayBackToBids, "back", function () { change({ step: "contract" }); })];
  if (page.table.fines) made.push(fineForm(bid, page, change, send));
  if (page.table.passed !== "redeal") made.push(press(say.sayZero, "zero", page.enterZero));
  made.push(press(say.sayTypeFour, "typed", function () { change({ step: "typed" }); }));
  return made;
}

function fineForm(bid, page, change, send) {
  const form = document.createElement("form");
  form.className = "contracts__fine";
  const select = document.createElement("select");
  select.append(...SEATS.map(function (seat) { return new Option(page.people[seat - 1], seat); }));
  const number = Object.assign(document.createElement("input"), { type: "number", min: 1, max: 1000, required: true, inputMode: "numeric" });
  number.name = "each";
  const stop = Object.assign(line("button")(say.sayStopped), { value: "stop" });
  form.append(line("h3")(say.sayFineTitle), labelled(say.sayFineBy, select), labelled(say.sayFineEach, number),
    line("button")(say.sayAddFine), stop);
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    const fines = [...bid.fines, { by: Number(select.value), each: Number(number.value) }];
    if (event.submitter === stop) send({}, fines);
    else change({ step: "contract", fines: fines });
  });
  return form;
}

function labelled(words, field) {
  const made = document.createElement("label");
  made.append(line("span")(words), field);
  return made;
}
