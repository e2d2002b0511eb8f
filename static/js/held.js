/* The focus over a part of the page that is put in place of another.
 *
 * Who goes by the keys stands on the same control afterwards, also where its words have changed; where
 * it has gone, on the part it stood in, and never at the top of the page. */

const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]";

function aim(control) {
  return [control.tagName, control.getAttribute("href"), control.name, control.value,
    control.closest("form")?.getAttribute("action"), control.getAttribute("formaction")].join("|");
}

function words(control) {
  return aim(control) + "|" + control.textContent.trim();
}

/* The same control in what has come: of several alike the one that stood at the same place. */
function find(fresh, kind, key, nth) {
  const alike = Array.from(fresh.querySelectorAll(CONTROLS)).filter(function (one) { return kind(one) === key; });
  return alike[nth] || alike[0];
}

/* Remember where in a part the focus is; what is returned gives it to the part that has come. */
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
