"""Surnames: the start of the surname in a name, and the name for a sorted list."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

PARTICLES = frozenset(
    [
        *(
            "van",
            "von",
            "de",
            "der",
            "den",
            "del",
            "della",
            "di",
            "da",
            "dos",
            "du",
            "la",
            "le",
        ),
        *(
            "ter",
            "ten",
            "te",
            "zu",
            "zur",
            "st",
            "mac",
            "mc",
            "nic",
            "ó",
            "o",
            "ní",
            "ni",
            "uí",
        ),
        *("al", "el", "bin", "ben", "ap", "af", "av"),
    ]
)
"""Words that belong to the surname after them."""
_FIRST_NAMES = frozenset(["al", "ben"])
"""Particles that are first names when they have a capital: "Mr Al Mott"."""
_SUFFIXES = frozenset(["jr", "jnr", "sr", "snr", "ii", "iii", "mbe", "obe"])


def get_surname_words(words: Sequence[str]) -> list[str]:
    """Return the words of a name that are its surname: ["van", "Dyck"], ["Hall", "Jr"].

    The surname is the last word, with the particles before it and a suffix after it. The first
    word of a name is never a particle.
    """
    at = len(words) - 1
    while at > 0 and _is_suffix(words[at]):
        at -= 1
    has_capitals = any(word[0].isupper() for word in words)
    while at > 1 and _is_particle(words[at - 1], has_capitals):
        at -= 1
    return list(words[at:])


def get_surname(name: str) -> str:
    """Return a person's surname: "Ó Briain", "van Dyck".

    A person shown only by initials, or without a name, has none: the name is returned whole.
    """
    words = name.split()
    if not words or name == _("A player"):
        return name
    if words[-1].endswith(".") and not _is_suffix(words[-1]):
        return name
    return " ".join(get_surname_words(words))


def format_surname_first(name: str) -> str:
    """Return a person's name as a list sorted by surname prints it: "Alder, Ann"."""
    words, last = name.split(), get_surname(name)
    first = words[: len(words) - len(last.split())]
    return f"{last}, {' '.join(first)}" if first else name


def _is_suffix(word: str) -> bool:
    """Return whether a word follows a surname: "Jr", or a number for namesakes, "(2)"."""
    return word.rstrip(".").casefold() in _SUFFIXES or word.startswith("(") or word.isdigit()


def _is_particle(word: str, has_capitals: bool) -> bool:
    """Return whether a word belongs to the surname after it.

    A lower-case initial shows this only in a name with capitals elsewhere.
    """
    bare = word.rstrip(".").casefold()
    if word[0].islower():
        return has_capitals or bare in PARTICLES
    return bare in PARTICLES and bare not in _FIRST_NAMES
