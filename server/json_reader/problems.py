"""The problems of a document, and their paths in it."""

import json
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from django.utils.translation import gettext as _

Item = TypeVar("Item")
MAX_PROBLEMS = 500
MAX_SHOWN_CHARACTERS = 40
UNPRINTABLE_CATEGORIES = {"Cc", "Cs", "Zl", "Zp"}


class UnreadableJson(ValueError):
    """A JSON document was refused; `problems` has a line for each problem."""

    def __init__(self, problems: str | Sequence[str]) -> None:
        problems = [problems] if isinstance(problems, str) else problems
        shown_problems = tuple(problems[:MAX_PROBLEMS])
        if len(problems) > len(shown_problems):
            shown_problems = (
                *shown_problems,
                _("There are more problems. Correct these first."),
            )
        super().__init__("\n".join(shown_problems))
        self.problems = shown_problems


class Problems(list[str]):
    """The problems of one document.

    After MAX_PROBLEMS the error is raised immediately, since reading thousands of problems
    takes seconds.
    """

    def __init__(
        self, error_class: type[UnreadableJson], *, should_ignore_unknown_keys: bool = False
    ) -> None:
        super().__init__()
        self.error_class = error_class
        self.should_ignore_unknown_keys = should_ignore_unknown_keys

    def append(self, problem: str) -> None:
        super().append(problem)
        if len(self) > MAX_PROBLEMS:
            self.raise_if_any()

    def extend(self, problems: Iterable[str]) -> None:
        for problem in problems:
            self.append(problem)

    def __iadd__(self, problems: Iterable[str]) -> Self:  # type: ignore[override, misc]  # `+` is not changed
        self.extend(problems)
        return self

    def raise_if_any(self) -> None:
        """Raise the error if there is a problem."""
        if self:
            raise self.error_class(self)


@dataclass(frozen=True, slots=True)
class JsonPath:
    """A path in a document, and the list to which its problems are added."""

    path: str
    problems: Problems

    def get_key_path(self, key: str) -> "JsonPath":
        """Return the path of a key in this object."""
        if not key.isprintable() or len(key) > MAX_SHOWN_CHARACTERS:
            key = format_value(key)
        separator = ", " if " " in self.path else "."
        return JsonPath(f"{self.path}{separator}{key}" if self.path else key, self.problems)

    def get_item_path(self, index: int) -> "JsonPath":
        """Return the path of the item at an index of this list; the first index is 0."""
        return JsonPath(f"{self.path}[{index}]", self.problems)

    def iter_items(
        self, key: str, list_items: Iterable[Item]
    ) -> Iterator[tuple["JsonPath", Item]]:
        """Yield each item of the list under a key, with its path."""
        return (
            (self.get_key_path(key).get_item_path(index), item)
            for index, item in enumerate(list_items)
        )

    def report(self, message: str, **placeholders: object) -> Any:
        """Add a problem at this path and return None.

        `placeholders` are the values for the placeholders of `message`.
        """
        self.problems.append(format_problem(self.path, message, **placeholders))


def format_problem(path: str, message: str, **placeholders: object) -> str:
    """Return a problem preceded by its path; `placeholders` are filled into `message`."""
    path_text = path or _("the file")
    return f"{path_text}: {message % placeholders if placeholders else message}"


def format_value(value: object) -> str:
    """Return a value in JSON notation, on one line with at most MAX_SHOWN_CHARACTERS."""
    if isinstance(value, str):
        printable_text = "".join(
            character if character.isprintable() else "?"
            for character in value[:MAX_SHOWN_CHARACTERS]
        )
        return f"“{printable_text}{'…' if value[MAX_SHOWN_CHARACTERS:] else ''}”"
    try:
        json_text = json.dumps(value, default=str)
    except (RecursionError, TypeError, ValueError):
        return "…"
    return (
        f"{json_text[:MAX_SHOWN_CHARACTERS]}{'…' if json_text[MAX_SHOWN_CHARACTERS:] else ''}"
    )


def can_be_stored(data: object) -> bool:
    """Return whether the database can store all text in `data`.

    Unpaired surrogates and NUL characters cannot be stored.
    """
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return "\\u0000" not in json.dumps(data)


def can_be_printed(text: str) -> bool:
    """Return whether a text has no control character, line break or unpaired surrogate."""
    return not any(
        unicodedata.category(character) in UNPRINTABLE_CATEGORIES for character in text
    )
