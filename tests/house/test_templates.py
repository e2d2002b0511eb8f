"""Templates: nothing inline, nothing from another host, no line too long."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*.html"))
STATIC_FILES = sorted(
    path for path in (ROOT / "static").rglob("*") if path.suffix in {".css", ".js", ".svg"}
)
MAX_LINE_LENGTH = 160
# Code that a content security policy without inline scripts and styles refuses.
INLINE_CODE_PATTERNS = {
    "an inline style": r"<[^>]*\sstyle\s*=|<style\b",
    "an inline handler": r"<[^>]*\s(?:on[a-z]+|hx-on[\w:-]*)\s*=",
    "a script in the page": r"<script\b(?![^>]*\bsrc\s*=)(?![^>]*type=\"application/json\")",
    "a script in an address": r"javascript:",
    "an expression for htmx": r"hx-(?:vals|headers|vars)\s*=\s*[\"']js",
}
EXTERNAL_URL = re.compile(
    r"""(?:src|href|action|srcset|hx-(?:get|post|put|delete|patch))\s*=\s*["'](?:https?:)?//"""
    r"""|(?:url\(|@import)\s*["']?(?:https?:)?//|(?:fetch|import)\(\s*["'](?:https?:)?//""",
    re.IGNORECASE,
)
# A link that a user may follow; the page itself loads nothing from there.
LINK_TAG = re.compile(r"<a\s[^>]*>", re.IGNORECASE)


def format_test_id(path: Path) -> str:
    return str(path.relative_to(ROOT))


def find_breaches(
    find_offending_texts: Callable[[str], list[str]], files: Sequence[Path] = TEMPLATES
) -> dict[str, list[str]]:
    """Return the files that break a rule, each with the offending text."""
    breaches_by_file = {
        format_test_id(file): find_offending_texts(file.read_text(encoding="utf-8"))
        for file in files
    }
    return {file: breaches for file, breaches in breaches_by_file.items() if breaches}


@pytest.mark.parametrize("inline_code_kind", INLINE_CODE_PATTERNS)
def test_page_has_no_inline_scripts_or_styles(inline_code_kind: str) -> None:
    assert (
        find_breaches(
            lambda text: re.findall(INLINE_CODE_PATTERNS[inline_code_kind], text, re.IGNORECASE)
        )
        == {}
    )


def test_no_page_loads_from_another_host() -> None:
    breaches = find_breaches(
        lambda text: EXTERNAL_URL.findall(LINK_TAG.sub("", text)), [*TEMPLATES, *STATIC_FILES]
    )
    assert breaches == {}


def test_component_sees_only_its_arguments() -> None:
    def list_open_includes(text: str) -> list[str]:
        includes = re.findall(r"{%\s*include\s+\"components/[^%]*%}", text)
        return [tag for tag in includes if not re.search(r"\bonly\s*%}", tag)]

    assert find_breaches(list_open_includes) == {}


def test_only_help_texts_are_marked_safe_manually() -> None:
    by_hand = r"(?<!help_text)\|\s*safe\b|{%\s*autoescape\s+off"
    assert find_breaches(lambda text: re.findall(by_hand, text)) == {}


def test_no_template_line_exceeds_the_limit() -> None:
    def list_long_lines(text: str) -> list[str]:
        return [
            f"line {number}: {len(line)} characters"
            for number, line in enumerate(text.splitlines(), start=1)
            if len(line) > MAX_LINE_LENGTH
        ]

    assert TEMPLATES
    assert find_breaches(list_long_lines) == {}


def test_no_template_tag_spans_lines() -> None:
    """Django shows such a tag as text."""
    assert find_breaches(lambda text: re.findall(r"{{[^}\n]*\n|{%[^%\n]*\n", text)) == {}
