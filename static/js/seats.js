/* Exchange two rows of the seats by dragging one onto the other.
 *
 * Without a pointer the select lists in the rows do the same; nothing is sent before the form is submitted.
 */
(function () {
  "use strict";

  const form = document.getElementById("seats-by-hand");
  if (!form) return;
  const rows = Array.from(form.querySelectorAll(".seat-row"));
  let dragged = null;

  function listOf(row) {
    return row.querySelector("select, input");
  }

  function exchange(one, other) {
    const kept = listOf(one).value;
    listOf(one).value = listOf(other).value;
    listOf(other).value = kept;
  }

  rows.forEach(function (row) {
    const list = listOf(row);
    if (list.disabled) return;
    row.draggable = true;
    list.dataset.was = list.value;

    /* The former entry of this row moves to the row of the entry that was chosen. */
    list.addEventListener("change", function () {
      const from = rows.find(function (each) {
        return each !== row && listOf(each).value === list.value && list.value !== "";
      });
      if (from) listOf(from).value = list.dataset.was;
      rows.forEach(function (each) { listOf(each).dataset.was = listOf(each).value; });
    });
    row.addEventListener("dragstart", function (event) {
      dragged = row;
      event.dataTransfer.setData("text/plain", list.value);
    });
    row.addEventListener("dragover", function (event) {
      event.preventDefault();
      row.classList.add("is-over");
    });
    row.addEventListener("dragleave", function () { row.classList.remove("is-over"); });
    row.addEventListener("drop", function (event) {
      event.preventDefault();
      row.classList.remove("is-over");
      if (dragged && dragged !== row) exchange(dragged, row);
      rows.forEach(function (each) { listOf(each).dataset.was = listOf(each).value; });
    });
  });
})();
