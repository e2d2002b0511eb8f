"""Find the violations that `axe` reports on a page, checking each text style once.

Half of its time goes into contrast, and most text has the same colour, size, weight and
backgrounds as other text; `axe` itself finds the backgrounds below each line. A style that
passed, or that cannot be decided because of a gradient, is skipped afterwards. A style that
failed is checked and reported everywhere.
"""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# Levels A and AA of the Web Content Accessibility Guidelines 2.2, and best practices.
AXE_RULE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
VIOLATIONS_SCRIPT = """async rules => {
    const check = axe._audit.checks["color-contrast"];
    const weigh = check.evaluate;
    const [grounds, known] = [new Map(), new Map()];
    const ground = part => {
        if (!grounds.has(part)) {
            const drawn = getComputedStyle(part);
            const own = [drawn.backgroundColor, drawn.backgroundImage, drawn.opacity,
                drawn.filter, drawn.mixBlendMode].join(" ");
            grounds.set(part, own === "rgba(0, 0, 0, 0) none 1 none normal" ? "" : own);
        }
        return grounds.get(part);
    };
    const look = part => {
        const drawn = getComputedStyle(part);
        const below = axe.commons.dom.getTextElementStack(part)
            .map(line => line.map(ground).filter(Boolean).join());
        return [drawn.color, drawn.fontSize, drawn.fontWeight, drawn.textShadow,
            drawn.webkitTextStroke, ...below].join(";");
    };
    check.evaluate = function (part, ...words) {
        const own = look(part), note = this.data;
        if (known.has(own)) {
            note.call(this, {});
            return known.get(own);
        }
        let why;
        this.data = told => {
            why = told && told.messageKey;
            note.call(this, told);
        };
        const said = weigh.call(this, part, ...words);
        if ((said === true && !why) || why === "bgGradient") known.set(own, said);
        return said;
    };
    try {
        const asked = {runOnly: {type: "tag", values: rules}, resultTypes: ["violations"],
            selectors: false, preload: false};
        return (await axe.run(asked)).violations;
    } finally {
        check.evaluate = weigh;
    }
}"""


def find_violations(page: Page) -> list[dict[str, Any]]:
    """Run `axe`, and inject it into each page that is opened later."""
    if not page.evaluate("'axe' in window"):
        page.add_init_script(AXE_SCRIPT)
        page.evaluate(AXE_SCRIPT)
    actual: list[dict[str, Any]] = page.evaluate(VIOLATIONS_SCRIPT, AXE_RULE_TAGS)
    return actual
