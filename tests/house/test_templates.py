"""Pages and their files: nothing inline, nothing from another host, components closed."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted(
    path
    for app in (".", "boards", "tournaments", "scoring", "config")
    for path in (ROOT / app / "templates").rglob("*.html")
)
STATIC = sorted(
    path
    for path in (ROOT / "config" / "static").rglob("*")
    if path.suffix in {".css", ".js", ".svg"}
)
# What a content security policy without inline script or style refuses.
INLINE = {
    "an inline style": r"<[^>]*\sstyle\s*=|<style\b",
    "an inline handler": r"<[^>]*\s(?:on[a-z]+|hx-on[\w:-]*)\s*=",
    "a script in the page": r"<script\b(?![^>]*\bsrc\s*=)(?![^>]*type=\"application/json\")",
    "a script in an address": r"javascript:",
    "an expression for htmx": r"hx-(?:vals|headers|vars)\s*=\s*[\"']js",
}
ELSEWHERE = re.compile(
    r"""(?:src|href|action|srcset|hx-(?:get|post|put|delete|patch))\s*=\s*["'](?:https?:)?//"""
    r"""|url\(\s*["']?(?:https?:)?//|@import|(?:fetch|import)\(\s*["'](?:https?:)?//""",
    re.IGNORECASE,
)
# A link that a person may follow; the page itself loads nothing from there.
LINK = re.compile(r"<a\s[^>]*>", re.IGNORECASE)


def _id(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("kind", INLINE)
@pytest.mark.parametrize("page", TEMPLATES, ids=_id)
def test_a_page_has_nothing_inline(page: Path, kind: str) -> None:
    assert re.findall(INLINE[kind], page.read_text(encoding="utf-8"), re.IGNORECASE) == []


@pytest.mark.parametrize("file", [*TEMPLATES, *STATIC], ids=_id)
def test_nothing_is_loaded_from_another_host(file: Path) -> None:
    assert ELSEWHERE.findall(LINK.sub("", file.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("page", TEMPLATES, ids=_id)
def test_a_component_sees_only_what_it_is_given(page: Path) -> None:
    includes = re.findall(
        r"{%\s*include\s+\"components/[^%]*%}", page.read_text(encoding="utf-8")
    )
    assert [tag for tag in includes if not re.search(r"\bonly\s*%}", tag)] == []


@pytest.mark.parametrize("page", TEMPLATES, ids=_id)
def test_nothing_but_a_help_text_is_marked_safe_by_hand(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.findall(r"(?<!help_text)\|\s*safe\b|{%\s*autoescape\s+off", text) == []
