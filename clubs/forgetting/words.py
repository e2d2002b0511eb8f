"""What a text says once a person's names are taken out of it."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

PARTS = re.compile(r"( & |, |; | / |\n)")
"""Between names that stand side by side in one text."""


class Rewriting:
    """Names and addresses that go, each with what stands in its place.

    A name of two words or more goes wherever it stands, capitals or not, but for longer names
    of `others` that hold it ("Mary Ann Lee"). A name of one word goes where nothing else stands
    beside it: "Rose" does not rename the Rose Cup.
    """

    def __init__(self, gone: Mapping[str, str], others: Iterable[str] = ()) -> None:
        self._new = {_folded(old): new for old, new in gone.items() if old.strip()}
        whole = [old for old in self._new if " " in old or "@" in old or _is_number(old)]
        kept = {_folded(each) for each in others} - self._new.keys()
        self._kept = {k for k in kept if any(old in k for old in whole)}
        words = sorted({*whole, *self._kept}, key=len, reverse=True)
        found = "|".join(r"\s+".join(map(re.escape, each.split(" "))) for each in words)
        self._within = re.compile(rf"(?<!\w)({found})(?!\w)", re.IGNORECASE) if words else None

    @property
    def sought(self) -> tuple[str, ...]:
        """What a text has in it that may have to change, in plain small letters."""
        return tuple(self._new)

    def text(self, written: str) -> str:
        """Write a text anew."""
        parts = PARTS.split(written)
        if any(_folded(part) in self._new for part in parts):
            written = "".join(self._new.get(_folded(part), part) for part in parts)
        return self._within.sub(self._instead, written) if self._within else written

    def data(self, kept: Any) -> Any:
        """Write every text inside JSON anew, names that are keys too."""
        if isinstance(kept, str):
            return self.text(kept)
        if isinstance(kept, list):
            return [self.data(each) for each in kept]
        if isinstance(kept, dict):
            return {self.text(key): self.data(each) for key, each in kept.items()}
        return kept

    def _instead(self, found: re.Match[str]) -> str:
        return self._new.get(_folded(found[0]), found[0])


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _is_number(text: str) -> bool:
    """Whether it is the number of a telephone, long enough to be told from any other."""
    return sum(letter.isdigit() for letter in text) > 5
