/* The first three of every field side by side, read from the tables on the page. */

const LED = 3;
const BEFORE = new Set(["De", "La", "Le", "Mac", "Mc", "O", "Ó", "St", "St.", "Van", "Von"]); // particles of surnames

/* Draw the leaders, with the two sides of a section next to each other; `short` shows surnames only. */
export function drawLeaders(board, found, short) {
  board.replaceChildren(...found.map(function (field) { return leadersOf(field, short); }));
  board.style.setProperty("--beside", found.length <= 8 ? 2 : found.length === 9 ? 3 : 4);
}

/* Return whether a name is wider than its element. */
export function isCut(board) {
  return Array.from(board.querySelectorAll("li > :nth-child(2)")).some(function (name) {
    return name.scrollWidth > name.clientWidth + 1;
  });
}

function leadersOf(field, short) {
  const made = element("section", "");
  const list = element("ol", "");
  made.append(element("h2", titleOf(field)), list);
  for (const row of rowsOf(field).slice(0, LED)) {
    const item = element("li", "");
    for (const name of [".rank", ".held > a", ".gap"]) item.append(element("span", textOf(row, name)));
    const label = item.children[1];
    label.textContent = label.textContent.slice(textOf(row, ".pair__label").length).trim();
    const pair = Array.from(row.querySelectorAll(".held .partner"), wordsOf);
    if (short && pair.length > 1) label.textContent = pair.map(surname).join(" & ");
    item.classList.toggle("is-first", row.classList.contains("is-first"));
    list.append(item);
  }
  return made;
}

export function rowsOf(field) {
  const body = field.querySelector("tbody");
  return body ? Array.from(body.rows) : [];
}

export function titleOf(field) {
  return field.querySelector("caption").firstChild.textContent.trim();
}

export function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function textOf(row, name) {
  const found = row.querySelector(name);
  return found ? wordsOf(found) : "";
}

function wordsOf(found) {
  return found.textContent.replace(/\s+/g, " ").trim();
}

/* Return the last word of a name with its particles, as in "van Dyck"; initials are unchanged. */
function surname(person) {
  const words = person.replace(/ &$/, "").split(" ");
  let at = words.length - 1;
  if (words[at].endsWith(".")) return words.join(" ");
  while (at > 1 && (BEFORE.has(words[at - 1]) || words[at - 1][0] !== words[at - 1][0].toUpperCase())) at -= 1;
  return words.slice(at).join(" ");
}
