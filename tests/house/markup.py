"""Checks of a page's HTML that need only its text.

They cover faults that pages have had; a complete validator is run manually (docs/testing.md).
"""

import re
from collections import Counter
from html.parser import HTMLParser

VOID_ELEMENTS = frozenset(  # elements without an end tag
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"}
    | {"circle", "line", "path", "rect", "use", "wbr"}
)
BLOCK_ELEMENTS = frozenset(
    {"details", "div", "dl", "fieldset", "figure", "form", "h1", "h2", "h3", "h4"}
    | {"ol", "p", "section", "table", "ul"}
)
PHRASING_ELEMENTS = frozenset(
    {"button", "label", "p", "span", "strong"}
)  # contain no block elements
HEADING_PATTERN = re.compile(r"h[1-6]")


class _PageParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.wanted: list[str] = []
        self.headings: list[int] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values_by_attribute = dict(attrs)
        self._check_nesting(tag)
        self._check_attributes(tag, values_by_attribute)
        if HEADING_PATTERN.fullmatch(tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID_ELEMENTS:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._check_attributes(tag, dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            while self.open.pop() != tag:
                continue

    def _check_nesting(self, tag: str) -> None:
        if tag in BLOCK_ELEMENTS:
            self.faults += [
                f"<{tag}> inside <{outer_tag}>"
                for outer_tag in self.open
                if outer_tag in PHRASING_ELEMENTS
            ]
        if tag == "form" and "form" in self.open:
            self.faults.append("<form> inside <form>")

    def _check_attributes(self, tag: str, values_by_attribute: dict[str, str | None]) -> None:
        if tag in ("button", "input") and not values_by_attribute.get("type"):
            self.faults.append(f"<{tag}> without a type: {values_by_attribute}")
        if tag == "time" and "." in (values_by_attribute.get("datetime") or ""):
            self.faults.append(f"a time of microseconds: {values_by_attribute['datetime']}")
        self.faults += [
            f"{name}= on <{tag}>"
            for name in values_by_attribute
            if name.startswith(("hx-", "on"))
        ]
        self.ids += [values_by_attribute["id"] or ""] if "id" in values_by_attribute else []
        self.wanted += (
            [values_by_attribute["for"] or ""]
            if "for" in values_by_attribute and tag == "label"
            else []
        )


def find_faults(html: str) -> list[str]:
    """Return the faults of a page, or of a fragment that a live page fetches."""
    page = _PageParser()
    page.feed(html)
    page.close()
    faults = page.faults
    id_counts = Counter(page.ids)
    faults += [f"the id {item} twice" for item, times in id_counts.items() if times > 1]
    faults += [
        f"an id to quote: {item!r}" for item in id_counts if not re.fullmatch(r"[\w-]+", item)
    ]
    faults += [
        f"a label of {item}, which is not there"
        for item in page.wanted
        if item not in id_counts
    ]
    if html.lstrip().lower().startswith("<!doctype"):
        faults += check_headings(page.headings)
    return faults


def check_headings(levels: list[int]) -> list[str]:
    actual = [] if levels.count(1) == 1 else [f"{levels.count(1)} headings of the first level"]
    steps = zip([0, *levels], levels, strict=False)
    return actual + [
        f"a heading {next_level} below a heading {level}"
        for level, next_level in steps
        if next_level > level + 1
    ]
