"""Every page that refreshes a part of itself loads the script for it."""

import re
from pathlib import Path

import pytest

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
INCLUDE_TAG = re.compile(r"""{%\s*include\s+["']([^"']+)["']""")
REFRESH_ATTRIBUTE = re.compile(r"data-hx-(get|post)=|{%\s*follow\s")
SCRIPT_TEMPLATE = "components/htmx.html"


def list_included_templates(name: str) -> set[str]:
    """Return a template and all that it includes by name."""
    visited_names: set[str] = set()
    todo = [name]
    while todo:
        item = todo.pop()
        if item not in visited_names:
            visited_names.add(item)
            todo += INCLUDE_TAG.findall((TEMPLATES / item).read_text("utf-8"))
    return visited_names


def list_refreshing_templates() -> list[str]:
    """Return the templates that extend a frame and refresh a part of themselves."""
    names = [str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.html")]
    whole = [n for n in names if "{% extends" in (TEMPLATES / n).read_text("utf-8")]
    return sorted(
        name
        for name in whole
        if any(
            REFRESH_ATTRIBUTE.search((TEMPLATES / n).read_text("utf-8"))
            for n in list_included_templates(name)
        )
    )


def test_refreshing_templates_are_found() -> None:
    assert {"seasons/results_out.html", "server/jobs.html", "scoring/papers.html"} <= {
        *list_refreshing_templates()
    }


@pytest.mark.parametrize("page", list_refreshing_templates())
def test_page_that_fetches_a_fragment_loads_htmx(page: str) -> None:
    assert SCRIPT_TEMPLATE in list_included_templates(page)
