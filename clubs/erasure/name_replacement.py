"""The replacement of a person's names in texts and JSON data."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

SEPARATOR_PATTERN = re.compile(r"( & |, |; | / |\n)")
"""The separators between several names in one text."""


class NameReplacer:
    """A replacer of names and addresses; `replacements` maps each of them to its replacement.

    A name of several words is replaced everywhere, ignoring case, except inside the longer
    names of `other_names` ("Mary Ann Lee"). A name of one word is replaced only if it is a
    whole text or list item. For example, erasing "Rose" does not change "Rose Cup".
    """

    def __init__(
        self, replacements: Mapping[str, str], other_names: Iterable[str] = ()
    ) -> None:
        self._replacements = {
            _fold_case(old_name): new_name
            for old_name, new_name in replacements.items()
            if old_name.strip()
        }
        full_names = [
            old_name
            for old_name in self._replacements
            if " " in old_name or "@" in old_name or _is_telephone_number(old_name)
        ]
        protected_names = {
            _fold_case(other_name) for other_name in other_names
        } - self._replacements.keys()
        self._kept_names = {
            kept_name
            for kept_name in protected_names
            if any(old_name in kept_name for old_name in full_names)
        }
        alternatives = sorted({*full_names, *self._kept_names}, key=len, reverse=True)
        pattern = "|".join(
            r"\s+".join(map(re.escape, alternative.split(" "))) for alternative in alternatives
        )
        self._pattern = (
            re.compile(rf"(?<!\w)({pattern})(?!\w)", re.IGNORECASE) if alternatives else None
        )

    @property
    def search_terms(self) -> tuple[str, ...]:
        """The search terms, in lower case, that find every text that may need a replacement."""
        return tuple(self._replacements)

    def replace_in_text(self, text: str) -> str:
        """Return the text with all names and addresses replaced."""
        parts = SEPARATOR_PATTERN.split(text)
        if any(_fold_case(part) in self._replacements for part in parts):
            text = "".join(self._replacements.get(_fold_case(part), part) for part in parts)
        return self._pattern.sub(self._get_replacement, text) if self._pattern else text

    def replace_in_data(self, data: Any) -> Any:
        """Return JSON data with the names replaced in all strings, including keys."""
        if isinstance(data, str):
            return self.replace_in_text(data)
        if isinstance(data, list):
            return [self.replace_in_data(item) for item in data]
        if isinstance(data, dict):
            return {
                self.replace_in_text(key): self.replace_in_data(value)
                for key, value in data.items()
            }
        return data

    def _get_replacement(self, match: re.Match[str]) -> str:
        return self._replacements.get(_fold_case(match[0]), match[0])


def _fold_case(text: str) -> str:
    return " ".join(text.split()).casefold()


def _is_telephone_number(text: str) -> bool:
    """Return whether a text has enough digits to be one person's telephone number."""
    return sum(letter.isdigit() for letter in text) > 5
