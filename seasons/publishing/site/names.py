"""Names of files that every system takes: lower-case ASCII, short, none that Windows keeps."""

import re
import unicodedata
from collections.abc import Iterable

LONGEST = 60
_OTHER = re.compile(r"[^a-z0-9]+")
RESERVED = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port}{n}" for port in ("com", "lpt") for n in "0123456789"),
}


def file_name(text: str) -> str:
    """Make a name of a text: "Łucja Nowak" is lucja-nowak; one of other letters is "page"."""
    plain = unicodedata.normalize("NFKD", text.lower().replace("ł", "l").replace("ø", "o"))
    ascii_only = plain.encode("ascii", "ignore").decode()
    found = _OTHER.sub("-", ascii_only).strip("-")[:LONGEST].strip("-") or "page"
    return f"{found}-1" if found in RESERVED else found


def file_names(texts: Iterable[str]) -> dict[str, str]:
    """Name each of some texts, no two alike; the same texts are always named the same."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for text in texts:
        name = base = file_name(text)
        again = 1
        while name in taken:
            again += 1
            name = f"{base}-{again}"
        taken.add(name)
        found[text] = name
    return found
