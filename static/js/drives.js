// Score sheets of a drive: fill in the second side's score, and move to the next field on Enter.

const form = document.querySelector("[data-sheets]");

if (form) {
  const boxes = [...form.querySelectorAll("input:not([type=hidden])")];
  const total = Number(form.dataset.total);

  /* Scores that already add up to the total follow each other when one of them is corrected. */
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
    if (!next) return; // in the last field Enter submits the form
    event.preventDefault();
    next.focus();
  });

  const figures = boxes.filter((box) => !("extra" in box.dataset));
  (figures.find((box) => !box.value) ?? boxes[0])?.focus();
}
