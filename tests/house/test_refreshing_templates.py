"""Every page that refreshes a part of itself loads the script for it."""

import re
from pathlib import Path

import pytest

TEMPLATE_FOLDER = Path(__file__).resolve().parents[2] / "templates"
INCLUDE_TAG = re.compile(r"""{%\s*include\s+["']([^"']+)["']""")
REFRESH_ATTRIBUTE = re.compile(r"data-hx-(get|post)=|{%\s*follow\s")
SCRIPT_TEMPLATE = "components/htmx.html"


def list_included_templates(name: str) -> set[str]:
    """Return a template and all that it includes by name."""
    visited_names: set[str] = set()
    pending_names = [name]
    while pending_names:
        template_name = pending_names.pop()
        if template_name not in visited_names:
            visited_names.add(template_name)
            pending_names += INCLUDE_TAG.findall(
                (TEMPLATE_FOLDER / template_name).read_text("utf-8")
            )
    return visited_names


def list_refreshing_templates() -> list[str]:
    """Return the templates that extend a frame and refresh a part of themselves."""
    names = [str(path.relative_to(TEMPLATE_FOLDER)) for path in TEMPLATE_FOLDER.rglob("*.html")]
    whole = [n for n in names if "{% extends" in (TEMPLATE_FOLDER / n).read_text("utf-8")]
    return sorted(
        name
        for name in whole
        if any(
            REFRESH_ATTRIBUTE.search((TEMPLATE_FOLDER / n).read_text("utf-8"))
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
