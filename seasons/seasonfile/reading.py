"""Read a file of a season; whatever is wrong with it is named by its path, all at once."""

from collections.abc import Mapping
from datetime import date as Date
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from clubs.names.tidy import name_key
from seasons.groups import Faults, Group, UnusableFile, decoded, shown, twice
from seasons.ladders import evenings, rule_of
from seasons.ladders.handicaps import TERMS, HandicapTerms, terms_of
from seasons.ladders.rule import KEYS, exact
from seasons.seasonfile.values import (
    FORMAT,
    FiledEntry,
    FiledEvening,
    FiledHandicap,
    FiledLadder,
    FiledPerson,
    SeasonFile,
)

MOST_BOARDS = 1000
MOST_PLACE = 100_000
LONGEST_NAME = 80
LONGEST_TITLE = 100


def read_season(document: bytes | str | Mapping[str, Any]) -> SeasonFile:
    """Read a file of a season; raises UnusableFile with every fault of it."""
    data = document if isinstance(document, Mapping) else decoded(document)
    faults = Faults()
    top = Group(data, "", faults)
    _refuse_other_formats(top)
    club = top.group("club")
    club_name = club.text("name", longest=LONGEST_TITLE)
    club.end()
    people = _people(top)
    known = {each.id for each in people}
    season = top.group("season")
    slug, name = season.slug("slug"), season.text("name", longest=LONGEST_TITLE)
    first, last = season.day("from"), season.day("to")
    handicap = _handicap(season, known)
    season.end()
    if first and last and last < first:
        season.fault("to", _("The last day is before the first one."))
        first = last = None
    figure = _figure(handicap)
    ladders = [_ladder(each, known, figure) for each in top.groups("ladders")]
    twice(faults, ((f"ladders[{n}].slug", each.slug) for n, each in enumerate(ladders)))
    played = [_evening(each, known, first, last) for each in top.groups("evenings")]
    twice(faults, ((f"evenings[{n}].slug", each.slug) for n, each in enumerate(played) if each))
    top.end()
    faults.refuse()
    assert first is not None
    assert last is not None
    found = tuple(each for each in played if each is not None)
    return SeasonFile(
        club=club_name,
        slug=slug,
        name=name,
        first=first,
        last=last,
        people=tuple(people),
        ladders=tuple(ladders),
        evenings=found,
        handicap=handicap,
    )


def _refuse_other_formats(top: Group) -> None:
    written = top.text("format", longest=40)
    if written and written != FORMAT:
        words = _("this is %(written)s; this program reads %(format)s.")
        raise UnusableFile([f"format: {words % {'written': shown(written), 'format': FORMAT}}"])


def _handicap(season: Group, known: set[str]) -> FiledHandicap | None:
    """The season's handicap: its terms, and what was given by hand with a reason."""
    if not season.has("handicap"):
        return None
    inner = Group(season.value["handicap"], season.at("handicap"), season.faults)
    given = {key: inner.value[key] for key in TERMS if inner.has(key)}
    made = terms_of(given)
    for fault in made if isinstance(made, list) else []:
        inner.fault(fault.setting, fault.why)
    by_hand = {}
    if inner.has("by_hand"):
        hands = Group(inner.value["by_hand"], inner.at("by_hand"), inner.faults)
        for key in hands.value:
            group = hands.group(key)
            a_board, reason = group.number("a_board"), group.text("reason", longest=200)
            group.end()
            if key not in known:
                hands.fault(key, _("There is no player with this id."))
            by_hand[key] = (a_board or Fraction(), reason)
    inner.end()
    return FiledHandicap(given, by_hand)


def _figure(handicap: FiledHandicap | None) -> str:
    """What a season's handicap is in, "" where there is none that stands."""
    made = terms_of(handicap.terms) if handicap else []
    return made.figure if isinstance(made, HandicapTerms) else ""


def _people(top: Group) -> list[FiledPerson]:
    found = []
    for group in top.groups("players"):
        person = FiledPerson(
            id=_id(group),
            name=group.text("name", longest=LONGEST_NAME),
            is_member=group.flag("member"),
            number=group.text("number", longest=20, required=False),
        )
        group.end()
        found.append(person)
    faults = top.faults
    twice(faults, ((f"players[{n}].id", each.id) for n, each in enumerate(found)))
    named = ((f"players[{n}].name", name_key(each.name)) for n, each in enumerate(found))
    twice(faults, named)
    twice(faults, ((f"players[{n}].number", each.number) for n, each in enumerate(found)))
    return found


def _id(group: Group) -> str:
    """An id is a text, or a whole number that stands for its text."""
    value = group.value.get("id")
    if isinstance(value, int) and not isinstance(value, bool):
        group.has("id")
        return str(value)
    return group.text("id", longest=60)


def _ladder(group: Group, known: set[str], figure: str) -> FiledLadder:
    slug, name = group.slug("slug"), group.text("name", longest=LONGEST_TITLE)
    given = {key: group.value[key] for key in KEYS if group.has(key)}
    handicaps = _handicaps(group, known)
    made = rule_of(given, dict(enumerate(handicaps.values())), figure)
    if isinstance(made, list):
        for fault in made:
            if group.is_group:
                group.fault(fault.setting, fault.why)
    group.end()
    return FiledLadder(slug, name, given, handicaps)


def _handicaps(group: Group, known: set[str]) -> dict[str, Fraction]:
    if not group.has("handicaps"):
        return {}
    inner = Group(group.value["handicaps"], group.at("handicaps"), group.faults)
    found = {}
    for key, value in inner.value.items():
        number = exact(value)
        if key not in known:
            inner.fault(key, _("There is no player with this id."))
        elif number is None:
            words = _('%(shown)s is not a number; write 3, 2.5 or, in quotes, "-5/2".')
            inner.fault(key, words % {"shown": shown(value)})
        else:
            found[key] = number
    return found


def _evening(
    group: Group, known: set[str], first: Date | None, last: Date | None
) -> FiledEvening | None:
    slug, date = group.slug("slug"), group.day("date")
    boards = group.whole("boards", least=1, most=MOST_BOARDS)
    contest = group.choice("contest", evenings.CONTESTS)
    entries = [_entry(each, known) for each in group.groups("entries")]
    group.end()
    if date and first and last and not first <= date <= last:
        group.fault("date", _("This day is not in the season."))
    _once(group, entries)
    if date is None or boards is None:
        return None
    return FiledEvening(slug, date, boards, contest or _usual(entries), tuple(entries))


def _usual(entries: list[FiledEntry]) -> str:
    """What people met in where the file leaves it out: teams where teams are named."""
    if any(each.team for each in entries):
        return evenings.TEAMS
    if entries and all(len(each.people) == 1 for each in entries):
        return evenings.INDIVIDUAL
    return evenings.PAIRS


def _entry(group: Group, known: set[str]) -> FiledEntry:
    def person(value: object, path: str) -> str:
        key = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
        if not isinstance(key, str) or key not in known:
            words = _("There is no player with the id %(shown)s.")
            group.faults.add(path, words % {"shown": shown(value)})
            return ""
        return key

    people = group.listed("players", person)
    if not people and isinstance(group.value.get("players"), list):
        group.fault("players", _("The list is empty; it needs at least one."))
    entry = FiledEntry(
        people=tuple(people),
        team=group.text("team", longest=LONGEST_TITLE, required=False),
        field=group.text("field", longest=20, required=False),
        score=group.number("score") or Fraction(),
        boards=group.whole("boards", least=0, most=MOST_BOARDS, required=False),
        percent=group.number("percent", required=False),
        tricks=group.number("tricks", required=False),
        place=group.whole("place", least=1, most=MOST_PLACE, required=False),
        handicap=group.number("handicap", required=False),
        visitors=_visitors(group, people),
    )
    group.end()
    return entry


def _visitors(group: Group, people: list[str]) -> frozenset[str] | None:
    """Who of an entry was no member that evening; None where the list of players says it."""

    def visitor(value: object, path: str) -> str:
        if str(value) not in people:
            words = _("%(shown)s is not one of the entry's players.")
            group.faults.add(path, words % {"shown": shown(value)})
        return str(value)

    return frozenset(group.listed("visitors", visitor)) if group.has("visitors") else None


def _once(group: Group, entries: list[FiledEntry]) -> None:
    """Nobody sits in two entries of an evening, and no two teams have one name."""
    seats = (
        (f"{group.at('entries')}[{n}].players[{m}]", key)
        for n, entry in enumerate(entries)
        for m, key in enumerate(entry.people)
    )
    twice(group.faults, seats)
    names = (
        (f"{group.at('entries')}[{n}].team", entry.team) for n, entry in enumerate(entries)
    )
    twice(group.faults, names)
