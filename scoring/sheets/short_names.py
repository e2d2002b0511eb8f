"""Functions that shorten the names of entries to surnames, and split them into partners."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from clubs.names.surnames import format_surname_first, get_surname
from clubs.names.unknown import format_unknown_partner

PARTNER_SEPARATOR = " & "
ELLIPSIS = "…"
_INITIAL_PATTERN = re.compile(r"\w+\.")


def split_partners(name: str) -> tuple[str, ...]:
    """Split a name into its partners: "Ada Pole &", "Łucja Nowak"."""
    partner_names = name.split(PARTNER_SEPARATOR)
    return tuple(
        [f"{partner_name} &" for partner_name in partner_names[:-1]] + partner_names[-1:]
    )


def list_names_by_partner(name: str, *, is_single_person: bool = False) -> list[str]:
    """Return a name once for each partner, with that partner first, by surname.

    "Ada Pole & Jan Nowak" becomes "Pole, Ada & Jan Nowak" and "Nowak, Jan & Ada Pole". A name
    without partners is the name of a team and is unchanged, unless `is_single_person` is true.
    No name begins with an unknown partner.
    """
    partner_names = name.split(PARTNER_SEPARATOR)
    if len(partner_names) == 1:
        return [format_surname_first(name) if is_single_person else name]
    return [
        PARTNER_SEPARATOR.join(
            [
                format_surname_first(partner_name),
                *partner_names[:index],
                *partner_names[index + 1 :],
            ]
        )
        for index, partner_name in enumerate(partner_names)
        if partner_name != format_unknown_partner()
    ]


def shorten_to_surnames(names: Iterable[str]) -> dict[str, str]:
    """Return each name with surnames only: "Pole & Nowak".

    Equal short names get initials, and so do partners with the same surname: "B. & C. Smith". A
    name without partners, such as the name of a team or a player, is unchanged.
    """
    distinct_names = list(dict.fromkeys(names))
    short_names = {name: _shorten_name(name) for name in distinct_names}
    short_name_counts = Counter(short_names.values())
    return {
        name: _format_partners(name, _format_name_with_initial)
        if short_name_counts[short_name] > 1
        else short_name
        for name, short_name in short_names.items()
    }


def get_first_surname(short_name: str) -> str:
    """Return the first surname of a short name: "Smith" for "B. & C. Smith"."""
    first_surname, _separator, other_names = short_name.partition(PARTNER_SEPARATOR)
    return (
        other_names.partition(" ")[2]
        if other_names and _INITIAL_PATTERN.fullmatch(first_surname)
        else first_surname
    )


def join_words_to_length(words: Sequence[str], max_chars: int) -> str:
    """Join words with spaces, and cut the text at `max_chars` characters."""
    joined_words = " ".join(words)
    return (
        joined_words
        if len(joined_words) <= max_chars
        else joined_words[: max_chars - 1].rstrip(" &") + ELLIPSIS
    )


def _shorten_name(name: str) -> str:
    partner_names = name.split(PARTNER_SEPARATOR)
    surnames = {get_surname(partner_name) for partner_name in partner_names}
    if len(partner_names) == 1 or len(surnames) > 1 or surnames & set(partner_names):
        return _format_partners(name, get_surname)
    return f"{PARTNER_SEPARATOR.join(map(_format_initial, partner_names))} {surnames.pop()}"


def _format_initial(person_name: str) -> str:
    """Return the initial of a first name, "A."; "Mrs." stays whole."""
    first_name = person_name.split()[0]
    return first_name if first_name.endswith(".") else f"{first_name[0]}."


def _format_partners(name: str, format_name: Callable[[str], str]) -> str:
    partner_names = name.split(PARTNER_SEPARATOR)
    return (
        PARTNER_SEPARATOR.join(map(format_name, partner_names))
        if len(partner_names) > 1
        else name
    )


def _format_name_with_initial(person_name: str) -> str:
    surname = get_surname(person_name)
    return (
        person_name if surname == person_name else f"{_format_initial(person_name)} {surname}"
    )
