/* After a form was not accepted, show the message next to it and put the focus on the field to correct.
 *
 * The form that is sent is remembered until the next page of this tab. Messages carry data-refusal
 * (templates/components/problem.html, problems.html, errors.html) or are error toasts.
 * Without this script the message is at the top of the page or inside the form. */
(function () {
  "use strict";

  const STORAGE_KEY = "sent-form";
  const MESSAGES = "[data-refusal], .toast--error";
  const FIELDS = "input:not([type=hidden]):not([type=submit]):not([type=checkbox]):not([type=radio]), textarea, select";
  const STACKED = ["block", "flow-root", "list-item"]; // display values whose children are stacked
  const CHOICES = "input[type=checkbox], input[type=radio]";

  /* Return the forms with this action; the submit button distinguishes forms with the same action. */
  function matchingForms(path, name, value) {
    return Array.from(document.forms).filter(function (form) {
      if (new URL(form.getAttribute("action") || "", location.href).pathname !== path) return false;
      return !name || Array.from(form.elements).some(function (each) {
        return each.type === "submit" && each.name === name && each.value === value;
      });
    });
  }

  function remember(form, button) {
    const path = new URL(form.getAttribute("action") || "", location.href).pathname;
    const [name, value] = button ? [button.name, button.value] : ["", ""];
    const index = matchingForms(path, name, value).indexOf(form);
    const fields = Array.from(form.elements).filter(function (each) { return each.value && each.matches(FIELDS); });
    const filled = fields.map(function (each) { return each.name; });
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ path, name, value, index, filled }));
    } catch { /* without storage the message stays where the page has it */ }
  }

  function recall() {
    try {
      const stored = sessionStorage.getItem(STORAGE_KEY);
      sessionStorage.removeItem(STORAGE_KEY);
      return JSON.parse(stored);
    } catch {
      return null;
    }
  }

  function isShown(element) {
    if (element.checkVisibility) return element.checkVisibility({ visibilityProperty: true });
    return element.getClientRects().length > 0 && getComputedStyle(element).visibility === "visible";
  }

  function unfold(element) {
    for (let fold = element.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  }

  /* Return the field to correct: the first invalid one, one whose value the message quotes, the first filled-in
   * one, or the button.
   */
  function fieldToCorrect(form, sent, message) {
    const words = message ? message.textContent : "";
    const controls = Array.from(form.elements);
    const button = controls.find(function (each) { return sent.name && each.name === sent.name && each.value === sent.value; });
    const fold = button && button.closest("form details"); // a fold with its own submit button contains the fields of that button
    const fields = controls.filter(function (each) {
      return each.matches(FIELDS) && !each.readOnly && (!fold || fold.contains(each));
    });
    const candidates = [
      ...form.querySelectorAll("[aria-invalid=true]"),
      ...fields.filter(function (each) { return each.value && words.includes("“" + each.value + "”"); }),
      ...fields.filter(function (each) { return each.tagName !== "SELECT" && sent.filled.includes(each.name); }),
      ...fields,
      ...form.querySelectorAll(CHOICES),
      button,
      ...form.querySelectorAll("button"),
    ].filter(Boolean);
    unfold(form);
    for (const each of candidates) {
      if (each.closest("details") !== form.closest("details")) unfold(each);
      if (isShown(each) && !each.disabled) return each;
    }
    return null;
  }

  /* Insert the message before the field, outside any single-line layout; in a table as a separate row. */
  function place(message, form, field) {
    if (form.contains(message)) return;
    const row = field.closest("tr");
    if (row) {
      const line = document.createElement("tr");
      const cell = line.insertCell();
      cell.colSpan = row.cells.length;
      cell.append(message);
      row.before(line);
      return;
    }
    let block = field.closest(".field") || field;
    while (block.parentElement !== form && !STACKED.includes(getComputedStyle(block.parentElement).display))
      block = block.parentElement;
    (block.closest("[data-hx-trigger^=every]") || block).before(message); // a polled part would lose the message
  }

  /* Return whether an element is completely visible, and not covered by a bar. */
  function isInView(element) {
    const box = element.getBoundingClientRect();
    const dock = document.querySelector(".dock");
    const top = scrollY ? parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) : 0;
    return box.top >= top && box.bottom <= innerHeight - (dock ? dock.offsetHeight : 0);
  }

  function reveal(message, field) {
    if (!message || (isInView(message) && isInView(field))) return;
    const isAbove = message.compareDocumentPosition(field) & Node.DOCUMENT_POSITION_FOLLOWING;
    (isAbove ? message : field.closest(".field") || field).scrollIntoView({ block: "start" });
    if (!isInView(message)) message.scrollIntoView({ block: "nearest" });
  }

  function messageOf(field) {
    const ids = (field.getAttribute("aria-describedby") || "").split(" ");
    return ids.map(function (id) { return document.getElementById(id); }).reverse().find(Boolean);
  }

  function show() {
    const sent = recall();
    const main = document.getElementById("main");
    const message = Array.from(main.querySelectorAll(MESSAGES)).find(isShown) || main.querySelector(MESSAGES);
    const invalid = main.querySelector("[aria-invalid=true]");
    if (!message && !invalid) return;
    const form = (invalid && invalid.form) || (message && message.closest("form"))
      || (sent && matchingForms(sent.path, sent.name, sent.value)[sent.index]);
    const field = form ? fieldToCorrect(form, sent || { filled: [] }, message) : invalid;
    if (!field) return;
    if (message) place(message, form, field);
    field.focus({ preventScroll: true });
    const near = message || messageOf(field) || field;
    reveal(near, field);
    addEventListener("load", function () { reveal(near, field); }, { once: true });
  }

  addEventListener("submit", function (event) {
    if (!event.defaultPrevented && event.target.method === "post") remember(event.target, event.submitter);
  });
  addEventListener("DOMContentLoaded", show); // runs after the page's own scripts
})();
