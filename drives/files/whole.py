"""What a drive's file has beyond its ranking: all that is needed to go on on another machine.

Everything of it may be left out. Rounds that are drawn and not in play yet are `to_play`; each
entry of `draws` tells which rounds it made and what from.
"""

import re
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from boards.whist.words import gettext as _
from drives.draw.company import Seats
from drives.errors import UnplayableDrive
from drives.files.drive_file import DriveFile, read_drive, rounds_of
from drives.files.reading import Value, can_be_kept, parse
from drives.files.rubbers import RubbersTold, read_rubbers
from drives.forms.rounds import Handed, handed_from

SPACE = UUID("0f9a1f5e-6f0c-5a0f-9d6f-64726976650a")
"""Under which a drive whose file has no name of its own for other machines gets one."""
DAY = re.compile(r"[12]\d{3}-(?:0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
KINDS = ("planned", "drawn", "moved", "given")
STATES = ("planned", "open", "closed")
SHOWN = ("always", "half", "after")
SIZES = ("A4", "A5", "Letter")


@dataclass(frozen=True, kw_only=True)
class DrawTold:
    """A draw: its kind, its first round, what it was handed, and which of its rounds stand."""

    kind: str
    first: int
    handed: Handed | None
    given: Mapping[str, Any]
    rounds: tuple[int, ...]
    by: str


@dataclass(frozen=True, kw_only=True)
class CardTold:
    """What a file tells of a player beyond a ranking."""

    from_round: int
    to_round: int | None
    stays_seated: bool
    takes_over: int | None


@dataclass(frozen=True, kw_only=True)
class RoundTold:
    """A round with what only a whole file tells: its trumps and its single hands."""

    number: int
    trumps: str | None
    tables: Mapping[int, Seats]
    rest: tuple[int, ...]
    hands: Mapping[tuple[int, int], tuple[tuple[int, ...], tuple[int, ...]]]


@dataclass(frozen=True, kw_only=True)
class WholeFile:
    """A drive's file with all that it tells."""

    file: DriveFile
    data: dict[str, Any]
    uid: UUID
    date: str  # ISO, empty where the file has none
    revision: int | None
    state: str
    at_round: int
    terms: dict[str, Any]
    trumps: str
    words: tuple[str, str]
    apart: list[list[int]]
    halves: bool
    shown: str
    paper: str
    cards: Mapping[int, CardTold]
    rounds: tuple[RoundTold, ...]
    rows: Mapping[tuple[int, int], tuple[int, ...]]
    draws: tuple[DrawTold, ...]
    rubbers: RubbersTold | None


def read_whole(text: str) -> WholeFile:
    """Read a file to go on with; UnreadableDrive names the place of what is wrong."""
    file = read_drive(text)
    whole = parse(text)
    if not can_be_kept(whole.data):
        raise whole.fault(_("This holds signs that nobody can keep."))
    known = {player.number for player in file.players}
    later = rounds_of(whole.get("to_play"), known, file.scoring)
    at_round = max((each.number for each in file.played), default=0)
    for each in later:
        if each.number <= at_round:
            raise whole.get("to_play").fault(_("these rounds follow those that were played."))
    words = [each.data for each in whole.get("words").items()]
    return WholeFile(
        file=file,
        data=whole.data,
        uid=_uid(whole, file),
        date=_date(whole.get("date")),
        revision=_whole(whole.get("revision")),
        state=_one(whole.get("state"), STATES, _usual_state(file, at_round)),
        at_round=at_round,
        terms=whole.get("terms").mapping(),
        trumps=_trumps(whole.get("trumps")),
        words=_words(whole.get("words"), words),
        apart=_apart(whole.get("apart"), known),
        halves=whole.get("halves").truth() or any(card.part == 2 for card in file.cards),
        shown=_one(whole.get("standings_shown"), SHOWN, "after"),
        paper=_one(whole.get("paper_size"), SIZES, "A4"),
        cards=_cards(whole.get("players"), known),
        rounds=(*_rounds(whole.get("played"), file), *_rounds(whole.get("to_play"), file)),
        rows=_rows(whole.get("totals")),
        draws=_draws(whole.get("draws"), known),
        rubbers=read_rubbers(whole.get("rubbers"), _in_play(file)),
    )


def _in_play(file: DriveFile) -> dict[int, dict[int, Seats]]:
    """The seats of the rounds in play, by round and table."""
    return {
        each.number: {sheet.table: sheet.seats for sheet in each.sheets} for each in file.played
    }


def _usual_state(file: DriveFile, at_round: int) -> str:
    if file.awards is not None:
        return "closed"
    return "open" if at_round or file.cards else "planned"


def _uid(whole: Value, file: DriveFile) -> UUID:
    value = whole.get("uid")
    if not value.is_missing:
        try:
            return UUID(value.text())
        except ValueError:
            raise value.fault(_("this is not a name for other machines.")) from None
    people = [f"{player.number} {player.name}" for player in file.players]
    secret = file.secret.hex() or file.commitment or ""
    return uuid5(SPACE, "\0".join([file.name, file.form.code, secret, *people]))


def _date(value: Value) -> str:
    if value.is_missing:
        return ""
    day = DAY.fullmatch(value.text())
    if day is None or int(day[1]) > monthrange(int(day[0][:4]), int(day[0][5:7]))[1]:
        raise value.fault(_("this must be a day, such as 2026-11-20."))
    return day[0]


def _whole(value: Value) -> int | None:
    return None if value.is_missing else value.whole(0)


def _one(value: Value, choices: tuple[str, ...], otherwise: str) -> str:
    return otherwise if value.is_missing else value.one_of(choices)


def _trumps(value: Value) -> str:
    text = "HCDS" if value.is_missing else value.text()
    if text not in ("turned", "declared") and not (
        len(text) <= 20 and set(text) <= set("HCDSN")
    ):
        raise value.fault(_("trumps are turned, declared, or a cycle of H, C, D, S and N."))
    return text


def _suits(value: Value) -> str:
    """The trumps of a round, a letter a hand; none where the table says."""
    text = value.data
    if not isinstance(text, str) or len(text) > 20 or not set(text) <= set("HCDSN"):
        raise value.fault(_("trumps are letters of H, C, D, S and N."))
    return text


def _words(value: Value, words: list[Any]) -> tuple[str, str]:
    if value.is_missing:
        return "", ""
    if len(words) != 2 or not all(
        isinstance(word, str) and len(word) <= 30 and word.isprintable() for word in words
    ):
        raise value.fault(_("these must be two words, for first and second."))
    return words[0], words[1]


def _apart(value: Value, known: set[int]) -> list[list[int]]:
    found = []
    for each in value.items():
        pair = sorted(number.whole() for number in each.items())
        if len(set(pair)) != 2 or not known.issuperset(pair):
            raise each.fault(_("two different players of the drive are kept apart."))
        found.append(pair)
    return sorted(found)


def _cards(value: Value, known: set[int]) -> dict[int, CardTold]:
    found: dict[int, CardTold] = {}
    for each in value.items():
        number = each.get("number").whole()
        first, last = _whole(each.get("from_round")), _whole(each.get("to_round"))
        each = each.named(_("player %(number)s") % {"number": number})
        took = each.get("takes_over")
        if not took.is_missing and took.whole() not in known - {number}:
            raise took.fault(_("nobody has this number."))
        first = first or 1
        if first > 1000 or (last is not None and not first - 1 <= last <= 1000):
            raise each.fault(_("the last round comes before the first."))
        found[number] = CardTold(
            from_round=first,
            to_round=last,
            stays_seated=each.get("stays_seated").truth(),
            takes_over=None if took.is_missing else took.whole(),
        )
    return found


def _rounds(value: Value, file: DriveFile) -> list[RoundTold]:
    return [_round(each, file) for each in value.items()]


def _round(value: Value, file: DriveFile) -> RoundTold:
    number = value.get("round").whole(1, 1000)
    value = value.named(_("round %(round)s") % {"round": number})
    tables, hands = {}, {}
    for each in value.get("tables").items():
        table = each.get("table").whole(1, 1000)
        place = {"round": value.place, "table": table}
        each = each.named(_("%(round)s, table %(table)s") % place)
        one, two, three, four = (seat.whole() for seat in each.get("seats").items())
        tables[table] = (one, two, three, four)
        for hand, sheet in _hands(each, file).items():
            hands[table, hand] = sheet
    trumps = value.get("trumps")
    return RoundTold(
        number=number,
        trumps=None if trumps.is_missing else _suits(trumps),
        tables=tables,
        rest=tuple(each.whole() for each in value.get("rest").items()),
        hands=hands,
    )


def _hands(value: Value, file: DriveFile) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
    """The single hands of a table, which together make its score; an only one is the round."""
    found: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
    for each in value.get("hands").items():
        hand = each.get("hand").whole(1, file.scoring.hands)
        if hand in found:
            raise each.fault(_("this hand is given twice."))
        score = tuple(figure.whole() for figure in each.get("score").items())
        extras = tuple(figure.whole() for figure in each.get("extras").items())
        fault = file.scoring.of_hand.fault(score, extras)
        if fault:
            raise each.fault(fault)
        found[hand] = score, extras
    return {0: found[1]} if found and file.scoring.hands == 1 else found


def _rows(value: Value) -> dict[tuple[int, int], tuple[int, ...]]:
    found = {}
    for each in value.items():
        part = 1 if each.get("part").is_missing else each.get("part").whole(1, 100)
        rows = tuple(row.whole() for row in each.get("rows").items())
        found[each.get("number").whole(), part] = rows
    return found


def _draws(value: Value, known: set[int]) -> tuple[DrawTold, ...]:
    return tuple(_draw(each, known) for each in value.items())


def _draw(value: Value, known: set[int]) -> DrawTold:
    kind = value.get("kind").one_of(KINDS)
    given = value.get("given")
    handed = None
    if kind != "given":
        handed = _handed(given)
        named = {*handed.company.players, *handed.company.house}
        if not named <= known:
            raise given.fault(_("it names a number that nobody has."))
    by = value.get("by")
    return DrawTold(
        kind=kind,
        first=value.get("first").whole(1, 1000),
        handed=handed,
        given=given.mapping(),
        rounds=tuple(each.whole(1, 1000) for each in value.get("rounds").items()),
        by="" if by.is_missing else by.text()[:150],
    )


def _handed(value: Value) -> Handed:
    try:
        return handed_from(value.mapping())
    except UnplayableDrive as problem:
        raise value.fault(str(problem)) from None
    except (AttributeError, KeyError, TypeError, ValueError):
        raise value.fault(_("this is not what a draw is handed.")) from None
