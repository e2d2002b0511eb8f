"""Short names: surnames only, with line breaks only between partners."""

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
    people = name.split(PARTNER_SEPARATOR)
    return tuple([f"{person} &" for person in people[:-1]] + people[-1:])


def list_names_by_partner(name: str, *, is_person: bool = False) -> list[str]:
    """Return a name once for each of its partners, that partner first and by surname.

    "Ada Pole & Jan Nowak" becomes "Pole, Ada & Jan Nowak" and "Nowak, Jan & Ada Pole". A name
    without partners is a team's and is unchanged, unless it `is_person`. An unknown partner has
    no
    line.
    """
    people = name.split(PARTNER_SEPARATOR)
    if len(people) == 1:
        return [format_surname_first(name) if is_person else name]
    return [
        PARTNER_SEPARATOR.join(
            [format_surname_first(each), *people[:index], *people[index + 1 :]]
        )
        for index, each in enumerate(people)
        if each != format_unknown_partner()
    ]


def shorten_to_surnames(names: Iterable[str]) -> dict[str, str]:
    """Return each name with surnames only: "Pole & Nowak".

    Names that would be equal get the initials of their first names, and so do partners with one
    surname: "B. & C. Smith". A name without partners, as of a team or a player, stays as it is.
    """
    distinct_names = list(dict.fromkeys(names))
    short = {name: _shorten_name(name) for name in distinct_names}
    name_counts = Counter(short.values())
    return {
        name: _format_partners(name, _format_with_initial) if name_counts[text] > 1 else text
        for name, text in short.items()
    }


def get_first_surname(short: str) -> str:
    """Return the first surname of a short name: "Pole", for "B. & C. Smith" "Smith"."""
    first, _mark, other_names = short.partition(PARTNER_SEPARATOR)
    return (
        other_names.partition(" ")[2]
        if other_names and _INITIAL_PATTERN.fullmatch(first)
        else first
    )


def fit_words(parts: Sequence[str], room: int) -> str:
    """Join words with spaces up to `room` letters; the last word may be cut."""
    text = " ".join(parts)
    return text if len(text) <= room else text[: room - 1].rstrip(" &") + ELLIPSIS


def _shorten_name(name: str) -> str:
    people = name.split(PARTNER_SEPARATOR)
    surnames = {get_surname(person) for person in people}
    if len(people) == 1 or len(surnames) > 1 or surnames & set(people):
        return _format_partners(name, get_surname)
    return f"{PARTNER_SEPARATOR.join(map(_format_initial, people))} {surnames.pop()}"


def _format_initial(person: str) -> str:
    """Return the initial of a first name, "A."; "Mrs." stays whole."""
    first = person.split()[0]
    return first if first.endswith(".") else f"{first[0]}."


def _format_partners(name: str, format_name: Callable[[str], str]) -> str:
    people = name.split(PARTNER_SEPARATOR)
    return PARTNER_SEPARATOR.join(map(format_name, people)) if len(people) > 1 else name


def _format_with_initial(person: str) -> str:
    short = get_surname(person)
    return person if short == person else f"{_format_initial(person)} {short}"
