"""The recognition of surnames, and the form of names in lists sorted by surname."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

SURNAME_PARTICLES = frozenset(
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
"""The words, in lower case, that belong to the surname after them: "van" in "van Dyck"."""
_PARTICLES_LIKE_FIRST_NAMES = frozenset(["al", "ben"])
"""The particles that, if capitalised, are first names: "Mr Al Mott"."""
_SUFFIXES = frozenset(["jr", "jnr", "sr", "snr", "ii", "iii", "mbe", "obe"])


def get_surname_words(words: Sequence[str]) -> list[str]:
    """Return the words of a name that form the surname: ["van", "Dyck"], ["Hall", "Jr"].

    The surname is the last word, with preceding particles and a following suffix. The first
    word of a name is never a particle.
    """
    surname_start = len(words) - 1
    while surname_start > 0 and _is_suffix(words[surname_start]):
        surname_start -= 1
    has_capitals = any(word[0].isupper() for word in words)
    while surname_start > 1 and _is_surname_particle(words[surname_start - 1], has_capitals):
        surname_start -= 1
    return list(words[surname_start:])


def get_surname(name: str) -> str:
    """Return a person's surname: "Ó Briain", "van Dyck".

    For initials or a placeholder such as "A player", the whole name is returned.
    """
    words = name.split()
    if not words or name == _("A player"):
        return name
    if words[-1].endswith(".") and not _is_suffix(words[-1]):
        return name
    return " ".join(get_surname_words(words))


def format_surname_first(name: str) -> str:
    """Return a person's name in the form for lists sorted by surname: "Alder, Ann"."""
    words, surname = name.split(), get_surname(name)
    first_names = words[: len(words) - len(surname.split())]
    return f"{surname}, {' '.join(first_names)}" if first_names else name


def _is_suffix(word: str) -> bool:
    """Return whether a word follows a surname, such as "Jr", or "(2)" for a namesake."""
    return word.rstrip(".").casefold() in _SUFFIXES or word.startswith("(") or word.isdigit()


def _is_surname_particle(word: str, has_capitals: bool) -> bool:
    """Return whether a word is a particle of the following surname.

    An uncapitalised word counts as a particle only if the name has capitals elsewhere, or if
    it is a known particle.
    """
    plain_word = word.rstrip(".").casefold()
    if word[0].islower():
        return has_capitals or plain_word in SURNAME_PARTICLES
    return plain_word in SURNAME_PARTICLES and plain_word not in _PARTICLES_LIKE_FIRST_NAMES
