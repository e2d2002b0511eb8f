// Sheets of a drive: the second side's figure follows from the first, Enter goes on.

const form = document.querySelector("[data-sheets]");

if (form) {
  const boxes = [...form.querySelectorAll("input:not([type=hidden]):not([readonly])")];
  const total = Number(form.dataset.total);

  /* Two figures that agree are one: where either is put right the other follows, as when it was typed. */
  for (const line of form.querySelectorAll("li")) {
    const pair = [...line.querySelectorAll("input:not([type=hidden]):not([data-extra])")];
    const agree = form.dataset.total && pair.length === 2 && pair.every((box) => box.value);
    if (agree && pair.reduce((sum, box) => sum + Number(box.value), 0) === total) for (const box of pair) box.dataset.follows = "yes";
  }

  form.addEventListener("input", ({ target }) => {
    delete target.dataset.follows;
    const pair = [...target.closest("li").querySelectorAll("input:not([type=hidden]):not([data-extra])")];
    if (!pair.includes(target) || pair.length !== 2 || !form.dataset.total) return;
    const other = pair[1 - pair.indexOf(target)];
    if (other.value && !other.dataset.follows) return;
    const typed = target.value.trim();
    const figure = Number(typed);
    const follows = typed !== "" && Number.isInteger(figure) && figure >= 0 && figure <= total;
    other.value = follows ? String(total - figure) : "";
    other.dataset.follows = "yes";
  });

  form.addEventListener("keydown", (event) => {
    const at = boxes.indexOf(event.target);
    if (event.key !== "Enter" || at < 0) return;
    const next = boxes.slice(at + 1).find((box) => !box.value);
    if (!next) return; // the last one sends the form
    event.preventDefault();
    next.focus();
  });

  const figures = boxes.filter((box) => !("extra" in box.dataset));
  (figures.find((box) => !box.value) ?? boxes[0])?.focus();
}
