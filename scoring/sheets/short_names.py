"""Names where there is little room: surnames, and partners that a line may part."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

BETWEEN = " & "
CUT = "…"


def partners(name: str) -> tuple[str, ...]:
    """Part a name between its partners: "Ada Pole &", "Łucja Nowak"."""
    people = name.split(BETWEEN)
    return tuple([f"{person} &" for person in people[:-1]] + people[-1:])


def surnames(names: Iterable[str]) -> dict[str, str]:
    """Write each name with surnames alone: "Pole & Nowak".

    Where two would read alike they keep the letters that their first names begin with. A name
    without partners, as of a team or a player, stays as it is.
    """
    known = list(dict.fromkeys(names))
    short = {name: _joined(name, _last) for name in known}
    often = Counter(short.values())
    return {
        name: _joined(name, _with_letter) if often[text] > 1 else text
        for name, text in short.items()
    }


def fitted(parts: Sequence[str], room: int) -> str:
    """Join words with spaces as far as they fit into so many letters; the last may be cut."""
    text = " ".join(parts)
    return text if len(text) <= room else text[: room - 1].rstrip(" &") + CUT


def _joined(name: str, write: Callable[[str], str]) -> str:
    people = name.split(BETWEEN)
    return BETWEEN.join(map(write, people)) if len(people) > 1 else name


def _last(person: str) -> str:
    words = person.split()
    return words[-1] if words else person


def _with_letter(person: str) -> str:
    words = person.split()
    return f"{words[0][0]}. {words[-1]}" if len(words) > 1 else person
