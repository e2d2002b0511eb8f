"""The search for names that may belong to the same person.

Names are similar if they are equal when folded, differ by one letter, or abbreviate a first
name.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice

from clubs.name_folding import fold_name

MIN_SIMILAR_NAME_LENGTH = 5
"""The minimum length of names that may differ by one letter; Ann and Anna are not similar."""


MAX_NAMES_PER_KEY = 20
"""The maximum number of compared names per index key, which limits the running time."""

MAX_SIMILAR_NAMES = 10
"""The maximum number of similar names that are returned for a name."""


@lru_cache(maxsize=20_000)
def fold_words(name: str) -> tuple[str, ...]:
    """Return the words of a name, sorted and without case, accents and punctuation."""
    letters = "".join(
        character if character.isalnum() else " " for character in fold_name(name)
    )
    return tuple(sorted(letters.split()))


class SimilarNameIndex:
    """An index that finds similar names without comparing each name with every other."""

    def __init__(self) -> None:
        self._names_by_index_key: dict[tuple[str, ...], list[str]] = defaultdict(list)

    def add_name(self, name: str) -> None:
        """Add a name to the index."""
        for index_key in _iter_index_keys(name):
            if len(self._names_by_index_key[index_key]) < MAX_NAMES_PER_KEY:
                self._names_by_index_key[index_key].append(name)

    def find_similar_names(self, name: str) -> list[str]:
        """Return indexed names that differ from `name` but may mean the same person.

        At most `MAX_SIMILAR_NAMES` names are returned, in alphabetical order.
        """
        compared_keys = [
            _COMPARED_KEY_KINDS.get(index_key[0], index_key[0:1]) + index_key[1:]
            for index_key in _iter_index_keys(name)
        ]
        candidates = {
            candidate
            for index_key in compared_keys
            for candidate in self._names_by_index_key.get(index_key, ())
        }
        similar_names = (
            candidate
            for candidate in sorted(candidates)
            if candidate != name and _is_similar(candidate, name)
        )
        return list(islice(similar_names, MAX_SIMILAR_NAMES))


def list_similar_name_pairs(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return all pairs of names that may belong to the same person."""
    name_index = SimilarNameIndex()
    name_pairs = []
    for name in names:
        name_pairs += [
            (similar_name, name) for similar_name in name_index.find_similar_names(name)
        ]
        name_index.add_name(name)
    return name_pairs


_COMPARED_KEY_KINDS = {"initial": ("full",), "full": ("initial",)}
"""The kinds of index keys that are compared with keys of another kind, and that other kind.

An initial is compared with full first names, and a full first name with initials.
"""


def _iter_index_keys(name: str) -> Iterator[tuple[str, ...]]:
    """Yield the index keys of a name; similar names have at least one key in common."""
    name_words = fold_words(name)
    yield ("words", *name_words)
    full_text = " ".join(name_words)
    if len(full_text) - len(name_words) + 1 >= MIN_SIMILAR_NAME_LENGTH:
        yield "letters", full_text
        for index in range(len(full_text)):
            yield "letters", full_text[:index] + full_text[index + 1 :]
    folded_words = fold_name(name).replace(".", " ").split()
    if len(folded_words) > 1:
        yield (
            "full" if len(folded_words[0]) > 1 else "initial",
            folded_words[0][:1],
            folded_words[-1],
        )


def _is_similar(name: str, other_name: str) -> bool:
    name_words, other_words = fold_words(name), fold_words(other_name)
    if name_words == other_words:
        return True
    text, other_text = " ".join(name_words), " ".join(other_words)
    if abs(len(text) - len(other_text)) <= 1 and _is_one_letter_apart(text, other_text):
        shorter_length = min(len(text) - len(name_words), len(other_text) - len(other_words))
        if shorter_length + 1 >= MIN_SIMILAR_NAME_LENGTH:
            return True
    return _is_initial_match(name, other_name) or _is_initial_match(other_name, name)


def _is_initial_match(name: str, other_name: str) -> bool:
    """Return whether the names differ only by an initial for a first name: A. Lee, Ann Lee."""
    name_words = fold_name(name).replace(".", " ").split()
    other_words = fold_name(other_name).replace(".", " ").split()
    if len(name_words) < 2 or len(other_words) < 2 or name_words[-1] != other_words[-1]:
        return False
    return (
        len(name_words[0]) == 1
        and len(other_words[0]) > 1
        and other_words[0].startswith(name_words[0])
    )


def _is_one_letter_apart(text: str, other_text: str) -> bool:
    """Return whether adding, removing or replacing at most one letter makes the names equal."""
    if abs(len(text) - len(other_text)) > 1 or text == other_text:
        return text == other_text
    index = next(
        (
            position
            for position, (letter, other_letter) in enumerate(
                zip(text, other_text, strict=False)
            )
            if letter != other_letter
        ),
        min(len(text), len(other_text)),
    )
    remainders = text[index + 1 :], other_text[index + 1 :]
    return (
        remainders[0] == remainders[1]
        or text[index:] == remainders[1]
        or remainders[0] == other_text[index:]
    )
