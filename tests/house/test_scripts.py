"""The scripts use nothing that is newer than the browsers we support (decision 117)."""

import re
from pathlib import Path

import pytest

SCRIPT_FOLDER = Path(__file__).resolve().parents[2] / "static" / "js"
# Each of these is newer than iOS 15.4, Chrome 86 or Firefox 78. In an older browser, the first
# use stops the script, or the browser rejects the whole file.
NEWER_FEATURES = {
    "at": r"\.at\(-?\d",  # Chrome 92, Firefox 90
    "AbortSignal.any": r"AbortSignal\.any\b",
    "AbortSignal.timeout": r"AbortSignal\.timeout\b",  # iOS 16, Chrome 103
    "array copies": r"\.(?:toSorted|toReversed|toSpliced)\(",
    "checkVisibility": r"^(?!.*if \(\w+\.checkVisibility\)).*checkVisibility\(",  # iOS 17.4
    "class fields": r"^\s+(?:static )?#\w+",
    "findLast": r"\.findLast(?:Index)?\(",
    "groupBy": r"\b(?:Object|Map)\.groupBy\b",
    "hasOwn": r"Object\.hasOwn\b",
    "logical assignment": r"(?:\?\?|\|\||&&)=",  # Firefox 79
    "lookbehind": r"\(\?<[=!]",  # iOS 16.4
    "modules": r"^export \* as |\bimport\.meta\b|^await ",
    "new sets": r"\.(?:union|intersection|isSubsetOf)\(",
    "parsing": r"\b(?:URL\.canParse|URL\.parse|setHTML|setHTMLUnsafe)\b",
    "popovers": r"\b(?:showPopover|togglePopover)\b",
    "promises": r"\bPromise\.(?:withResolvers|try)\b",
    "randomUUID": r"\brandomUUID\b",  # only on https
    "structuredClone": r"\bstructuredClone\b",  # Chrome 98
    "view transitions": r"\bstartViewTransition\b",  # iOS 18
}


@pytest.mark.parametrize("pattern", NEWER_FEATURES.values(), ids=NEWER_FEATURES)
def test_no_script_needs_a_newer_browser(pattern: str) -> None:
    newer_feature_lines = [
        f"{path.relative_to(SCRIPT_FOLDER)}:{number}: {line.strip()}"
        for path in sorted(SCRIPT_FOLDER.rglob("*.js"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(pattern, line)
    ]
    assert newer_feature_lines == []


@pytest.mark.parametrize(
    ("feature", "line"),
    [
        ("at", "const last = news.at(-1);"),
        ("checkVisibility", "return element.checkVisibility();"),
        ("AbortSignal.timeout", "signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),"),
        ("logical assignment", "kept.queue ??= [];"),
        ("lookbehind", "/(?<=board )\\d+/"),
    ],
)
def test_newer_feature_pattern_matches_its_example(feature: str, line: str) -> None:
    assert re.search(NEWER_FEATURES[feature], line)
