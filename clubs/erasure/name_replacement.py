"""The replacement of a person's names in texts and JSON data."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

NAME_SEPARATOR_PATTERN = re.compile(r"( & |, |; | / |\n)")
"""The separators between several names in one text."""


class NameReplacer:
    """A replacer of names and addresses: `new_names_by_old_name` contains the replacements.

    A name of several words is replaced everywhere, ignoring case, except inside the longer
    names of `unchanged_names` ("Mary Ann Lee"). A name of one word is replaced only if it is a
    whole text or list item. For example, erasing "Rose" does not change "Rose Cup".
    """

    def __init__(
        self, new_names_by_old_name: Mapping[str, str], unchanged_names: Iterable[str] = ()
    ) -> None:
        self._new_names_by_old_name = {
            _fold_case(old_name): new_name
            for old_name, new_name in new_names_by_old_name.items()
            if old_name.strip()
        }
        full_names = [
            old_name
            for old_name in self._new_names_by_old_name
            if " " in old_name or "@" in old_name or _is_telephone_number(old_name)
        ]
        protected_names = {
            _fold_case(other_name) for other_name in unchanged_names
        } - self._new_names_by_old_name.keys()
        self._kept_names = {
            protected_name
            for protected_name in protected_names
            if any(old_name in protected_name for old_name in full_names)
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
        return tuple(self._new_names_by_old_name)

    def replace_in_text(self, text: str) -> str:
        """Return the text with all names and addresses replaced."""
        name_parts = NAME_SEPARATOR_PATTERN.split(text)
        if any(_fold_case(part) in self._new_names_by_old_name for part in name_parts):
            text = "".join(
                self._new_names_by_old_name.get(_fold_case(part), part) for part in name_parts
            )
        return self._pattern.sub(self._get_replacement, text) if self._pattern else text

    def replace_in_data(self, json_data: Any) -> Any:
        """Return JSON data with the names replaced in all strings, including keys."""
        if isinstance(json_data, str):
            return self.replace_in_text(json_data)
        if isinstance(json_data, list):
            return [self.replace_in_data(item) for item in json_data]
        if isinstance(json_data, dict):
            return {
                self.replace_in_text(key): self.replace_in_data(value)
                for key, value in json_data.items()
            }
        return json_data

    def _get_replacement(self, match: re.Match[str]) -> str:
        return self._new_names_by_old_name.get(_fold_case(match[0]), match[0])


def _fold_case(text: str) -> str:
    return " ".join(text.split()).casefold()


def _is_telephone_number(text: str) -> bool:
    """Return whether a text has enough digits to be one person's telephone number."""
    return sum(character.isdigit() for character in text) > 5
