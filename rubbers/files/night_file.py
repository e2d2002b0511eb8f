"""The file of a rubber night, with all seats, cuts and hands; docs/rubber.md.

Reading validates everything: an impossible value is refused with its place. The file refers to
players by number, which is also their name for the scoring engine.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from drives.prizes.lot import compute_commitment
from rubbers.files.rubber_file import Changes, Name, build_count_data, read_code
from rubbers.rubber.codes import Code
from rubbers.rubber.cuts import MAX_MEMBERS
from rubbers.rubber.dummy import DUMMY_NAME, is_seating
from rubbers.rubber.errors import UnplayableHand, UnreadableRubber
from rubbers.rubber.hands import Hand
from rubbers.rubber.night import (
    MemberTotals,
    Night,
    Spell,
    TableMembership,
    list_members,
    rank_members,
    rank_tables_together,
)
from rubbers.rubber.seating import Cuts, decide_by_lot, decide_seating
from rubbers.rubber.terms import RubberTerms, change_terms
from server.json_reader.formats import (
    Key,
    list_of,
    mapping_of,
    read_document,
    report_duplicates,
)
from server.json_reader.problems import JsonPlace, format_value
from server.json_reader.values import date_text, whole_number

FORMAT, VERSION = "overplay-rubbers", 1
LOT, CARDS = "lot", "cards"
MAX_PLAYERS, MAX_TABLES, MAX_SPELLS = 600, 100, 200


def _read_hex(value: Any, at: JsonPlace) -> Any:
    try:
        secret = bytes.fromhex(value)
    except (TypeError, ValueError):
        secret = None
    if secret is None or len(secret) > 512:
        return at.report(_("this isn't hexadecimal"))
    return secret


@dataclass(frozen=True, kw_only=True)
class FiledPlayer:
    """A player with the player number."""

    number: Annotated[int, whole_number(1, 9999)]
    name: Name


@dataclass(frozen=True, kw_only=True)
class FiledMember:
    """A member of a table, from the spell `since` to the spell `until`."""

    number: int
    since: Annotated[int, whole_number(1, 9999)] = 1
    until: Annotated[int | None, whole_number(0, 9999)]

    def validate(self, at: JsonPlace) -> None:
        """Check that no member leaves before arriving."""
        if self.until is not None and self.until < self.since - 1:
            at.report(_("a player cannot leave before joining"))


@dataclass(frozen=True, kw_only=True)
class FiledCuts(Cuts):
    """The cards cut for the seats of a spell, and their source: a lot or the players' cards."""

    by: Literal["lot", "cards"] | None


@dataclass(frozen=True, kw_only=True)
class FiledSpell:
    """The hands that four players played in fixed partnerships."""

    seats: tuple[int, int, int, int]
    dealer: int
    filed_cuts: Annotated[FiledCuts | None, Key("cuts")]
    filed_substitutes: Annotated[dict[str, str], Key("substitutes"), mapping_of(Name)] = field(
        default_factory=dict
    )
    hands: tuple[Hand, ...] = ()

    @property
    def cut_source(self) -> str:
        """The source of the cuts: `lot`, `cards`, or "" where the players chose their seats."""
        return (self.filed_cuts and self.filed_cuts.by) or ""

    @property
    def cuts(self) -> Cuts:
        """The cuts as a value of the scoring engine."""
        cuts = self.filed_cuts or Cuts()
        return Cuts(out=cuts.out, into=cuts.into)

    @property
    def substitutes(self) -> dict[int, str]:
        """The substitutes by the number of the member whom each replaces."""
        return {int(number): name for number, name in self.filed_substitutes.items()}

    @property
    def spell(self) -> Spell:
        """The spell as a value of the scoring engine."""
        return Spell.from_seats(self.seats, self.hands)

    def validate(self, at: JsonPlace) -> None:
        """Check that the seats are valid."""
        if not is_seating(list(map(str, self.seats))) or self.dealer not in self.seats:
            at.report(_("four different players are needed, one of them the dealer"))
        elif int(DUMMY_NAME) in self.seats and self.dealer != int(DUMMY_NAME):
            at.report(_("dummy deals first, so the dealer must be 0"))


@dataclass(frozen=True, kw_only=True)
class FiledTable:
    """A table with its members and spells."""

    number: Annotated[int, Key("table"), whole_number(1, MAX_TABLES)]
    members: tuple[FiledMember, ...]
    spells: Annotated[tuple[FiledSpell, ...], list_of(FiledSpell, 0, MAX_SPELLS)] = ()

    def to_night(self, terms: RubberTerms, *, closed: bool) -> Night:
        """The table as a value of the scoring engine."""
        members = [
            TableMembership(str(member.number), member.since, member.until)
            for member in self.members
        ]
        spells = tuple(spell.spell for spell in self.spells)
        return Night(terms=terms, members=tuple(members), spells=spells, closed=closed)

    def iter_player_numbers(self, at: JsonPlace) -> Iterator[tuple[JsonPlace, str]]:
        """Yield every player number of the table except seats, with its place in the file."""
        for place, member in at.items("members", self.members):
            yield place.key("number"), str(member.number)
        for place, spell in at.items("spells", self.spells):
            for number in spell.filed_substitutes:
                yield place.key("substitutes").key(number), number
            seats = ((at, str(number)) for at, number in place.items("seats", spell.seats))
            yield from ((at, number) for at, number in seats if number != DUMMY_NAME)


@dataclass(frozen=True, kw_only=True)
class NightFile:
    """A rubber night as read from its file."""

    version: Annotated[int, whole_number(VERSION, VERSION)]
    name: Name
    date: Annotated[str, date_text] = ""
    uid: UUID | None
    revision: Annotated[int | None, whole_number(0, 10**9)]
    code: Annotated[Code, read_code]
    changes: Annotated[Changes, Key("terms")] = field(default_factory=dict)
    """The terms in which the house differs from the code."""
    state: Literal["open", "closed"] = "open"
    paper: Literal["A4", "A5", "Letter"] = "A4"
    filed_players: Annotated[
        tuple[FiledPlayer, ...], Key("players"), list_of(FiledPlayer, 0, MAX_PLAYERS)
    ]
    filed_tables: Annotated[tuple[FiledTable, ...], Key("tables"), list_of(FiledTable)]
    secret: Annotated[bytes, _read_hex] = b""
    filed_commitment: Annotated[bytes, Key("commitment"), _read_hex] = b""
    standing: Any = None
    """The standings in the file; None where it has none."""

    @property
    def closed(self) -> bool:
        """Whether the night is closed."""
        return self.state == "closed"

    @property
    def commitment(self) -> str:
        """The published commitment to the secret."""
        return self.filed_commitment.hex()

    @property
    def terms(self) -> RubberTerms:
        """The terms of the code with the house's changes; raises UnplayableHand."""
        return change_terms(self.code.terms, self.changes)

    @property
    def players(self) -> dict[int, str]:
        """The names of the players by their numbers."""
        return {filed_player.number: filed_player.name for filed_player in self.filed_players}

    @cached_property
    def tables(self) -> tuple["ParsedTable", ...]:
        """The tables in order, each with its value of the scoring engine."""
        return tuple(
            ParsedTable(
                filed_table.number,
                filed_table.spells,
                filed_table.to_night(self.terms, closed=self.closed),
            )
            for filed_table in sorted(
                self.filed_tables, key=lambda filed_table: filed_table.number
            )
        )

    def validate(self, at: JsonPlace) -> None:
        """Check the player numbers, and validate every table."""
        players = at.items("players", self.filed_players)
        report_duplicates(
            (place.key("number"), filed_table.number) for place, filed_table in players
        )
        tables = list(at.items("tables", self.filed_tables))
        report_duplicates(
            (place.key("table"), filed_table.number) for place, filed_table in tables
        )
        known_numbers = {str(number) for number in self.players}
        numbers = (
            player_number
            for place, table in tables
            for player_number in table.iter_player_numbers(place)
        )
        for place, number in numbers:
            if number not in known_numbers:
                place.report(_("player %(number)s not found"), number=format_value(number))
        try:
            _terms = self.terms
        except UnplayableHand as problem:
            at.key("terms").report(str(problem))
        for place, table in [] if at.problems else tables:
            _validate_night(table.to_night(self.terms, closed=self.closed), place)


def _validate_night(night: Night, at: JsonPlace) -> None:
    try:
        rank_members(night)
    except UnreadableRubber as problem:
        at.report(str(problem))
    else:
        if len(list_members(night, len(night.spells) + 1)) > MAX_MEMBERS:
            message = _("a table has at most %(most)s players")
            at.key("members").report(message, most=MAX_MEMBERS)


class ParsedTable(NamedTuple):
    """A table of a file, with its value for the scoring engine."""

    number: int
    spells: tuple[FiledSpell, ...]
    night: Night


def build_hand(hand: Hand) -> dict[str, Any]:
    """Return a hand in the format of files, without default values."""
    data: dict[str, Any] = {}
    if hand.tricks is not None:
        data["tricks"] = build_count_data(hand.tricks)
    if any(hand.honours):
        data["honours"] = build_count_data(hand.honours)
    if not hand.claimed:
        data["claimed"] = False
    if hand.revokes:
        data["revokes"] = [
            {"by": revoke.by.value}
            | ({"penalty": revoke.penalty.value} if revoke.penalty else {})
            | ({"dummy": True} if revoke.dummy else {})
            for revoke in hand.revokes
        ]
    if hand.called is not None:
        data["called"] = hand.called.value
    return data


def build_cuts(how: str, cuts: Cuts) -> dict[str, Any]:
    """Return cuts in the format of rows and files; empty without cuts."""
    if not how:
        return {}
    return {
        "by": how,
        "out": [dict(cut) for cut in cuts.out],
        "in": [dict(cut) for cut in cuts.into],
    }


def build_standings(tallies: list[MemberTotals]) -> list[dict[str, int]]:
    """Return standings in the format of files."""
    return [
        {"number": int(tally.player), "rank": tally.rank, "points": tally.points}
        for tally in sorted(tallies, key=lambda tally: (tally.rank, int(tally.player)))
    ]


def parse_night_file(document: str | Mapping[str, Any]) -> NightFile:
    """Read and validate the file of a night. Raises UnreadableRubber with the place."""
    return read_document(document, NightFile, UnreadableRubber, format=FORMAT)


def find_differences(file: NightFile) -> list[str]:
    """List the contradictions between a file's lots, cuts, seats and hands."""
    differences = []
    for table in file.tables:
        for number, filed_spell in enumerate(table.spells, start=1):
            place = _("table %(table)s, partnership %(spell)s") % {
                "table": table.number,
                "spell": number,
            }
            differences += _list_seating_mismatches(file, table, number, filed_spell, place)
    differences += _find_lot_faults(file)
    tallies = rank_tables_together(rank_members(table.night) for table in file.tables)
    if file.standing is not None and file.standing != build_standings(tallies):
        differences.append(_("the standings don't match the hands"))
    return differences


def _find_lot_faults(file: NightFile) -> list[str]:
    """List the reasons why the lots of a file cannot be drawn again."""
    if file.secret:
        commitment = compute_commitment(file.secret)
        if file.commitment and commitment != file.commitment:
            return [_("secret: it doesn't match the published fingerprint")]
    elif any(spell.cut_source == LOT for table in file.tables for spell in table.spells):
        return [_("secret: not published yet, so draws can't be checked")]
    return []


def build_lot_label(uid: object, table: int, spell: int) -> str:
    """Return the label of a spell's cuts, from which the random draw is derived.

    It must never change, since lots are drawn again by it.
    """
    return f"overplay-rubber-cut/1:{uid}:{table}:{spell}"


def _list_seating_mismatches(
    file: NightFile, table: ParsedTable, spell: int, filed_spell: FiledSpell, place: str
) -> list[str]:
    """List the contradictions between a spell's seats and its cuts.

    The file has no period of absence for a member who left and came back. So seats are accepted
    if
    they fit with some of the members absent: only the cards show who was there.
    """
    if not filed_spell.cut_source:
        return []
    faults: list[list[str]] = []
    for before in _iter_nights_before(table.night, spell):
        try:
            mismatches = _list_cut_mismatches(file, before, table.number, spell, filed_spell)
        except UnreadableRubber as problem:
            mismatches = [str(problem)]
        if not mismatches:
            return []
        faults.append(mismatches)
    return [f"{place}: {words}" for words in faults[0]]


def _iter_nights_before(night: Night, spell: int) -> Iterator[Night]:
    """Yield the night before a spell: first with all members, then with some absent."""
    played = {name for pair in night.spells[spell - 1].sides.values() for name in pair}
    present_members = set(list_members(night, spell)) - played
    idle_members = [
        member.player
        for member in night.members
        if member.player in present_members and member.first_spell < spell
    ]
    for count in range(len(idle_members) + 1):
        for absent_members in combinations(idle_members, count):
            yield Night(
                terms=night.terms,
                members=tuple(
                    member._replace(last_spell=spell - 1)
                    if member.player in absent_members
                    else member
                    for member in night.members
                ),
                spells=night.spells[: spell - 1],
            )


def _list_cut_mismatches(
    file: NightFile, before: Night, table: int, spell: int, filed_spell: FiledSpell
) -> list[str]:
    cuts = filed_spell.cuts
    mismatches = []
    if filed_spell.cut_source == LOT and file.secret:
        _seating, cuts = decide_by_lot(
            before, file.secret, build_lot_label(file.uid, table, spell)
        )
        if cuts != filed_spell.cuts:
            mismatches.append(_("the draw gives different cards"))
    seats = decide_seating(before, cuts).seats
    if seats != tuple(map(str, filed_spell.seats)):
        mismatches.append(_("the cards give different seats"))
    return mismatches


def parse_cuts(cuts: Mapping[str, object], place: str) -> Cuts:
    """Parse cuts given as rows, with card ranks as numbers from 1 (ace) to 13 (king)."""
    return read_document(dict(cuts), Cuts, UnreadableRubber, at=place, allow_unknown_keys=True)
