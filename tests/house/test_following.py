"""Every page that refreshes a part of itself loads the script for it."""

import re
from pathlib import Path

import pytest

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
INCLUDED = re.compile(r"""{%\s*include\s+["']([^"']+)["']""")
FETCHES = re.compile(r"data-hx-(get|post)=|{%\s*follow\s")
SCRIPT = "components/htmx.html"


def closure(name: str) -> set[str]:
    """Return a template and all that it includes by name."""
    seen: set[str] = set()
    todo = [name]
    while todo:
        each = todo.pop()
        if each not in seen:
            seen.add(each)
            todo += INCLUDED.findall((TEMPLATES / each).read_text("utf-8"))
    return seen


def pages() -> list[str]:
    """Return the templates that extend a frame and refresh a part of themselves."""
    names = [str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.html")]
    whole = [n for n in names if "{% extends" in (TEMPLATES / n).read_text("utf-8")]
    return sorted(
        name
        for name in whole
        if any(FETCHES.search((TEMPLATES / n).read_text("utf-8")) for n in closure(name))
    )


def test_the_pages_are_found() -> None:
    assert {"seasons/results_out.html", "server/jobs.html", "scoring/papers.html"} <= {*pages()}


@pytest.mark.parametrize("page", pages())
def test_a_page_that_fetches_a_part_of_itself_loads_htmx(page: str) -> None:
    assert SCRIPT in closure(page)
