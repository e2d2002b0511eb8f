"""Reading a published document; whatever is wrong with it is named by its path, all at once."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar
from uuid import UUID

from django.utils.translation import gettext as _

from boards.whist import ALL_DECLARED, Card, Deal, Declared, Seat, Suit, WhistError
from boards.whist.notation import read_deal
from scoring.methods import METHODS
from scoring.sheets.values import RankField, RankRow
from seasons.groups import Faults, Group, UnusableFile, shown, twice
from seasons.published.document import DRIVE, EVENT, FORMAT, KINDS, SEASON
from seasons.published.values import (
    PublishedBoard,
    PublishedDrive,
    PublishedDrivePlace,
    PublishedEntry,
    PublishedEvent,
    PublishedLadder,
    PublishedPerson,
    PublishedPlace,
    PublishedPlay,
    PublishedPrize,
    PublishedSeason,
    PublishedSide,
)
from tournaments.models import MOST_POINTS, Event

LONGEST = 200
MOST = 100_000
SUITS = tuple(suit.value for suit in Suit)
DECLARED = tuple(each.code for each in ALL_DECLARED)
RULED = ("void", "average", "adjusted", "revoke", "new_deal")
Published = PublishedEvent | PublishedSeason | PublishedDrive
Code = TypeVar("Code", bound=str)


def read_published(document: Mapping[str, Any]) -> Published:
    """Read a document; raises UnusableFile with every fault of it."""
    faults = Faults()
    top = Group(document, "", faults)
    written = top.text("format", longest=40)
    if written != FORMAT:
        words = _("this is %(written)s; this program reads %(format)s.")
        raise UnusableFile([f"format: {words % {'written': shown(written), 'format': FORMAT}}"])
    kind = top.choice("kind", KINDS)
    if not kind:
        top.fault("kind", _("This is missing."))
        faults.refuse()
    _uid(top)
    found = _READERS[kind](top)
    top.end()
    faults.refuse()
    assert found is not None
    return found


def _uid(top: Group) -> None:
    text = top.text("uid", longest=36)
    try:
        UUID(text)
    except ValueError:
        top.fault("uid", _("%(shown)s is not a lasting name.") % {"shown": shown(text)})


def _event(top: Group) -> PublishedEvent | None:
    day = top.day("date")
    sessions = top.groups("sessions")
    days = [(_whole(each, "number", 1), each.day("date")) for each in sessions]
    for each in sessions:
        each.end()
    entries = [_entry(each) for each in top.groups("entries")]
    twice(top.faults, ((f"entries[{n}]", str(it.number)) for n, it in enumerate(entries)))
    fields = tuple(_field(each) for each in top.groups("fields"))
    boards = tuple(_board(each) for each in top.groups("boards"))
    known = {each.number for each in entries}
    _strangers(top, known, fields, boards)
    made = {
        "uid": str(top.value.get("uid")),
        "club": top.text("club", longest=LONGEST),
        "slug": top.slug("slug", longest=80),
        "name": top.text("name", longest=LONGEST),
        "contest": _code(top, "contest", Event.Contest.values),
        "method": _code(top, "method", tuple(METHODS)),
    }
    if day is None:
        return None
    return PublishedEvent(
        **made,
        day=day,
        sessions=tuple((number, each) for number, each in days if each is not None),
        fields=fields,
        entries=tuple(entries),
        boards=boards,
    )


def _strangers(
    top: Group,
    known: set[int],
    fields: Sequence[RankField],
    boards: Sequence[PublishedBoard],
) -> None:
    """Name the numbers that no entry has."""
    told = {row.entry for field in fields for row in field.rows}
    plays = [play for board in boards for play in board.plays]
    told |= {number for it in plays for number in (*it.ns.entries, *it.ew.entries)}
    for number in sorted(told - known)[:10]:
        words = _("There is no entry %(number)s, but somebody has its number.")
        top.fault("entries", words % {"number": number})


def _entry(group: Group) -> PublishedEntry:
    people = []
    for each in group.groups("people"):
        people.append(PublishedPerson(each.text("name", longest=LONGEST), each.flag("named")))
        each.end()
    sat_out = group.listed("sat_out", lambda it, path: _pair(it, path, group.faults))
    made = PublishedEntry(
        number=_whole(group, "number", 1),
        name=group.text("name", longest=LONGEST * 5),
        people=tuple(people),
        sat_out=tuple(sat_out),
    )
    group.end()
    return made


def _pair(value: object, path: str, faults: Faults) -> tuple[int, int]:
    match value:
        case [int(one), int(other)] if 0 < one < MOST and 0 < other < MOST:
            return one, other
    faults.add(path, _("Write a session and a round, two whole numbers."))
    return 1, 1


def _field(group: Group) -> RankField:
    made = RankField(
        section=group.text("section", longest=2, required=False),
        field=group.choice("field", ("", "NS", "EW")),
        average=group.number("average", required=False),
        rows=tuple(_row(each) for each in group.groups("rows")),
    )
    group.end()
    return made


def _row(group: Group) -> RankRow:
    made = RankRow(
        rank=_whole(group, "rank", 0),
        tied=group.flag("tied"),
        entry=_whole(group, "entry", 1),
        label=group.text("label", longest=20, required=False),
        name=group.text("name", longest=LONGEST * 5),
        score=group.number("score") or Fraction(),
        percent=group.number("percent", required=False),
        tricks=group.number("tricks") or Fraction(),
        boards=_whole(group, "boards", 0),
        wins_overall=group.flag("wins_overall"),
        notes=tuple(_texts(group, "notes")),
        a_board=group.number("a_board", required=False),
        corrected=group.number("corrected", required=False),
        by_corrected=group.flag("by_corrected", required=False),
    )
    group.end()
    return made


def _board(group: Group) -> PublishedBoard:
    dealer = Seat(group.choice("dealer", tuple(Seat)) or "N")
    made = PublishedBoard(
        session=_whole(group, "session", 1),
        number=_whole(group, "board", 1),
        dealer=dealer,
        deal=_deal(group, dealer),
        best=group.whole("best", least=0, most=13, required=False),
        average=group.number("average", required=False),
        plays=tuple(_play(each) for each in group.groups("plays")),
    )
    group.end()
    return made


def _deal(group: Group, dealer: Seat) -> Deal | None:
    hands = group.text("hands", longest=100, required=False)
    turn_up = group.text("turn_up", longest=3, required=False)
    trumps = group.choice("trumps", SUITS)
    if not hands:
        return None
    try:
        card = Card.parse(turn_up) if turn_up else None
        return read_deal(hands, dealer, card, Suit(trumps) if trumps else None)
    except WhistError as wrong:
        group.fault("hands", str(wrong))
        return None


def _play(group: Group) -> PublishedPlay:
    trumps = group.choice("trumps", DECLARED)
    made = PublishedPlay(
        section=group.text("section", longest=2, required=False),
        round=_whole(group, "round", 1),
        place=group.text("place", longest=10),
        outcome=group.choice("outcome", ("", "played", "not_played")),
        ruled=group.choice("ruled", ("", *RULED)),
        trumps=Declared.parse(trumps) if trumps else None,
        notes=tuple(_texts(group, "notes")),
        ns=_side(group.group("ns")),
        ew=_side(group.group("ew")),
    )
    group.end()
    return made


def _side(group: Group) -> PublishedSide:
    made = PublishedSide(
        entries=tuple(group.listed("entries", lambda it, at: _number(it, at, group.faults))),
        label=group.text("label", longest=40, required=False),
        name=group.text("name", longest=LONGEST * 5, required=False),
        tricks=group.whole("tricks", least=0, most=13, required=False),
        counts=group.number("counts", required=False),
        score=group.number("score", required=False),
        mark=group.text("mark", longest=10, required=False),
        points=group.whole("points", least=0, most=MOST_POINTS, required=False),
    )
    group.end()
    return made


def _season(top: Group) -> PublishedSeason | None:
    first, last = top.day("from"), top.day("to")
    ladders = tuple(_ladder(each) for each in top.groups("ladders"))
    twice(top.faults, ((f"ladders[{n}].slug", each.slug) for n, each in enumerate(ladders)))
    club, name = top.text("club", longest=LONGEST), top.text("name", longest=LONGEST)
    slug = top.slug("slug", longest=80)
    if first is None or last is None:
        return None
    return PublishedSeason(str(top.value.get("uid")), club, slug, name, first, last, ladders)


def _ladder(group: Group) -> PublishedLadder:
    made = PublishedLadder(
        slug=group.slug("slug"),
        name=group.text("name", longest=LONGEST),
        rule=group.text("rule", longest=2000),
        heading=group.text("heading", longest=LONGEST),
        signed=group.flag("signed"),
        evenings=_whole(group, "evenings", 0),
        places=tuple(_place(each) for each in group.groups("places")),
    )
    group.end()
    return made


def _place(group: Group) -> PublishedPlace:
    made = PublishedPlace(
        rank=_whole(group, "rank", 0),
        tied=group.flag("tied"),
        who=tuple(_texts(group, "who")),
        named=group.flag("named"),
        evenings=_whole(group, "evenings", 0),
        needs=_whole(group, "needs", 0),
        total=group.number("value") or Fraction(),
        marks=group.text("marks", longest=2000, required=False),
    )
    group.end()
    return made


def _whole(group: Group, key: str, least: int) -> int:
    return group.whole(key, least=least, most=MOST) or least


def _number(value: object, path: str, faults: Faults) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < MOST:
        return value
    faults.add(path, _("%(shown)s is not the number of an entry.") % {"shown": shown(value)})
    return 1


def _texts(group: Group, key: str) -> list[str]:
    def text(value: object, path: str) -> str:
        if isinstance(value, str) and len(value) <= 2000 and value.isprintable():
            return value
        group.faults.add(path, _("%(shown)s is not a line of text.") % {"shown": shown(value)})
        return ""

    return group.listed(key, text)


def _code(group: Group, key: str, codes: Sequence[str]) -> str:
    found = group.choice(key, codes)
    if not found and not group.value.get(key):
        group.fault(key, _("This is missing."))
    return found or codes[0]


def _drive(group: Group) -> PublishedDrive | None:
    day = group.day("date")
    variety = _code(group, "variety", ("drive", "rubber"))
    places = tuple(_drive_place(each) for each in group.groups("places"))
    prizes = tuple(_prize(each) for each in group.groups("prizes"))
    made = {
        "uid": str(group.value.get("uid")),
        "club": group.text("club", longest=LONGEST),
        "slug": group.slug("slug", longest=80),
        "name": group.text("name", longest=LONGEST),
    }
    if day is None:
        return None
    return PublishedDrive(
        **made, day=day, is_drive=variety == "drive", places=places, prizes=prizes
    )


def _drive_place(group: Group) -> PublishedDrivePlace:
    made = PublishedDrivePlace(
        rank=_whole(group, "rank", 1),
        tied=group.flag("tied"),
        name=group.text("name", longest=LONGEST),
        points=group.number("points") or Fraction(),
        rests=group.whole("rests", least=0, most=MOST, required=False) or 0,
        rubbers=_of(group, "rubbers"),
        games=_of(group, "games"),
    )
    group.end()
    return made


def _of(group: Group, key: str) -> tuple[int, int]:
    """So many won of so many; nothing where the document does not say."""
    if not group.has(key):
        return 0, 0
    match group.value[key]:
        case [int(won), int(played)] if 0 <= won <= played < MOST:
            return won, played
    group.fault(key, _("Write how many were won, and of how many: two whole numbers."))
    return 0, 0


def _prize(group: Group) -> PublishedPrize:
    made = PublishedPrize(
        words=group.text("words", longest=LONGEST),
        name=group.text("name", longest=LONGEST, required=False),
        why=group.text("why", longest=LONGEST * 5, required=False),
    )
    group.end()
    return made


_READERS: Mapping[str, Callable[[Group], Published | None]] = {
    EVENT: _event,
    SEASON: _season,
    DRIVE: _drive,
}
