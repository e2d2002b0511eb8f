/* Keep the keyboard focus when a part of the page is replaced.
 *
 * The focus moves to the same control in the new part, even if its text has changed. If that control no longer
 * exists, the part itself gets the focus.
 */

const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]";

function aim(control) {
  return [control.tagName, control.getAttribute("href"), control.name, control.value,
    control.closest("form")?.getAttribute("action"), control.getAttribute("formaction")].join("|");
}

function words(control) {
  return aim(control) + "|" + control.textContent.trim();
}

/* Find the same control in the new part; among identical ones, the one with the same index. */
function find(fresh, kind, key, nth) {
  const alike = Array.from(fresh.querySelectorAll(CONTROLS)).filter(function (one) { return kind(one) === key; });
  return alike[nth] || alike[0];
}

/* Remember the focused control of a part, and return a function that restores the focus in the new part. */
export function hold(part) {
  const at = document.activeElement;
  if (!at || !part || !part.contains(at)) return function () {};
  const before = Array.from(part.querySelectorAll(CONTROLS));
  const kept = [words, aim].map(function (kind) {
    const key = kind(at);
    return [kind, key, before.filter(function (one) { return kind(one) === key; }).indexOf(at)];
  });
  return function (fresh) {
    if (at.isConnected || !fresh) return;
    if (document.activeElement && document.activeElement !== document.body) return; // it is where it should be
    const same = at.id && document.getElementById(at.id);
    const again = same || kept.map(function (one) { return find(fresh, ...one); }).find(Boolean);
    if (!again && !fresh.hasAttribute("tabindex")) fresh.tabIndex = -1;
    (again || fresh).focus({ preventScroll: true });
  };
}
