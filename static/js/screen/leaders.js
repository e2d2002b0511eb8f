/* The first three of every field, beside one another, out of the tables that stand on the page. */

const LED = 3;

export function drawLeaders(board, found) {
  board.replaceChildren(...found.map(leadersOf));
  board.style.setProperty("--beside", found.length <= 4 ? 2 : found.length <= 9 ? 3 : 4);
}

function leadersOf(field) {
  const made = element("section", "");
  const list = element("ol", "");
  made.append(element("h2", titleOf(field)), list);
  for (const row of rowsOf(field).slice(0, LED)) {
    const item = element("li", "");
    for (const name of [".rank", ".held > a", ".gap"]) item.append(element("span", textOf(row, name)));
    const label = item.children[1];
    label.textContent = label.textContent.slice(textOf(row, ".pair__label").length).trim();
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
  return found ? found.textContent.replace(/\s+/g, " ").trim() : "";
}
