"""What a page says, without the marks that keep a side or a range on one line."""

import re

_WHOLE = re.compile(r'<span class="nowrap">(.*?)</span>', re.DOTALL)


def unbound(page: str) -> str:
    """Return a page as if nothing in it were kept on one line: "N-S 8", "7–9"."""
    return _WHOLE.sub(r"\1", page)
