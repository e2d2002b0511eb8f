/* A table's page: what is tapped is kept on the phone until the server has it.
 *
 * Every entry and every yes is written into the browser's own store first, in order, each with a
 * name of its own; then it is sent, oldest first, and taken out when it is answered. So a drop in the
 * connection, a reload or a phone that falls asleep loses nothing, and nothing is entered twice.
 */
(function () {
  "use strict";

  const root = document.getElementById("table");
  if (!root) return;

  const say = root.dataset;
  const store = "overplay" + location.pathname;
  const panels = { enter: "t-enter", confirm: "t-confirm", done: "t-done", idle: "t-idle", turn: "t-turn", over: "t-over" };
  const kept = read();
  let page = JSON.parse(document.getElementById("table-data").textContent);
  let round = page.rounds[0].round;
  let number = 0; // the board in hand; 0 for the next thing to do
  let picked = false; // whether somebody chose that board, so that it stays when it is done
  let again = false; // whether the board in hand is to be entered anew
  let busy = false;
  let failures = 0;
  let timer = 0;

  // ---------------------------------------------------------------- what this phone keeps

  function read() {
    try {
      const found = JSON.parse(localStorage.getItem(store)) || {};
      return { queue: found.queue || [], troubles: found.troubles || [] };
    } catch (error) {
      return { queue: [], troubles: [] };
    }
  }

  function keep() {
    try {
      localStorage.setItem(store, JSON.stringify(kept));
    } catch (error) {
      // A private window may refuse; the open page still holds everything.
    }
  }

  function newKey() {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    return Array.from(bytes, function (byte) { return byte.toString(16).padStart(2, "0"); }).join("");
  }

  // ---------------------------------------------------------------- the rounds as they stand here

  /* What the server said, with what still waits on this phone laid over it. */
  function standing(each) {
    const boards = each.boards.map(function (board) { return Object.assign({}, board); });
    for (const act of kept.queue) {
      if (act.sitting !== each.sitting) continue;
      const board = boards.find(function (one) { return one.board === act.board; });
      if (!board) continue;
      if (act.act === "enter") Object.assign(board, { mark: act.value, awaits: true });
      else board.awaits = false;
    }
    return boards;
  }

  function isDone(board) {
    return board.ruled || (board.mark !== "" && !board.awaits);
  }

  function roundIn(rounds) {
    return rounds.find(function (each) { return each.round === round; });
  }

  let last = null; // the round in hand, which the server forgets once it is over

  function current() {
    const found = roundIn(page.rounds);
    if (found) last = found;
    if (!last || last.round !== round) {
      last = page.rounds[0];
      round = last.round;
    }
    return last;
  }

  // ---------------------------------------------------------------- acts: kept, then sent

  function act(name, board, value) {
    const entry = { act: name, key: newKey(), sitting: current().sitting, round: round, board: board.board, seen: board.mark };
    if (name === "enter") entry.value = value;
    kept.queue.push(entry);
    keep();
    number = name === "enter" ? board.board : 0;
    picked = again = false;
    draw(true);
    pump();
  }

  async function pump() {
    clearTimeout(timer);
    if (busy || !kept.queue.length) return;
    busy = true;
    const first = kept.queue[0];
    const answer = await send(first);
    busy = false;
    if (answer === null) {
      failures += 1;
      timer = setTimeout(pump, Math.min(1000 * 2 ** (failures - 1), 8000));
      draw(false);
      return;
    }
    failures = 0;
    settle(first, answer);
    pump();
  }

  /* Answers null when the connection is down: the act stays where it is. */
  async function send(fields) {
    const stop = new AbortController();
    const clock = setTimeout(function () { stop.abort(); }, 10000);
    try {
      const response = await fetch(location.pathname, {
        method: fields ? "POST" : "GET",
        body: fields ? new URLSearchParams(fields) : undefined,
        headers: { Accept: "application/json" },
        credentials: "omit",
        cache: "no-store",
        signal: stop.signal,
      });
      const isJson = (response.headers.get("Content-Type") || "").includes("json");
      if (response.status === 404) return { status: 410, data: { detail: say.sayNowhere } };
      if (!isJson) return null;
      return { status: response.status, data: await response.json() };
    } catch (error) {
      return null;
    } finally {
      clearTimeout(clock);
    }
  }

  function settle(sent, answer) {
    if (answer.status === 410) {
      gone(answer.data.detail);
      return;
    }
    kept.queue.shift();
    remember(sent);
    if (answer.status >= 400 && !(answer.status === 409 && sent.act === "confirm" && "seen" in answer.data)) {
      kept.troubles.push({ sitting: sent.sitting, board: sent.board, act: sent.act, mine: sent.value || sent.seen,
        theirs: answer.data.seen, words: answer.data.detail });
    }
    keep();
    take(answer.data);
    draw(false);
  }

  /* The round in hand may be over for the server; this page shows it until the table turns. */
  function remember(sent) {
    if (!last || last.sitting !== sent.sitting) return;
    const board = last.boards.find(function (one) { return one.board === sent.board; });
    if (!board) return;
    if (sent.act === "enter") Object.assign(board, { mark: sent.value, awaits: true });
    else board.awaits = false;
  }

  function take(data) {
    if (!data.page) return;
    page = data.page;
    if (last && last.round === round && !roundIn(page.rounds) && round < page.rounds[0].round) leave();
    current();
  }

  /* The server says that the round in hand is over: another phone of the table may have ended it. */
  function leave() {
    for (const board of last.boards) {
      if (board.mark || board.ruled) board.awaits = false;
      else round = page.rounds[0].round;
    }
  }

  function gone(words) {
    clearInterval(looking);
    const box = document.getElementById("t-troubles");
    const unsent = kept.queue.filter(function (each) { return each.act === "enter"; });
    box.replaceChildren(notice(words), ...unsent.map(function (each) { return notice(fill(say.sayUnsent, each)); }));
    put("t-queue", "");
    for (const id of Object.values(panels)) document.getElementById(id).hidden = true;
    root.classList.add("is-gone");
  }

  // ---------------------------------------------------------------- drawing

  function fill(words, values) {
    return words.replace(/%(\w+)/g, function (all, name) { return name in values ? values[name] : all; });
  }

  function put(id, words) {
    const place = document.getElementById(id);
    if (place.textContent !== words) place.textContent = words;
  }

  function mode(board, boards, each) {
    if (!each.is_played) return "idle";
    if (!board) return each.round === page.last ? "over" : "turn";
    if (again || !(board.mark || board.ruled)) return "enter";
    return board.awaits ? "confirm" : "done";
  }

  function draw(isMine) {
    if (root.classList.contains("is-gone")) return;
    const each = current();
    const boards = standing(each);
    const board = boards.find(function (one) { return one.board === number && (picked || !isDone(one)); }) ||
      boards.find(function (one) { return !isDone(one); });
    const shown = mode(board, boards, each);
    put("t-round", fill(say.sayRound, { round: each.round, last: page.last }));
    put("t-ns-label", each.ns_label);
    put("t-ns", each.ns_name);
    put("t-ew-label", each.ew_label);
    put("t-ew", each.ew_name);
    drawBoards(each, boards, board);
    for (const name in panels) document.getElementById(panels[name]).hidden = name !== shown;
    if (board) drawBoard(board, each);
    put("t-turned", fill(say.sayTurn, { round: each.round }));
    drawMoves(each, shown);
    drawQueue();
    drawTroubles();
    drawCall();
    if (isMine && root.dataset.mode !== shown) root.querySelector("#" + panels[shown] + " h2").focus({ preventScroll: true });
    root.dataset.mode = shown;
  }

  function drawBoards(each, boards, board) {
    const list = document.getElementById("t-boards");
    const key = JSON.stringify([each.round, boards, board && board.board]);
    if (list.dataset.key === key) return;
    list.dataset.key = key;
    list.replaceChildren(...boards.map(function (one) {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = "?round=" + each.round + "&board=" + one.board;
      link.dataset.board = one.board;
      if (board && one.board === board.board) link.setAttribute("aria-current", "true");
      const mark = document.createElement("span");
      mark.className = "table__mark";
      mark.textContent = isDone(one) ? "✓" : one.awaits ? "?" : "";
      const words = document.createElement("span");
      words.className = "visually-hidden";
      words.textContent = isDone(one) ? " " + say.sayIn : one.awaits ? " " + say.sayAsked : "";
      link.append(String(one.board), mark, words);
      item.append(link);
      return item;
    }));
  }

  function drawBoard(board, each) {
    const ns = Number(board.mark);
    const values = { board: board.board, ns: ns, ew: 13 - ns };
    const isPlayed = board.mark !== "-";
    put("t-ask", fill(say.sayAsk, values));
    put("t-you", fill(isPlayed ? say.sayYou : say.sayNotBoth, values));
    put("t-them", isPlayed ? fill(say.sayThem, values) : "");
    put("t-yes", isPlayed ? fill(say.sayYes, values) : say.sayYesNot);
    put("t-told", fill(board.ruled ? say.sayRuled : isPlayed ? say.sayDone : say.sayNot, values));
    for (const form of [document.getElementById("t-enter"), document.getElementById("t-confirm")]) {
      form.elements.sitting.value = each.sitting;
      form.elements.board.value = board.board;
      form.elements.seen.value = board.mark;
    }
    for (const key of root.querySelectorAll(".pad button")) {
      if (key.value === board.mark) key.setAttribute("aria-pressed", "true");
      else key.removeAttribute("aria-pressed");
    }
  }

  function drawMoves(each, shown) {
    const box = document.getElementById("t-moves");
    const next = document.getElementById("t-next");
    box.hidden = shown !== "turn" && shown !== "idle";
    if (box.hidden) return;
    document.getElementById("t-move-list").replaceChildren(...each.moves.map(function (words) {
      const item = document.createElement("li");
      item.textContent = words;
      return item;
    }));
    next.hidden = each.round >= page.last;
    next.textContent = fill(say.sayNext, { round: each.round + 1 });
  }

  function drawQueue() {
    const boards = new Set(kept.queue.map(function (one) { return one.sitting + "/" + one.board; }));
    const place = document.getElementById("t-queue");
    const isWaiting = failures > 0 && boards.size > 0;
    place.classList.toggle("is-waiting", isWaiting);
    if (isWaiting) put("t-queue", boards.size === 1 ? say.sayWaitOne : say.sayWaitMany.replace("#", boards.size));
    else if (!kept.queue.length && place.textContent) put("t-queue", say.saySent);
  }

  function notice(words) {
    const box = document.createElement("div");
    const text = document.createElement("p");
    box.className = "notice notice--wrong table__trouble";
    text.textContent = words;
    box.append(text);
    return box;
  }

  function drawTroubles() {
    const box = document.getElementById("t-troubles");
    const key = JSON.stringify(kept.troubles);
    if (box.dataset.key === key) return;
    box.dataset.key = key;
    box.replaceChildren(...kept.troubles.map(function (trouble) {
      const isStale = typeof trouble.theirs === "string";
      const lead = isStale ? "" : fill(say.sayRefused, trouble) + " ";
      const made = notice(lead + trouble.words + (isStale ? " " + fill(say.sayStale, trouble) : ""));
      made.append(button(isStale ? say.sayKeep : say.saySeen, function () { drop(trouble); }));
      if (isStale) made.append(button(fill(say.sayMine, trouble), function () { insist(trouble); }));
      return made;
    }));
  }

  function button(words, work) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = words;
    made.addEventListener("click", work);
    return made;
  }

  function drop(trouble) {
    kept.troubles.splice(kept.troubles.indexOf(trouble), 1);
    keep();
    draw(false);
  }

  function insist(trouble) {
    kept.queue.push({ act: "enter", key: newKey(), sitting: trouble.sitting, board: trouble.board, seen: trouble.theirs, value: trouble.mine });
    drop(trouble);
    pump();
  }

  // ---------------------------------------------------------------- calling the director

  function drawCall() {
    const time = page.called && new Date(page.called).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
    if (page.called || root.dataset.called) put("t-called", page.called ? fill(say.sayCalled, { time: time }) : "");
    root.dataset.called = page.called;
  }

  async function call(event) {
    event.preventDefault();
    const answer = await send({ act: "call" });
    if (answer === null) put("t-called", say.sayCallDown);
    else if (answer.status === 200) {
      take(answer.data);
      draw(false);
    }
  }

  // ---------------------------------------------------------------- begin

  function boardInHand() {
    const boards = standing(current());
    return boards.find(function (one) { return one.board === Number(document.getElementById("t-enter").elements.board.value); });
  }

  function onClick(event) {
    const link = event.target.closest("a[data-board], a[data-again], a[data-on]");
    if (link) {
      event.preventDefault();
      again = "again" in link.dataset;
      picked = again || "board" in link.dataset;
      if (link.dataset.board) number = Number(link.dataset.board);
      else number = again ? boardInHand().board : 0;
      draw(true);
    } else if (event.target.id === "t-next") {
      round += 1;
      number = 0;
      draw(true);
    }
  }

  async function look() {
    if (busy || kept.queue.length || document.hidden) return;
    const answer = await send(null);
    if (answer === null || busy || kept.queue.length) return;
    if (answer.status === 410) gone(answer.data.detail);
    else if (answer.data.page) {
      const before = root.dataset.mode;
      take(answer.data);
      if (before !== "enter" || !again) draw(false);
    }
  }

  for (const heading of root.querySelectorAll(".table__panel h2")) heading.tabIndex = -1;
  document.getElementById("t-enter").addEventListener("submit", function (event) {
    event.preventDefault();
    if (event.submitter) act("enter", boardInHand(), event.submitter.value);
  });
  document.getElementById("t-confirm").addEventListener("submit", function (event) {
    event.preventDefault();
    act("confirm", boardInHand());
  });
  document.getElementById("t-call").addEventListener("submit", call);
  root.addEventListener("click", onClick);
  window.addEventListener("online", pump);
  document.addEventListener("visibilitychange", look);
  const looking = setInterval(look, 5000);
  if (kept.queue.length) failures = 1;
  draw(false);
  pump();
})();
