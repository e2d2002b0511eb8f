"""Checks of a page's HTML that need only its text.

They cover faults that pages have had; a complete validator is run manually (docs/testing.md).
"""

import re
from collections import Counter
from html.parser import HTMLParser

ALONE = frozenset(  # elements without an end tag
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"}
    | {"circle", "line", "path", "rect", "use", "wbr"}
)
BLOCKS = frozenset(
    {"details", "div", "dl", "fieldset", "figure", "form", "h1", "h2", "h3", "h4"}
    | {"ol", "p", "section", "table", "ul"}
)
PHRASES = frozenset({"button", "label", "p", "span", "strong"})  # contain no block elements
HEADING = re.compile(r"h[1-6]")


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.wanted: list[str] = []
        self.headings: list[int] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given_attrs = dict(attrs)
        self._nesting(tag)
        self._attributes(tag, given_attrs)
        if HEADING.fullmatch(tag):
            self.headings.append(int(tag[1]))
        if tag not in ALONE:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._attributes(tag, dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            while self.open.pop() != tag:
                continue

    def _nesting(self, tag: str) -> None:
        if tag in BLOCKS:
            self.faults += [f"<{tag}> inside <{item}>" for item in self.open if item in PHRASES]
        if tag == "form" and "form" in self.open:
            self.faults.append("<form> inside <form>")

    def _attributes(self, tag: str, given: dict[str, str | None]) -> None:
        if tag in ("button", "input") and not given.get("type"):
            self.faults.append(f"<{tag}> without a type: {given}")
        if tag == "time" and "." in (given.get("datetime") or ""):
            self.faults.append(f"a time of microseconds: {given['datetime']}")
        self.faults += [
            f"{name}= on <{tag}>" for name in given if name.startswith(("hx-", "on"))
        ]
        self.ids += [given["id"] or ""] if "id" in given else []
        self.wanted += [given["for"] or ""] if "for" in given and tag == "label" else []


def find_faults(html: str) -> list[str]:
    """Return the faults of a page, or of a fragment that a live page fetches."""
    page = _Page()
    page.feed(html)
    page.close()
    faults = page.faults
    ids = Counter(page.ids)
    faults += [f"the id {item} twice" for item, times in ids.items() if times > 1]
    faults += [f"an id to quote: {item!r}" for item in ids if not re.fullmatch(r"[\w-]+", item)]
    faults += [
        f"a label of {item}, which is not there" for item in page.wanted if item not in ids
    ]
    if html.lstrip().lower().startswith("<!doctype"):
        faults += check_headings(page.headings)
    return faults


def check_headings(levels: list[int]) -> list[str]:
    actual = [] if levels.count(1) == 1 else [f"{levels.count(1)} headings of the first level"]
    steps = zip([0, *levels], levels, strict=False)
    return actual + [
        f"a heading {to} below a heading {one}" for one, to in steps if to > one + 1
    ]
