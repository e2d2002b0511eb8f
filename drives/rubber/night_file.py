"""The file of a rubber night: who played where, every cut and every hand; docs/rubber.md.

Reading it proves it: whatever cannot have been is refused with its place. Players stand in it
by their numbers, which are the names that the reckoning knows them by.
"""

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any
from uuid import UUID

from boards.whist.words import gettext as _
from drives.prizes.lot import commitment
from drives.rubber.codes import Code, code_named
from drives.rubber.cutting import FULL_TABLE, Cut
from drives.rubber.dummy import DUMMY, is_seating
from drives.rubber.errors import UnplayableHand, UnreadableRubber, shown
from drives.rubber.files import (
    as_list,
    as_name,
    as_object,
    as_whole,
    loaded,
    read_hand,
)
from drives.rubber.hands import Count, Hand, Side
from drives.rubber.night import Belonging, Night, Spell, Tally, belonging, combined, standing
from drives.rubber.seating import Cuts, by_lot, seating
from drives.rubber.terms import RubberTerms, changed

FORMAT, VERSION = "overplay-rubbers", 1
KEYS = {"format", "version", "name", "date", "uid", "revision", "code", "terms", "state",
        "paper", "players", "tables", "secret", "commitment", "standing"}  # fmt: skip
LOT, CARDS = "lot", "cards"
MOST_PLAYERS, MOST_TABLES, MOST_SPELLS = 600, 100, 200
PAPERS = ("A4", "A5", "Letter")
DAY = re.compile(r"([12][0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")


@dataclass(frozen=True, kw_only=True)
class SpellTold:
    """A spell as a file tells it, besides its hands."""

    seats: tuple[int, int, int, int]
    dealer: int
    how: str
    """`lot`, `cards`, or nothing where they sat down as they liked."""
    cuts: Cuts
    substitutes: Mapping[int, str]


@dataclass(frozen=True, kw_only=True)
class TableTold:
    """A table as a file tells it, and the same for the reckoning."""

    number: int
    spells: tuple[SpellTold, ...]
    night: Night


@dataclass(frozen=True, kw_only=True)
class NightFile:
    """A night as its file tells it."""

    name: str
    date: str
    """As 2026-11-27; empty where the file has none."""
    uid: UUID | None
    revision: int | None
    code: Code
    changes: dict[str, Any]
    """The terms in which the house differs from the code."""
    terms: RubberTerms
    closed: bool
    paper: str
    players: Mapping[int, str]
    tables: tuple[TableTold, ...]
    secret: bytes
    commitment: str
    standing: Any
    """As the file says it stands; None where it says nothing."""


def hand_data(hand: Hand) -> dict[str, Any]:
    """Write a hand as files have it; what is usual is left out."""
    told: dict[str, Any] = {}
    if hand.tricks is not None:
        told["tricks"] = _count_data(hand.tricks)
    if any(hand.honours):
        told["honours"] = _count_data(hand.honours)
    if not hand.claimed:
        told["claimed"] = False
    if hand.revokes:
        told["revokes"] = [
            {"by": each.by.value}
            | ({"penalty": each.penalty.value} if each.penalty else {})
            | ({"dummy": True} if each.dummy else {})
            for each in hand.revokes
        ]
    if hand.called is not None:
        told["called"] = hand.called.value
    return told


def cuts_data(how: str, cuts: Cuts) -> dict[str, Any]:
    """Write cuts as rows and files have them; nothing where nobody cut."""
    if not how:
        return {}
    return {
        "by": how,
        "out": [dict(cut) for cut in cuts.out],
        "in": [dict(cut) for cut in cuts.into],
    }


def standing_data(tallies: list[Tally]) -> list[dict[str, int]]:
    """Write a standing as files have it."""
    return [
        {"number": int(each.player), "rank": each.rank, "points": each.points}
        for each in sorted(tallies, key=lambda each: (each.rank, int(each.player)))
    ]


def read_night_file(text: str) -> NightFile:
    """Read and prove the text of a night's file. Raises UnreadableRubber with the place."""
    file = as_object(loaded(text), _("file"), KEYS)
    if file.get("format") != FORMAT or file.get("version") != VERSION:
        words = _("this is not a file of a rubber night, version %(version)s")
        raise UnreadableRubber.at(_("file"), words % {"version": VERSION})
    changes = as_object(_or(file.get("terms"), {}), _("terms"))
    place = _("code")
    try:
        code = code_named(file.get("code"))
        place = _("terms")
        terms = changed(code.terms, changes)
    except UnplayableHand as problem:
        raise UnreadableRubber.at(place, problem) from None
    closed = _one_of(_or(file.get("state"), "open"), _("state"), ("open", "closed")) == "closed"
    players = _players(file.get("players"))
    return NightFile(
        name=as_name(file.get("name"), _("name")),
        date=_date(file.get("date")),
        uid=_uid(file.get("uid")),
        revision=None if file.get("revision") is None
        else as_whole(file["revision"], _("revision"), 10**9),
        code=code,
        changes=changes,
        terms=terms,
        closed=closed,
        paper=_one_of(_or(file.get("paper"), "A4"), _("paper"), PAPERS),
        players=players,
        tables=_tables(file.get("tables"), terms, players, closed=closed),
        secret=_hex(file.get("secret"), _("secret")),
        commitment=_hex(file.get("commitment"), _("commitment")).hex(),
        standing=file.get("standing"),
    )  # fmt: skip


def differences(file: NightFile) -> list[str]:
    """Tell what in a file is not as its lots, its cuts and its hands have it."""
    found = []
    for table in file.tables:
        for number, told in enumerate(table.spells, start=1):
            place = _("table %(table)s, spell %(spell)s") % {
                "table": table.number,
                "spell": number,
            }
            found += _seat_differences(file, table, number, told, place)
    found += _lot_faults(file)
    tallies = combined(standing(table.night) for table in file.tables)
    if file.standing is not None and file.standing != standing_data(tallies):
        found.append(_("standing: the hands say otherwise"))
    return found


def _lot_faults(file: NightFile) -> list[str]:
    """Tell what hinders that the lots are drawn again."""
    if file.secret:
        told = commitment(file.secret)
        if file.commitment and told != file.commitment:
            return [_("secret: it is not the one that was published")]
    elif any(spell.how == LOT for table in file.tables for spell in table.spells):
        return [_("secret: it is not told yet, so no lot can be drawn again")]
    return []


def label(uid: object, table: int, spell: int) -> str:
    """Name a spell's cuts for the lot; for ever, since lots are drawn again by it."""
    return f"overplay-rubber-cut/1:{uid}:{table}:{spell}"


def _seat_differences(
    file: NightFile, table: TableTold, spell: int, told: SpellTold, place: str
) -> list[str]:
    """Tell what of a spell's cuts is otherwise, whoever was away for it.

    A member who left and came back has no line for the time between: the cards say whether
    he was there.
    """
    if not told.how:
        return []
    faults: list[list[str]] = []
    for before in _before(table.night, spell):
        try:
            found = _drawn_otherwise(file, before, table.number, spell, told)
        except UnreadableRubber as problem:
            found = [str(problem)]
        if not found:
            return []
        faults.append(found)
    return [f"{place}: {words}" for words in faults[0]]


def _before(night: Night, spell: int) -> Iterator[Night]:
    """The night before a spell: with all who belong to the table, then with some away."""
    played = {name for pair in night.spells[spell - 1].sides.values() for name in pair}
    there = set(belonging(night, spell)) - played
    idle = [
        each.player for each in night.members if each.player in there and each.since < spell
    ]
    for count in range(len(idle) + 1):
        for away in combinations(idle, count):
            yield Night(
                terms=night.terms,
                members=tuple(
                    each._replace(until=spell - 1) if each.player in away else each
                    for each in night.members
                ),
                spells=night.spells[: spell - 1],
            )


def _drawn_otherwise(
    file: NightFile, before: Night, table: int, spell: int, told: SpellTold
) -> list[str]:
    cuts = told.cuts
    found = []
    if told.how == LOT and file.secret:
        _seating, cuts = by_lot(before, file.secret, label(file.uid, table, spell))
        if cuts != told.cuts:
            found.append(_("the lot draws other cards"))
    seats = seating(before, cuts).seats
    if seats != tuple(map(str, told.seats)):
        found.append(_("the cards seat others"))
    return found


def _players(data: object) -> dict[int, str]:
    place = _("players")
    found: dict[int, str] = {}
    for each in as_list(data, place)[: MOST_PLAYERS + 1]:
        player = as_object(each, place, {"number", "name"})
        number = as_whole(player.get("number"), place)
        if number in found or number < 1 or len(found) == MOST_PLAYERS:
            words = _("the number %(number)s cannot be")
            raise UnreadableRubber.at(place, words % {"number": number})
        found[number] = as_name(player.get("name"), place)
    return found


def _tables(
    data: object, terms: RubberTerms, players: Mapping[int, str], *, closed: bool
) -> tuple[TableTold, ...]:
    found: dict[int, TableTold] = {}
    for order, each in enumerate(as_list(data, _("tables")), start=1):
        place = _("table %s") % order
        table = as_object(each, place, {"table", "members", "spells"})
        number = as_whole(table.get("table"), place, MOST_TABLES)
        if number in found or number < 1:
            words = _("the number %(number)s cannot be")
            raise UnreadableRubber.at(place, words % {"number": number})
        found[number] = _table(number, table, terms, players, closed=closed)
    return tuple(found[number] for number in sorted(found))


def _table(
    number: int,
    table: Mapping[str, object],
    terms: RubberTerms,
    players: Mapping[int, str],
    *,
    closed: bool,
) -> TableTold:
    place = _("table %s") % number
    members = tuple(
        _member(as_object(each, place, {"number", "since", "until"}), place, players)
        for each in as_list(table.get("members"), place)
    )
    given = as_list(_or(table.get("spells"), []), place)
    if len(given) > MOST_SPELLS:
        raise UnreadableRubber.at(place, _("so many spells cannot be"))
    spells = [
        _spell(each, f"{place}, {_('spell %s') % at}", players)
        for at, each in enumerate(given, start=1)
    ]
    try:
        night = Night(
            terms=terms,
            members=members,
            spells=tuple(
                Spell(
                    sides={
                        Side.A: (str(told.seats[0]), str(told.seats[1])),
                        Side.B: (str(told.seats[2]), str(told.seats[3])),
                    },
                    hands=hands,
                )
                for told, hands in spells
            ),
            closed=closed,
        )
        standing(night)
        if len(belonging(night, len(spells) + 1)) > FULL_TABLE:
            words = _("a table has at most %(most)s members")
            raise UnreadableRubber.at(_("members"), words % {"most": FULL_TABLE})
    except UnreadableRubber as problem:
        raise UnreadableRubber.at(place, problem) from None
    return TableTold(number=number, spells=tuple(told for told, _h in spells), night=night)


def _member(member: Mapping[str, object], place: str, players: Mapping[int, str]) -> Belonging:
    until = member.get("until")
    since = as_whole(_or(member.get("since"), 1), place)
    last = None if until is None else as_whole(until, place)
    if since < 1 or (last is not None and last < since - 1):
        raise UnreadableRubber.at(place, _("a member cannot leave before coming"))
    return Belonging(str(_known(member.get("number"), place, players)), since, last)


def _spell(
    data: object, place: str, players: Mapping[int, str]
) -> tuple[SpellTold, tuple[Hand, ...]]:
    spell = as_object(data, place, {"seats", "dealer", "cuts", "substitutes", "hands"})
    known = {**players, int(DUMMY): ""}
    seats = [_known(each, place, known) for each in as_list(spell.get("seats"), place)]
    dealer = _known(spell.get("dealer"), place, known)
    if not is_seating(list(map(str, seats))) or dealer not in seats:
        raise UnreadableRubber.at(place, _("four different players sit, and one of them deals"))
    if int(DUMMY) in seats and dealer != int(DUMMY):
        raise UnreadableRubber.at(place, _("dummy deals first, so the dealer is 0"))
    cuts = as_object(_or(spell.get("cuts"), {}), place, {"by", "out", "in"})
    how = _one_of(cuts.get("by"), place, (LOT, CARDS)) if cuts else ""
    hands = as_list(_or(spell.get("hands"), []), place)
    told = SpellTold(
        seats=(seats[0], seats[1], seats[2], seats[3]),
        dealer=dealer,
        how=how,
        cuts=read_cuts(cuts, place),
        substitutes=_substitutes(spell, place, players),
    )
    return told, tuple(
        read_hand(hand, f"{place}, {_('hand %s') % number}")
        for number, hand in enumerate(hands, start=1)
    )


def _substitutes(
    spell: Mapping[str, object], place: str, players: Mapping[int, str]
) -> dict[int, str]:
    given = as_object(_or(spell.get("substitutes"), {}), place)
    return {
        _known(int(who) if who in map(str, players) else who, place, players): as_name(
            name, place
        )
        for who, name in given.items()
    }


def read_cuts(cuts: Mapping[str, object], place: str) -> Cuts:
    """Read cuts as rows and files have them: cards are numbers, 1 the ace to 13 the king."""

    def stage(name: str) -> tuple[Cut, ...]:
        return tuple(
            {
                str(who): as_whole(card, place, 13)
                for who, card in as_object(each, place).items()
            }
            for each in as_list(_or(cuts.get(name), []), place)
        )

    return Cuts(out=stage("out"), into=stage("in"))


def _known(data: object, place: str, players: Mapping[int, str]) -> int:
    if isinstance(data, bool) or not isinstance(data, int) or data not in players:
        words = _("nobody has the number %(number)s")
        raise UnreadableRubber.at(place, words % {"number": shown(data)})
    return data


def _one_of(data: object, place: str, choices: tuple[str, ...]) -> str:
    if not isinstance(data, str) or data not in choices:
        words = _("this is one of: %(names)s")
        raise UnreadableRubber.at(place, words % {"names": ", ".join(choices)})
    return data


def _date(data: object) -> str:
    if data is None:
        return ""
    day = DAY.fullmatch(data) if isinstance(data, str) else None
    if day is None or int(day[3]) > monthrange(int(day[1]), int(day[2]))[1]:
        raise UnreadableRubber.at(_("date"), _("write it as 2026-11-27"))
    return day[0]


def _uid(data: object) -> UUID | None:
    if data is None:
        return None
    try:
        return UUID(str(data))
    except ValueError:
        raise UnreadableRubber.at(_("uid"), _("this is not the name of a night")) from None


def _hex(data: object, place: str) -> bytes:
    text = "" if data is None else data
    try:
        found = bytes.fromhex(text) if isinstance(text, str) else None
    except ValueError:
        found = None
    if found is None or len(found) > 512:
        raise UnreadableRubber.at(place, _("this is not in hexadecimal digits"))
    return found


def _count_data(count: Count) -> dict[str, int]:
    return {side.value: count.of(side) for side in Side}


def _or(data: object, otherwise: object) -> object:
    return otherwise if data is None else data
