"""The file of plays that grades are made from, `whist-grades/1`, and what comes of it."""

from collections.abc import Mapping
from datetime import date as Date
from math import sqrt
from typing import Any

from django.utils.translation import gettext as _

from seasons.grades import Club, Constants, GradedEvening, Play, grade_evening
from seasons.grades.evenings import Unit, unit
from seasons.groups import (
    Faults,
    Group,
    UnusableFile,
    can_be_printed,
    decoded,
    shown,
    twice,
)
from seasons.ladders.rule import exact

FORMAT = "whist-grades/1"
MOST_TRICKS = 13


def read_grades(
    document: bytes | str | Mapping[str, Any],
) -> tuple[Constants, list[GradedEvening]]:
    """Read a file of plays; raises UnusableFile with every fault by its path."""
    data = document if isinstance(document, Mapping) else decoded(document)
    faults = Faults()
    top = Group(data, "", faults)
    written = top.text("format", longest=40)
    if written and written != FORMAT:
        words = _("this is %(written)s; this program reads %(format)s.")
        raise UnusableFile([f"format: {words % {'written': shown(written), 'format': FORMAT}}"])
    constants = _constants(top)
    found = [_evening(each) for each in top.groups("evenings")]
    twice(faults, ((f"evenings[{n}].event", each.key) for n, each in enumerate(found)))
    top.end()
    faults.refuse()
    return constants, sorted(found, key=lambda each: (each.day, each.key))


def grades_data(
    constants: Constants, evenings: list[GradedEvening], *, each: bool
) -> dict[str, Any]:
    """Grade evenings in their order: everybody known after each of them, or after the last."""
    club, found = Club(constants), []
    for place, evening in enumerate(evenings):
        grade_evening(club, evening)
        if each or place == len(evenings) - 1:
            found.append(
                {"event": evening.key, "sigma2": club.noise, "players": _players(club)}
            )
    return {"evenings": found}


def _players(club: Club) -> dict[str, dict[str, Any]]:
    places = {person: place for place, person in enumerate(club.people)}
    found = {}
    for person in sorted(club.column):
        if person in places:
            place = places[person]
            mean, variance = club.mean[place], club.covariance[place][place]
        else:
            mean, variance = club.away[person]
        found[person] = {
            "mean": mean,
            "sd": sqrt(max(variance, 0.0)),
            "boards": club.boards(person),
            "ngs": club.column[person],
        }
    return found


def _constants(top: Group) -> Constants:
    if not top.has("constants"):
        return Constants()
    group = top.group("constants")
    usual = Constants()
    found = {}
    for key in ("s0", "tau", "q"):
        number = group.number(key, required=False)
        value = getattr(usual, key) if number is None else float(number)
        if not 0 <= value <= MOST_TRICKS or (key == "s0" and value == 0):
            words = _("Write a number of tricks from 0 to %(most)s; s0 is more than 0.")
            group.fault(key, words % {"most": MOST_TRICKS})
        found[key] = value
    group.end()
    return Constants(**found)


def _evening(group: Group) -> GradedEvening:
    key, day = group.text("event", longest=200), group.day("date")
    plays = group.listed("plays", lambda each, path: _play(each, path, group.faults))
    group.end()
    return GradedEvening(
        key, (day or Date.min).toordinal(), tuple(play for play in plays if play)
    )


def _play(value: object, path: str, faults: Faults) -> Play | None:
    if not isinstance(value, list) or len(value) != 4:
        faults.add(path, _("A play is [board, [two names], [two names], tricks of N-S]."))
        return None
    board, ns, ew, tricks = value
    if isinstance(board, bool) or not isinstance(board, int | str):
        faults.add(f"{path}[0]", _("%(shown)s is not a board.") % {"shown": shown(board)})
        return None
    sides = [_side(side, f"{path}[{n}]", faults) for n, side in ((1, ns), (2, ew))]
    made = exact(tricks)
    if made is None or not 0 <= made <= MOST_TRICKS:
        words = _("%(shown)s is not a number of tricks from 0 to 13.")
        faults.add(f"{path}[3]", words % {"shown": shown(tricks)})
        return None
    north, east = sides
    if north is None or east is None:
        return None
    if set(north) & set(east):
        faults.add(path, _("Somebody sits on both sides here."))
        return None
    return Play(str(board), north, east, float(made))


def _side(value: object, path: str, faults: Faults) -> Unit | None:
    names = value if isinstance(value, list) else []
    if len(names) != 2 or not all(isinstance(each, str) and each.strip() for each in names):
        faults.add(path, _("Two names in a list belong here."))
        return None
    for name in names:
        if not can_be_printed(name):
            words = _("%(shown)s has a character in it that cannot be printed.")
            faults.add(path, words % {"shown": shown(name)})
            return None
    if names[0] == names[1]:
        faults.add(path, _("Two different people sit together."))
        return None
    return unit(names)
