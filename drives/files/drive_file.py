"""A drive as its file has it: players, what was played, totals, prizes, and the secret."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from boards.whist.words import gettext as _
from drives.draw.company import Player
from drives.errors import UnreadableDrive
from drives.files.reading import Value, parse, read_tie_rule
from drives.forms import Form, form_named
from drives.forms.ties import TieRule
from drives.prizes.awarding import Award
from drives.prizes.prize import Prize, Ties, measure_named
from drives.scores.ranking import tie_break
from drives.scores.rules import Kind, Rest, Scoring, checked
from drives.scores.sheets import Card, PlayedRound, Sheet
from drives.scores.stays import Stay, who_counts

FORMAT, VERSION = "overplay-drive", 1
ROLES = ("first", "second")


@dataclass(frozen=True, kw_only=True)
class DriveEntry:
    """One player of a drive's file."""

    number: int
    name: str
    role: str | None
    club: str | None
    fort: str | None
    house: bool
    present: bool
    stay: Stay


@dataclass(frozen=True, kw_only=True)
class DriveFile:
    """Everything of a drive's file; `rounds` are those planned, where cards alone are told."""

    name: str
    form: Form
    scoring: Scoring
    ties: tuple[str, ...]
    tie_rule: TieRule
    """How a table is decided where both sides made the same."""
    rounds: int | None
    players: tuple[DriveEntry, ...]
    played: tuple[PlayedRound, ...]
    cards: tuple[Card, ...]
    prizes: tuple[Prize, ...]
    one_each: bool
    secret: bytes
    commitment: str | None
    awards: tuple[Award, ...] | None
    halves: bool = False

    @property
    def ranked(self) -> list[DriveEntry]:
        """The players who are ranked: all but those of the house and who never played."""
        counts = set(who_counts(self.stays, self.played, self.cards))
        return [player for player in self.players if player.number in counts]

    @property
    def stays(self) -> dict[int, Stay]:
        """From when to when each was there, house players aside."""
        return {each.number: each.stay for each in self.players if not each.house}


def read_drive(text: str) -> DriveFile:
    """Read a drive's file; UnreadableDrive names the place of what is wrong."""
    whole = parse(text)
    if whole.get("format").data != FORMAT:
        raise whole.get("format").fault(_("this must be %(format)s.") % {"format": FORMAT})
    if whole.get("version").whole() != VERSION:
        raise whole.get("version").fault(_("this program reads version 1."))
    terms = _scoring(whole.get("score"), whole.get("hands"))
    players = _players(whole.get("players"))
    house = [entry.number for entry in players if entry.house]
    known = {entry.number for entry in players}
    rounds = whole.get("rounds")
    return DriveFile(
        name=whole.get("name").text(),
        form=form_named(whole.get("form").data),
        scoring=terms,
        ties=tuple(_known_tie(each) for each in whole.get("score").get("ties").items()),
        tie_rule=read_tie_rule(whole.get("terms")),
        rounds=None if rounds.is_missing else rounds.whole(1, 100),
        players=players,
        played=rounds_of(whole.get("played"), known, terms),
        cards=_cards(whole.get("totals"), known.difference(house)),
        prizes=tuple(_prize(each) for each in whole.get("prizes").items()),
        halves=whole.get("halves").truth(),
        one_each=whole.get("one_prize_each").is_missing or whole.get("one_prize_each").truth(),
        secret=whole.get("secret").seed(),
        commitment=None
        if whole.get("commitment").is_missing
        else whole.get("commitment").text(),
        awards=None
        if whole.get("awards").is_missing
        else tuple(_award(each) for each in whole.get("awards").items()),
    )


def scoring_of(score: Mapping[str, Any], hands: int) -> Scoring:
    """Read the terms of a score as a row keeps them; UnreadableDrive names what is wrong."""
    return _scoring(Value(dict(score), "score"), Value(hands, "hands"))


def ties_of(score: Mapping[str, Any]) -> tuple[str, ...]:
    """The tie-breaks of a score as a row keeps it; UnreadableDrive names what is wrong."""
    return tuple(_known_tie(each) for each in Value(dict(score), "score").get("ties").items())


def prizes_of(lines: Sequence[Mapping[str, Any]]) -> tuple[Prize, ...]:
    """Read a list of prizes as a form or the API sends it; UnreadableDrive names the line."""
    values = Value([dict(line) for line in lines], _("prize")).items()
    return tuple(_prize(each) for each in values)


def _scoring(value: Value, hands: Value) -> Scoring:
    bounds = {
        name: None if value.get(name).is_missing else value.get(name).whole()
        for name in ("sum", "low", "high")
    }
    extras, step = value.get("extras"), value.get("step")
    terms = Scoring(
        kind=Kind(value.get("kind").one_of([*Kind])),
        hands=1 if hands.is_missing else hands.whole(1, 1000),
        total=bounds["sum"],
        extras=None if extras.is_missing else extras.whole(1),
        rest=_rest(value.get("rest")),
        low=bounds["low"],
        high=bounds["high"],
        step=1 if step.is_missing else step.whole(1),
    )
    return checked(terms)


def _rest(value: Value) -> Rest | Fraction:
    if value.is_missing:
        return Rest.ROUND_AVERAGE
    if isinstance(value.data, str):
        return Rest(value.one_of([*Rest]))
    return Fraction(value.whole())


def _players(value: Value) -> tuple[DriveEntry, ...]:
    found: dict[int, DriveEntry] = {}
    for each in value.items():
        number = each.get("number").whole()
        each = each.named(_("player %(number)s") % {"number": number})
        if number in found:
            raise each.fault(_("this number is given twice."))
        role = each.get("role")
        found[number] = DriveEntry(
            number=number,
            name="" if each.get("name").data in (None, "") else each.get("name").text(),
            role=None if role.is_missing else role.one_of(ROLES),
            club=_text(each.get("club")),
            fort=_text(each.get("fort")),
            house=each.get("house").truth(),
            present=each.get("present").is_missing or each.get("present").truth(),
            stay=_stay(each.get("from_round"), each.get("to_round")),
        )
    if not found:
        raise value.fault(_("this drive has no players."))
    return tuple(found.values())


def _stay(first: Value, last: Value) -> Stay:
    return Stay(
        1 if first.is_missing else first.whole(1, 1000),
        None if last.is_missing else last.whole(0, 1000),
    )


def _text(value: Value) -> str | None:
    if isinstance(value.data, int) and not isinstance(value.data, bool):
        return str(value.whole())
    return None if value.is_missing else value.text()


def rounds_of(value: Value, known: set[int], terms: Scoring) -> tuple[PlayedRound, ...]:
    """Read rounds, played or to play, each player once in each."""
    found: dict[int, PlayedRound] = {}
    for each in value.items():
        number = each.get("round").whole(1, 1000)
        each = each.named(_("round %(round)s") % {"round": number})
        if number in found:
            raise each.fault(_("this round is given twice."))
        found[number] = _round(each, number, known, terms)
    return tuple(found.values())


def _round(value: Value, number: int, known: set[int], terms: Scoring) -> PlayedRound:
    sheets: dict[int, Sheet] = {}
    for each in value.get("tables").items():
        table = each.get("table").whole(1, 1000)
        place = {"round": value.place, "table": table}
        each = each.named(_("%(round)s, table %(table)s") % place)
        if table in sheets:
            raise each.fault(_("this table is given twice."))
        sheets[table] = _sheet(each, table, known, terms)
    rest = tuple(_known(each, known) for each in value.get("rest").items())
    seen: set[Player] = set()
    for player in (*(who for sheet in sheets.values() for who in sheet.seats), *rest):
        if player in seen:
            raise value.fault(_("player %(player)s is there twice.") % {"player": player})
        seen.add(player)
    return PlayedRound(number, tuple(sheets.values()), rest)


def _sheet(value: Value, table: int, known: set[int], terms: Scoring) -> Sheet:
    seats = [_known(each, known) for each in value.get("seats").items()]
    if len(seats) != 4:
        raise value.fault(_("a table has four seats."))
    score = tuple(each.whole() for each in value.get("score").items())
    extras = tuple(each.whole() for each in value.get("extras").items())
    fault = terms.fault(score, extras) if score else ""
    if fault:
        raise value.fault(fault)
    return Sheet(table, (seats[0], seats[1], seats[2], seats[3]), score, extras)


def _known(value: Value, known: set[int]) -> int:
    number = value.whole()
    if number not in known:
        raise value.fault(_("nobody has the number %(number)s.") % {"number": number})
    return number


def _cards(value: Value, known: set[int]) -> tuple[Card, ...]:
    found: dict[tuple[int, int], Card] = {}
    for each in value.items():
        number = _known(each.get("number"), known)
        each = each.named(_("total of player %(number)s") % {"number": number})
        part = 1 if each.get("part").is_missing else each.get("part").whole(1, 100)
        if (number, part) in found:
            raise each.fault(_("this card was handed in already."))
        rests = 0 if each.get("rests").is_missing else each.get("rests").whole(0, 100)
        found[number, part] = Card(number, part, each.get("total").whole(), rests)
    return tuple(found.values())


def _prize(value: Value) -> Prize:
    field = "all" if value.get("field").is_missing else value.get("field").text()
    if field not in ("all", *ROLES) and not field.startswith(("club:", "fort:")):
        raise value.get("field").fault(
            _("this must be all, first, second, club:NAME or fort:NAME.")
        )
    return Prize(
        words=value.get("words").text(),
        field=field,
        measure=_measure(value.get("measure")),
        count=_count(value.get("count"), 1),
        ties=Ties.SHARE
        if value.get("ties").is_missing
        else Ties(value.get("ties").one_of([*Ties])),
        places=tuple(each.whole(1, 10_000) for each in value.get("places").items()),
        then=tuple(_measure(each) for each in value.get("then").items()),
        round=_count(value.get("round"), 0),
        least=_count(value.get("least"), 0),
        won=tuple(each.player() for each in value.get("won").items()),
        cut_by=tuple(each.player() for each in value.get("cut_by").items()),
    )


def _count(value: Value, otherwise: int) -> int:
    return otherwise if value.is_missing else value.whole(0, 10_000)


def _measure(value: Value) -> str:
    code = value.text()
    try:
        measure_named(code)
    except UnreadableDrive as problem:
        raise value.fault(str(problem)) from None
    return code


def _known_tie(value: Value) -> str:
    code = value.text()
    try:
        tie_break(code)
    except UnreadableDrive as problem:
        raise value.fault(str(problem)) from None
    return code


def _award(value: Value) -> Award:
    number = value.get("number")
    return Award(
        value.get("prize").whole(1, 1000),
        None if number.is_missing else number.player(),
        "" if value.get("why").is_missing else value.get("why").text(),
    )


def numbers_of(played: Sequence[PlayedRound], rounds: int | None) -> list[int]:
    """The numbers of all rounds, played or planned, in their order."""
    planned = range(1, (rounds or 0) + 1)
    return sorted({*planned, *(each.number for each in played)})
