"""The search for names that may belong to the same person.

Names are similar if they are equal when folded, differ by one letter, or abbreviate a first
name.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

from clubs.name_folding import fold_name

MIN_LETTERS = 5
"""The minimum length of names that may differ by one letter; Ann and Anna are not similar."""


MAX_NAMES_PER_KEY = 20
"""The maximum number of compared names per index key, which limits the running time."""


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
        self._keys: dict[tuple[str, ...], list[str]] = defaultdict(list)

    def add_name(self, name: str) -> None:
        """Add a name to the index."""
        for key in _iter_index_keys(name):
            if len(self._keys[key]) < MAX_NAMES_PER_KEY:
                self._keys[key].append(name)

    def find_similar(self, name: str) -> list[str]:
        """Return the indexed names, except identical ones, that may belong to the person."""
        keys = [
            _COMPARED_KINDS.get(key[0], key[0:1]) + key[1:] for key in _iter_index_keys(name)
        ]
        candidates = {each for key in keys for each in self._keys.get(key, ())}
        return sorted(
            candidate
            for candidate in candidates
            if candidate != name and _is_similar(candidate, name)
        )


def list_similar_pairs(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return all pairs of names that may belong to the same person."""
    name_index = SimilarNameIndex()
    pairs = []
    for name in names:
        pairs += [(other, name) for other in name_index.find_similar(name)]
        name_index.add_name(name)
    return pairs


_COMPARED_KINDS = {"initial": ("full",), "full": ("initial",)}
"""The kind of index key with which initials and full first names are compared."""


def _iter_index_keys(name: str) -> Iterator[tuple[str, ...]]:
    words = fold_words(name)
    yield ("words", *words)
    full_text = " ".join(words)
    if len(full_text) - len(words) + 1 >= MIN_LETTERS:
        yield "letters", full_text
        for place in range(len(full_text)):
            yield "letters", full_text[:place] + full_text[place + 1 :]
    plain = fold_name(name).replace(".", " ").split()
    if len(plain) > 1:
        yield "full" if len(plain[0]) > 1 else "initial", plain[0][:1], plain[-1]


def _is_similar(one: str, other: str) -> bool:
    first, second_words = fold_words(one), fold_words(other)
    if first == second_words:
        return True
    a, b = " ".join(first), " ".join(second_words)
    if min(
        len(a) - len(first), len(b) - len(second_words)
    ) + 1 >= MIN_LETTERS and _is_one_letter_apart(a, b):
        return True
    return _is_initial_match(one, other) or _is_initial_match(other, one)


def _is_initial_match(one: str, other: str) -> bool:
    """Return whether the names differ only by an initial for a first name: A. Lee, Ann Lee."""
    short = fold_name(one).replace(".", " ").split()
    other_words = fold_name(other).replace(".", " ").split()
    if len(short) < 2 or len(other_words) < 2 or short[-1] != other_words[-1]:
        return False
    return (
        len(short[0]) == 1 and len(other_words[0]) > 1 and other_words[0].startswith(short[0])
    )


def _is_one_letter_apart(one: str, other: str) -> bool:
    """Return whether adding, removing or replacing at most one letter makes the names equal."""
    if abs(len(one) - len(other)) > 1 or one == other:
        return one == other
    place = next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    ends = one[place + 1 :], other[place + 1 :]
    return ends[0] == ends[1] or one[place:] == ends[1] or ends[0] == other[place:]
