/* The score grid: each result is saved as it is typed, in order, and nothing typed is ever lost.
 *
 * Without this script every block is a plain form with a button. With it, one block is in hand at a
 * time, the keys move between cells, and a cell is sent alone when it is left. An answer never
 * changes what stands in a cell, nor where one is typing; it changes only the words beside it.
 */
(function () {
  "use strict";

  const root = document.getElementById("scores");
  if (!root) return;

  const say = root.dataset;
  const blocks = Array.from(root.querySelectorAll(".block"));
  const cells = Array.from(root.querySelectorAll(".cell:not([disabled])")).map(readCell);
  const line = document.getElementById("scores-line");
  const ask = document.getElementById("scores-ask");
  const help = document.getElementById("scores-help");
  const jump = document.getElementById("scores-jump");
  const queue = []; // cells waiting to be sent, oldest first
  const asked = []; // cells that somebody else has changed meanwhile
  const doubts = []; // questions about results that the cards or the other tables speak against
  const doubtBox = document.getElementById("scores-doubts");
  let token = root.querySelector("[name=csrfmiddlewaretoken]").value;
  let busy = false;
  let failures = 0;
  let timer = 0;

  function readCell(input) {
    const row = input.closest("tr");
    const cell = {
      input: input,
      seen: row.querySelector("[name^=seen-]"),
      ew: row.querySelector(".ew"),
      mark: row.querySelector(".cell-state"),
      row: row,
      block: input.closest(".block"),
      state: "",
      wanted: null,
      theirs: "",
      savedAt: 0,
      by: "",
    };
    input.closest("form").autocomplete = "off";
    return cell;
  }

  // ---------------------------------------------------------------- what a cell holds

  function tidy(text) {
    const value = text.trim().replace(/[–−x]/i, "-");
    return /^\d+$/.test(value) ? String(Number(value)) : value;
  }

  function isSound(value) {
    return value === "" || value === "-" || (/^\d{1,2}$/.test(value) && Number(value) <= 13);
  }

  function show(cell) {
    const value = tidy(cell.input.value);
    if (value === "-") cell.ew.textContent = "–";
    else cell.ew.textContent = value !== "" && isSound(value) ? String(13 - Number(value)) : "";
  }

  function mark(cell, state, words) {
    cell.state = state;
    cell.row.dataset.state = state;
    cell.mark.textContent = words || "";
    if (state === "wrong") cell.input.setAttribute("aria-invalid", "true");
    else cell.input.removeAttribute("aria-invalid");
  }

  function isUnsaved(cell) {
    return tidy(cell.input.value) !== cell.seen.value || queue.includes(cell) || asked.includes(cell);
  }

  // ---------------------------------------------------------------- sending, one after another

  function commit(cell) {
    const value = tidy(cell.input.value);
    if (!isSound(value)) {
      mark(cell, "wrong", say.sayWrong);
      return false;
    }
    if (asked.includes(cell)) {
      cell.wanted = value;
      drawAsk();
      return true;
    }
    if (!queue.includes(cell)) {
      if (value === cell.seen.value) {
        if (cell.state === "wrong" || cell.state === "refused") mark(cell, "", "");
        return true;
      }
      queue.push(cell);
    }
    cell.wanted = value;
    if (cell.state !== "sending") mark(cell, "waiting", say.sayWaiting);
    pump();
    return true;
  }

  async function pump() {
    if (busy || !queue.length) return;
    clearTimeout(timer);
    const cell = queue[0];
    const value = cell.wanted;
    if (value === cell.seen.value) {
      queue.shift();
      mark(cell, "saved", say.saySaved);
      pump();
      return;
    }
    busy = true;
    mark(cell, "sending", say.saySending);
    let answer = null;
    try {
      answer = await send(cell, value);
    } catch (error) {
      answer = { trouble: say.sayDown };
    }
    busy = false;
    if (answer.trouble) {
      later(cell, answer.trouble);
      return;
    }
    failures = 0;
    take(cell, value, answer);
    pump();
  }

  async function send(cell, value) {
    const body = new URLSearchParams({
      sitting: cell.input.dataset.sitting,
      board: cell.input.dataset.board,
      value: value,
      seen: cell.seen.value,
    });
    const stop = new AbortController();
    const clock = setTimeout(function () { stop.abort(); }, 10000);
    try {
      const response = await fetch(say.url, {
        method: "POST",
        body: body,
        headers: { "X-CSRFToken": token, Accept: "application/json" },
        credentials: "same-origin",
        signal: stop.signal,
      });
      const isJson = (response.headers.get("Content-Type") || "").includes("json");
      if (response.status >= 500) return { trouble: say.sayDown };
      if (response.redirected || !isJson) {
        return { trouble: (await renewToken()) ? say.sayDown : say.saySignedOut };
      }
      return { status: response.status, data: await response.json() };
    } finally {
      clearTimeout(clock);
    }
  }

  /* A new sign-in in another tab makes a new token; this page fetches it for itself. */
  async function renewToken() {
    const response = await fetch(location.pathname + location.search, { credentials: "same-origin" });
    if (!response.ok || response.redirected) return false;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const field = page.querySelector("#scores [name=csrfmiddlewaretoken]");
    if (!field) return false;
    token = field.value;
    for (const old of document.querySelectorAll("[name=csrfmiddlewaretoken]")) old.value = token;
    return true;
  }

  function later(cell, words) {
    failures += 1;
    mark(cell, "waiting", say.sayWaiting);
    tell(words, true);
    timer = setTimeout(pump, Math.min(1000 * 2 ** (failures - 1), 8000));
  }

  function take(cell, value, answer) {
    const data = answer.data;
    if (answer.status === 200 || (answer.status === 409 && data.seen === value)) {
      cell.seen.value = data.seen;
      cell.savedAt = Date.now();
      if (cell.wanted === value) {
        queue.shift();
        if (tidy(cell.input.value) === data.seen) mark(cell, "saved", say.saySaved);
        else mark(cell, "", "");
      }
      if (typeof data.missing === "number") countMissing(data.missing);
      countBlock(cell.block);
      tell(data.text || "", false);
      if (answer.status === 200) question(cell, data.query);
      return;
    }
    queue.shift();
    if (answer.status === 409) {
      cell.theirs = data.seen;
      cell.by = data.detail || "";
      asked.push(cell);
      drawAsk();
      return;
    }
    mark(cell, "refused", say.sayRefused);
    tell(data.detail || say.sayRefused, true);
  }

  // ---------------------------------------------------------------- entered meanwhile by another

  function drawAsk() {
    ask.replaceChildren();
    ask.hidden = !asked.length;
    for (const cell of asked) {
      const words = say.sayTheirs
        .replace("%theirs", cell.theirs || say.sayNone)
        .replace("%mine", cell.wanted || say.sayNone);
      mark(cell, "asked", words);
      const box = document.createElement("div");
      const text = document.createElement("p");
      text.textContent = (cell.by || cell.input.getAttribute("aria-label")) + " " +
        say.sayTyped.replace("%mine", cell.wanted || say.sayNone);
      box.append(text, button(say.sayKeep, "k", function () { keepTheirs(cell); }),
        button(say.sayMine, "u", function () { useMine(cell); }));
      ask.append(box);
    }
  }

  function button(words, key, act) {
    const made = document.createElement("button");
    const cap = document.createElement("kbd");
    made.type = "button";
    cap.textContent = key;
    made.append(words + " ", cap);
    made.addEventListener("click", act);
    return made;
  }

  function settle(cell) {
    const inside = ask.contains(document.activeElement);
    asked.splice(asked.indexOf(cell), 1);
    cell.seen.value = cell.theirs;
    drawAsk();
    countBlock(cell.block);
    if (inside) focus(cell);
  }

  function keepTheirs(cell) {
    cell.input.value = cell.theirs;
    cell.wanted = cell.theirs;
    show(cell);
    settle(cell);
    mark(cell, "saved", say.saySaved);
  }

  function useMine(cell) {
    settle(cell);
    queue.push(cell);
    mark(cell, "waiting", say.sayWaiting);
    pump();
  }

  // ---------------------------------------------------------------- far from the other tables

  /* The question stands below what one types and waits there; nothing is refused. */
  function question(cell, query) {
    const at = doubts.findIndex(function (one) { return one.cell === cell; });
    if (at >= 0) doubts.splice(at, 1);
    if (query) {
      doubts.unshift({ cell: cell, query: query }); // the keys answer the newest
      if (cell.state === "saved") mark(cell, "queried", say.sayQueried);
    }
    if (query || at >= 0) drawDoubts();
  }

  function drawDoubts() {
    doubtBox.replaceChildren();
    doubtBox.hidden = !doubts.length;
    doubts.forEach(function (one, place) { doubtBox.append(drawDoubt(one, place === 0)); });
  }

  function drawDoubt(one, isFirst) {
    const box = document.createElement("div");
    const where = one.cell.input.getAttribute("aria-label").split(":")[0];
    box.append(words(where + ": " + one.query.text));
    if (one.query.swap) box.append(keyed(say.saySwap, isFirst && "s", function () { swap(one); }));
    box.append(keyed(say.sayStands, isFirst && "k", function () { stand(one); }),
      keyed(say.sayBack, isFirst && "g", function () { focus(one.cell); }));
    if (one.query.round) {
      box.append(words(one.query.round.text), keyed(say.sayRound, "", function () { mend(one); }));
    }
    return box;
  }

  function words(text) {
    const made = document.createElement("p");
    made.textContent = text;
    return made;
  }

  function keyed(text, key, act) {
    const made = button(text, key || "", act);
    if (!key) made.querySelector("kbd").remove();
    return made;
  }

  function answered(one) {
    const inside = doubtBox.contains(document.activeElement);
    if (doubts.includes(one)) doubts.splice(doubts.indexOf(one), 1);
    drawDoubts();
    if (inside) focus(one.cell);
  }

  function put(cell, value) {
    cell.input.value = value;
    show(cell);
    commit(cell);
  }

  function swap(one) {
    answered(one);
    put(one.cell, one.query.swap);
  }

  function mend(one) {
    const marks = one.query.round.marks;
    answered(one);
    for (const cell of cells) {
      const isThere = cell.input.dataset.sitting === one.cell.input.dataset.sitting;
      if (isThere && marks[cell.input.dataset.board]) put(cell, marks[cell.input.dataset.board]);
    }
  }

  async function stand(one) {
    answered(one);
    mark(one.cell, "saved", say.sayKept);
    const place = one.cell.input.dataset;
    const body = new URLSearchParams({ sitting: place.sitting, board: place.board, act: "keep" });
    try {
      const response = await fetch(say.doubtUrl, {
        method: "POST",
        body: body,
        headers: { "X-CSRFToken": token, Accept: "application/json" },
        credentials: "same-origin",
      });
      if (!response.ok) throw new Error(say.sayDown);
      tell((await response.json()).text, false);
    } catch (error) {
      question(one.cell, one.query); // it comes back, so that it can be answered again
      tell(say.sayDown, true);
    }
  }

  // ---------------------------------------------------------------- words and counts

  function tell(words, isTrouble) {
    const open = cells.filter(isUnsaved).length;
    line.classList.toggle("is-trouble", isTrouble);
    line.textContent = words;
    if (isTrouble && open) {
      const count = open === 1 ? say.sayUnsavedOne : say.sayUnsavedMany.replace("#", open);
      line.textContent += " " + count;
    }
  }

  function countMissing(missing) {
    const place = document.getElementById("scores-missing");
    const words = missing === 0 ? place.dataset.none : missing === 1 ? place.dataset.one : place.dataset.many;
    place.textContent = words.replace("#", missing);
    document.getElementById("scores-done").hidden = missing !== 0;
  }

  function countBlock(block) {
    const entered = cells.filter(function (cell) { return cell.block === block && cell.seen.value !== ""; }).length;
    const expected = Number(block.dataset.expected);
    const words = entered >= expected ? say.sayAll
      : say.sayOf.replace("%entered", entered).replace("%expected", expected);
    const link = linkOf(block);
    block.querySelector(".block__count").textContent = words;
    link.querySelector(".scores__count").textContent = words;
    link.classList.toggle("is-full", entered >= expected);
    link.classList.toggle("is-part", entered > 0 && entered < expected);
  }

  // ---------------------------------------------------------------- moving about

  function linkOf(block) {
    return root.querySelector('.scores__map [data-for="' + block.id + '"]');
  }

  function takeInHand(block) {
    for (const other of blocks) {
      other.classList.toggle("is-in-hand", other === block);
      const link = linkOf(other);
      if (other === block) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    const map = root.querySelector(".scores__tiles");
    const link = linkOf(block);
    if (map.scrollWidth > map.clientWidth) map.scrollLeft = link.offsetLeft - map.clientWidth / 2;
    if (map.scrollHeight > map.clientHeight) map.scrollTop = link.offsetTop - map.clientHeight / 2;
    history.replaceState(null, "", "#" + block.id);
  }

  function focus(cell) {
    if (!cell.block.classList.contains("is-in-hand")) takeInHand(cell.block);
    cell.input.focus();
    cell.input.select();
  }

  function cellsOf(block) {
    return cells.filter(function (cell) { return cell.block === block; });
  }

  function firstOf(block) {
    const inside = cellsOf(block);
    return inside.find(isMissing) || inside[0];
  }

  function isMissing(cell) {
    return tidy(cell.input.value) === "";
  }

  function enterBlock(block) {
    takeInHand(block);
    const cell = firstOf(block);
    if (cell) focus(cell);
  }

  function step(cell, by) {
    const inside = cellsOf(cell.block);
    const target = inside[inside.indexOf(cell) + by];
    if (target) focus(target);
    else stepBlock(cell, by);
  }

  function stepBlock(cell, by) {
    const block = blocks[blocks.indexOf(cell.block) + by];
    if (block && by > 0) enterBlock(block);
    else if (block) focus(cellsOf(block).pop());
    else if (by > 0) nextMissing(cell);
  }

  /* After a figure that was missing comes the next that is, so that no figure entered at a
     table is typed over; who corrects a figure goes on line by line. */
  function onward(cell) {
    const inside = cellsOf(cell.block);
    const target = inside.slice(inside.indexOf(cell) + 1).find(isMissing);
    if (cell.seen.value) step(cell, 1);
    else if (target) focus(target);
    else stepBlock(cell, 1);
  }

  function nextMissing(cell) {
    const from = cells.indexOf(cell) + 1;
    const target = cells.slice(from).concat(cells.slice(0, from)).find(isMissing);
    if (target) focus(target);
    else {
      commit(cell);
      cell.input.select();
    }
  }

  function restore(cell) {
    const at = queue.indexOf(cell);
    cell.input.value = cell.seen.value;
    cell.wanted = cell.seen.value;
    if (at > 0 || (at === 0 && !busy)) queue.splice(at, 1);
    show(cell);
    if (!asked.includes(cell)) mark(cell, "", "");
    cell.input.select();
  }

  const KEYS = {
    ArrowDown: function (cell) { step(cell, 1); },
    ArrowUp: function (cell) { step(cell, -1); },
    ArrowRight: function (cell) { changeBlock(cell, 1); },
    ArrowLeft: function (cell) { changeBlock(cell, -1); },
    PageDown: function (cell) { changeBlock(cell, 1); },
    PageUp: function (cell) { changeBlock(cell, -1); },
    Escape: restore,
    b: function () { openJump(); },
    m: nextMissing,
    k: function () {
      if (asked.length) keepTheirs(asked[0]);
      else if (doubts.length) stand(doubts[0]);
    },
    s: function () { if (doubts.length && doubts[0].query.swap) swap(doubts[0]); },
    u: function () { if (asked.length) useMine(asked[0]); },
    g: function () { if (doubts.length) focus(doubts[0].cell); },
    "?": function () { openHelp(); },
  };

  function changeBlock(cell, by) {
    const block = blocks[blocks.indexOf(cell.block) + by];
    if (block) enterBlock(block);
  }

  function onKey(event) {
    const cell = cellOf(event.target);
    if (!cell || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      if (event.shiftKey) step(cell, -1);
      else if (isSound(tidy(cell.input.value))) onward(cell);
      else commit(cell);
      return;
    }
    const act = KEYS[event.key] || KEYS[event.key.toLowerCase()];
    if (act) {
      event.preventDefault();
      act(cell);
    } else if (event.key.length === 1 && !/[0-9\-–−x]/i.test(event.key)) {
      event.preventDefault();
    }
  }

  function cellOf(input) {
    return cells.find(function (cell) { return cell.input === input; });
  }

  function openHelp() {
    if (help && help.showModal) help.showModal();
  }

  function openJump() {
    const field = jump.querySelector("input");
    field.value = "";
    field.focus();
  }

  function jumpTo(event) {
    event.preventDefault();
    const numbers = (jump.querySelector("input").value.match(/\d+/g) || []).map(String);
    const block = blocks.find(function (one) { return isAt(one.dataset, numbers); });
    if (block) enterBlock(block);
    else tell(say.sayNowhere, true);
  }

  function isAt(place, numbers) {
    if (say.by === "board") return place.board === numbers[0];
    return place.round === numbers[0] && (numbers.length < 2 || place.table === numbers[1]);
  }

  // ---------------------------------------------------------------- begin

  function begin() {
    root.classList.add("scores--one");
    jump.hidden = false;
    for (const cell of cells) {
      cell.input.addEventListener("input", function () { show(cell); });
      cell.input.addEventListener("focus", function () { cell.input.select(); });
      cell.input.addEventListener("blur", function () { commit(cell); });
    }
    root.addEventListener("keydown", onKey);
    root.addEventListener("click", onClick);
    jump.addEventListener("submit", jumpTo);
    jump.addEventListener("keydown", function (event) {
      if (event.key === "Escape") enterBlock(root.querySelector(".is-in-hand"));
    });
    for (const block of blocks) block.addEventListener("submit", onSubmit);
    for (const made of root.querySelectorAll(".not-played, .next-cell")) made.hidden = false;
    for (const plain of root.querySelectorAll(".save-block")) plain.hidden = true;
    const opener = document.getElementById("scores-help-open");
    opener.hidden = false;
    opener.addEventListener("click", openHelp);
    window.addEventListener("online", pump);
    window.addEventListener("hashchange", function () {
      const block = blocks.find(function (one) { return "#" + one.id === location.hash; });
      if (block) enterBlock(block);
    });
    window.addEventListener("beforeunload", function (event) {
      if (cells.some(isUnsaved)) event.preventDefault();
    });
    takeInHand(firstPlace().block);
    whenLoaded(function () {
      if (!root.contains(document.activeElement)) enterAt(firstPlace());
    });
  }

  /* A browser that goes to the #place of an address takes the focus away, so this waits for it. */
  function whenLoaded(act) {
    if (document.readyState === "complete") act();
    else window.addEventListener("load", function () { setTimeout(act, 0); });
  }

  /* Where to begin: a value sent back as wrong, the block of the address, or what is missing. */
  function firstPlace() {
    const typed = cells.find(function (cell) { return tidy(cell.input.value) !== cell.seen.value; });
    const named = blocks.find(function (one) { return "#" + one.id === location.hash; });
    if (typed) return typed;
    if (named) return firstOf(named) || { block: named };
    return cells.find(isMissing) || cells[0] || { block: blocks[0] };
  }

  function enterAt(place) {
    if (place.input) focus(place);
    else takeInHand(place.block);
  }

  function onClick(event) {
    const link = event.target.closest(".scores__map a");
    const on = event.target.closest(".not-played, .next-cell");
    if (link) {
      event.preventDefault();
      enterBlock(document.getElementById(link.dataset.for));
    } else if (on) {
      goOn(last || firstOf(root.querySelector(".is-in-hand")), on.classList.contains("not-played"));
    }
  }

  /* The buttons for fingers: many a telephone's number keys have neither Enter nor a dash. */
  function goOn(cell, isNotPlayed) {
    if (isNotPlayed) {
      cell.input.value = "-";
      show(cell);
    }
    if (commit(cell)) onward(cell);
    else focus(cell);
  }

  let last = null; // the cell that had the focus last
  root.addEventListener("focusin", function (event) {
    last = cellOf(event.target) || last;
  });

  /* What others have entered: a cell in which nothing was typed here follows it at once. */
  root.addEventListener("meanwhile", function (event) {
    for (const [key, news] of event.detail.news) {
      const cell = cells.find(function (one) {
        return one.input.dataset.sitting + "-" + one.input.dataset.board === key;
      });
      if (cell && cell.savedAt > news.asked) {
        event.detail.news.delete(key); // older than what was saved here meanwhile
        continue;
      }
      const isBusy = cell && isUnsaved(cell);
      if (isBusy && cell.seen.value !== news.seen) continue;
      event.detail.news.delete(key);
      if (!cell || cell.seen.value === news.seen) continue;
      cell.seen.value = cell.input.value = news.seen;
      if (cell.input === document.activeElement) cell.input.select();
      show(cell);
      mark(cell, "saved", say.sayOthers.replace("%by", news.by));
      countBlock(cell.block);
    }
    countMissing(event.detail.missing);
  });

  function onSubmit(event) {
    event.preventDefault();
    cellsOf(event.currentTarget).forEach(commit);
  }

  begin();
})();
