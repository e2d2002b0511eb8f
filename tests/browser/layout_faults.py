"""A script that finds text and controls that do not fit a page."""

# A wide table or a row of tabs scrolls sideways in its own region; the document never does.
# Only the names in `shortened` may be cut: each is complete elsewhere on the page.
LAYOUT_SCRIPT = """() => {
  const regions = "[tabindex='0'], .block__scroll, .scores__tiles, .tabs";
  const shortened = ".club__name, .club__event, .crumb__name, .menu__who";
  const hidden = ".visually-hidden, .skip, svg, select, script, dialog:not([open])";
  const wide = document.documentElement.clientWidth, found = [], controls = [];
  const words = each => (each.textContent || each.name || "").replace(/\\s+/g, " ").trim();
  const report = (fault, each) =>
    found.push(`${fault}: ${each.tagName}.${each.className} ${words(each).slice(0, 40)}`);
  const isInline = each => /^(inline|contents)$/.test(getComputedStyle(each).display);
  const isBeyond = (box, edges) => box.right > edges.right + 2 || box.left < edges.left - 2;
  const widest = document.documentElement.scrollWidth;
  if (widest > wide) found.push(`the page is ${widest} wide`);

  for (const each of document.querySelectorAll("body *")) {
    if (each.closest(hidden) || !each.checkVisibility({ checkVisibilityCSS: true })) continue;
    const style = getComputedStyle(each), box = each.getBoundingClientRect();
    if (style.clipPath !== "none" || style.opacity === "0" || box.width < 3) continue;
    if (isBeyond(box, { left: 0, right: wide }) && !each.parentElement.closest(regions))
      report("outside", each);
    const isWide = each.scrollWidth > each.clientWidth + 2;
    const isHigh = each.scrollHeight > each.clientHeight + 2;
    const cuts = axis => /hidden|clip/.test(style[axis]) && !each.matches(shortened);
    if (each.placeholder && isWide) report("placeholder", each);
    const isCut = cuts("overflowX") && isWide || cuts("overflowY") && isHigh;
    if (isCut && each.tagName !== "INPUT") report("cut", each);
    const isFilled = style.backgroundColor !== "rgba(0, 0, 0, 0)";
    const isBoxed = isFilled || style.borderTopWidth !== "0px";
    if (isBoxed && each.matches("main :is(a, button, input, select, textarea, summary)"))
      controls.push([each, box]);
  }

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    let block = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || block.closest(`${hidden}, ${shortened}`)) continue;
    if (!block.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })) continue;
    while (isInline(block)) block = block.parentElement;
    if (getComputedStyle(block).clipPath !== "none") continue;
    const range = document.createRange(), edges = block.getBoundingClientRect();
    range.selectNodeContents(texts.currentNode);
    if ([...range.getClientRects()].some(box => isBeyond(box, edges))) report("beyond", block);
  }

  for (const picture of document.querySelectorAll("svg")) {
    const labels = [...picture.querySelectorAll("text")].filter(each => each.checkVisibility());
    labels.forEach((one, at) => labels.slice(at + 1).forEach(other => {
      const [box, edges] = [one, other].map(each => each.getBoundingClientRect());
      if (overlap(box, edges) && Math.abs(box.top - edges.top) < 5) // in one line
        found.push(`in a picture: ${words(one)} | ${words(other)}`);
    }));
  }

  controls.forEach(([one, box], at) => {
    for (const [other, edges] of controls.slice(at + 1)) {
      if (one.contains(other) || findLayer(one) !== findLayer(other)) continue;
      if (overlap(box, edges)) found.push(`over: ${words(one)} | ${words(other)}`);
    }
  });
  function overlap(one, other) {
    return Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
      && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2;
  }

  // What is fixed or scrolls may cover other controls.
  function findLayer(each) {
    for (; each; each = each.parentElement) {
      const { position, overflowY } = getComputedStyle(each);
      if (/fixed|sticky/.test(position) || /auto|scroll/.test(overflowY)) return each;
    }
    return null;
  }
  return found.slice(0, 8);
}"""
