"""Pages as they are read: where their source breaks its lines makes no difference."""

import re


def folded(page: str) -> str:
    """Return a page with no white space beside a tag, and one blank for any other run of it."""
    inside = re.sub(r"\s+", " ", page)
    return re.sub(r" ?(<[^>]*?) ?(/?>) ?", r"\1\2", inside)
