"""The text of a page, without the details that tests ignore."""

import re

NOWRAP_PATTERN = re.compile(r'<span class="nowrap">(.*?)</span>', re.DOTALL)


def collapse_spaces(page: str) -> str:
    """Return a page with single spaces, and none next to a tag."""
    text = re.sub(r"\s+", " ", page)
    return re.sub(r" ?(<[^>]*?) ?(/?>) ?", r"\1\2", text)


def unwrap_nowrap_spans(page: str) -> str:
    """Return a page without the spans that keep "N-S 8" or "7–9" on one line."""
    return NOWRAP_PATTERN.sub(r"\1", page)


def remove_marked_text(text: str) -> str:
    """Return the text outside all « » marks: words that were not translated."""
    depth, unmarked_characters = 0, []
    for sign in text:
        if sign == "»":
            depth -= 1
        elif sign == "«":
            depth += 1
        elif not depth:
            unmarked_characters.append(sign)
    assert depth == 0, text
    return "".join(unmarked_characters).strip()
