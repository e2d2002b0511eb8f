"""The schema of the file of a rubber night, with all seats, cuts and hands.

docs/rubber.md describes the format. A spell is a series of hands that the same four players
play in the same partnerships. Players have numbers in the file. The scoring engine uses these
numbers, as text, as the players' names.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from drives.prizes.lot import compute_commitment
from rubbers.files.rubber_file import (
    PersonName,
    TermChanges,
    build_side_counts_data,
    read_law_code,
)
from rubbers.rubber.codes import LawCode
from rubbers.rubber.cuts import MAX_TABLE_MEMBERS
from rubbers.rubber.dummy import DUMMY_NAME, is_valid_seating
from rubbers.rubber.errors import UnplayableHand, UnreadableRubber
from rubbers.rubber.hands import Hand
from rubbers.rubber.night import (
    MemberTotals,
    Night,
    Spell,
    TableMembership,
    list_members,
    rank_members,
    rank_members_of_tables,
)
from rubbers.rubber.seating import Cuts, decide_seating, decide_seats_by_draw
from rubbers.rubber.terms import RubberTerms, change_terms
from server.json_reader.formats import (
    JsonKey,
    build_list_reader,
    build_mapping_reader,
    read_document,
    report_duplicates,
)
from server.json_reader.problems import JsonPath, format_value
from server.json_reader.values import build_whole_number_reader, read_date_text

FORMAT, VERSION = "overplay-rubbers", 1
CUT_BY_LOT, CUT_BY_CARDS = "lot", "cards"
"""The sources of cuts: a random draw from the sealed secret, or cards at the table."""
MAX_PLAYERS, MAX_TABLES, MAX_SPELLS = 600, 100, 200


def _read_hex(value: Any, json_path: JsonPath) -> Any:
    try:
        parsed_bytes = bytes.fromhex(value)
    except (TypeError, ValueError):
        parsed_bytes = None
    if parsed_bytes is None or len(parsed_bytes) > 512:
        return json_path.report(_("this isn’t hexadecimal"))
    return parsed_bytes


@dataclass(frozen=True, kw_only=True)
class NightFilePlayer:
    """A player's number and name."""

    number: Annotated[int, build_whole_number_reader(1, 9999)]
    name: PersonName


@dataclass(frozen=True, kw_only=True)
class NightFileMember:
    """A member of a table from spell `since` to spell `until`, or to the end if it is None."""

    number: int
    since: Annotated[int, build_whole_number_reader(1, 9999)] = 1
    until: Annotated[int | None, build_whole_number_reader(0, 9999)]

    def validate(self, json_path: JsonPath) -> None:
        """Report a member who leaves before arriving."""
        if self.until is not None and self.until < self.since - 1:
            json_path.report(_("a player cannot leave before joining"))


@dataclass(frozen=True, kw_only=True)
class NightFileCuts(Cuts):
    """The cards that were cut before a spell, and whether a lot or the players drew them."""

    by: Literal["lot", "cards"] | None


@dataclass(frozen=True, kw_only=True)
class NightFileSpell:
    """The hands that four players played in fixed partnerships."""

    seats: tuple[int, int, int, int]
    dealer: int
    cuts_in_file: Annotated[NightFileCuts | None, JsonKey("cuts")]
    substitutes_in_file: Annotated[
        dict[str, str], JsonKey("substitutes"), build_mapping_reader(PersonName)
    ] = field(default_factory=dict)
    hands: tuple[Hand, ...] = ()

    @property
    def cut_source(self) -> str:
        """The source of the cuts: "lot", "cards", or "" if the players chose their seats."""
        return (self.cuts_in_file and self.cuts_in_file.by) or ""

    @property
    def cuts(self) -> Cuts:
        """The cuts in the format of the scoring engine."""
        cuts = self.cuts_in_file or Cuts()
        return Cuts(leaving_cuts=cuts.leaving_cuts, seat_cuts=cuts.seat_cuts)

    @property
    def substitutes(self) -> dict[int, str]:
        """The name of each substitute, by the number of the replaced member."""
        return {
            int(number_text): name for number_text, name in self.substitutes_in_file.items()
        }

    @property
    def spell_for_scoring(self) -> Spell:
        """The spell in the format of the scoring engine."""
        return Spell.from_seats(self.seats, self.hands)

    def validate(self, json_path: JsonPath) -> None:
        """Report invalid seats, or a dealer who is not seated."""
        if not is_valid_seating(list(map(str, self.seats))) or self.dealer not in self.seats:
            json_path.report(_("enter four different players, one of them the dealer"))
        elif int(DUMMY_NAME) in self.seats and self.dealer != int(DUMMY_NAME):
            json_path.report(_("dummy deals first, so the dealer must be 0"))


@dataclass(frozen=True, kw_only=True)
class NightFileTable:
    """A table with its members and spells."""

    number: Annotated[int, JsonKey("table"), build_whole_number_reader(1, MAX_TABLES)]
    members: tuple[NightFileMember, ...]
    spells: Annotated[
        tuple[NightFileSpell, ...], build_list_reader(NightFileSpell, 0, MAX_SPELLS)
    ] = ()

    def to_night(self, terms: RubberTerms, *, is_closed: bool) -> Night:
        """Return the table as a `Night`, the input of the scoring engine."""
        members = [
            TableMembership(str(member.number), member.since, member.until)
            for member in self.members
        ]
        spells = tuple(spell.spell_for_scoring for spell in self.spells)
        return Night(terms=terms, members=tuple(members), spells=spells, is_closed=is_closed)

    def iter_player_numbers(self, json_path: JsonPath) -> Iterator[tuple[JsonPath, str]]:
        """Yield (place, number) for each player number in members, substitutes and seats.

        Dummies are omitted.
        """
        for member_path, member in json_path.iter_items("members", self.members):
            yield member_path.get_key_path("number"), str(member.number)
        for spell_path, spell in json_path.iter_items("spells", self.spells):
            for player_number in spell.substitutes_in_file:
                yield (
                    spell_path.get_key_path("substitutes").get_key_path(player_number),
                    player_number,
                )
            for seat_path, seat_number in spell_path.iter_items("seats", spell.seats):
                if str(seat_number) != DUMMY_NAME:
                    yield seat_path, str(seat_number)


@dataclass(frozen=True, kw_only=True)
class NightFile:
    """A rubber night as read from its file."""

    version: Annotated[int, build_whole_number_reader(VERSION, VERSION)]
    name: PersonName
    date: Annotated[str, read_date_text] = ""
    uid: UUID | None
    revision: Annotated[int | None, build_whole_number_reader(0, 10**9)]
    code: Annotated[LawCode, read_law_code]
    term_changes: Annotated[TermChanges, JsonKey("terms")] = field(default_factory=dict)
    """The terms in which the night differs from its code of laws, by key."""
    state: Literal["open", "closed"] = "open"
    paper: Literal["A4", "A5", "Letter"] = "A4"
    players_in_file: Annotated[
        tuple[NightFilePlayer, ...],
        JsonKey("players"),
        build_list_reader(NightFilePlayer, 0, MAX_PLAYERS),
    ]
    tables_in_file: Annotated[
        tuple[NightFileTable, ...], JsonKey("tables"), build_list_reader(NightFileTable)
    ]
    secret: Annotated[bytes, _read_hex] = b""
    commitment_in_file: Annotated[bytes, JsonKey("commitment"), _read_hex] = b""
    standing: Any = None
    """The standings in the file as JSON data; None if the file has no standings."""

    @property
    def is_closed(self) -> bool:
        """Whether the night is closed."""
        return self.state == "closed"

    @property
    def commitment(self) -> str:
        """The published commitment to the secret."""
        return self.commitment_in_file.hex()

    @property
    def terms(self) -> RubberTerms:
        """The terms of the code with `term_changes` applied; may raise UnplayableHand."""
        return change_terms(self.code.terms, self.term_changes)

    @property
    def players(self) -> dict[int, str]:
        """The names of the players, by number."""
        return {
            player_in_file.number: player_in_file.name
            for player_in_file in self.players_in_file
        }

    @cached_property
    def tables(self) -> tuple["ParsedTable", ...]:
        """The tables by number, each with its `Night`, the input of the scoring engine."""
        return tuple(
            ParsedTable(
                table_in_file.number,
                table_in_file.spells,
                table_in_file.to_night(self.terms, is_closed=self.is_closed),
            )
            for table_in_file in sorted(
                self.tables_in_file, key=lambda table_in_file: table_in_file.number
            )
        )

    def validate(self, json_path: JsonPath) -> None:
        """Report duplicate or unknown numbers, invalid terms and invalid tables."""
        players_with_paths = json_path.iter_items("players", self.players_in_file)
        report_duplicates(
            (item_path.get_key_path("number"), player_in_file.number)
            for item_path, player_in_file in players_with_paths
        )
        tables_with_paths = list(json_path.iter_items("tables", self.tables_in_file))
        report_duplicates(
            (item_path.get_key_path("table"), table_in_file.number)
            for item_path, table_in_file in tables_with_paths
        )
        known_numbers = {str(player_number) for player_number in self.players}
        numbers_with_paths = (
            path_and_number
            for item_path, table in tables_with_paths
            for path_and_number in table.iter_player_numbers(item_path)
        )
        for item_path, player_number in numbers_with_paths:
            if player_number not in known_numbers:
                item_path.report(
                    _("player %(number)s not found"), number=format_value(player_number)
                )
        try:
            _terms = self.terms
        except UnplayableHand as problem:
            json_path.get_key_path("terms").report(str(problem))
        for item_path, table in [] if json_path.problems else tables_with_paths:
            _validate_night(table.to_night(self.terms, is_closed=self.is_closed), item_path)


def _validate_night(night: Night, json_path: JsonPath) -> None:
    try:
        rank_members(night)
    except UnreadableRubber as problem:
        json_path.report(str(problem))
    else:
        if len(list_members(night, len(night.spells) + 1)) > MAX_TABLE_MEMBERS:
            message = _("a table can have at most %(most)s players")
            json_path.get_key_path("members").report(message, most=MAX_TABLE_MEMBERS)


class ParsedTable(NamedTuple):
    """A table of a file, with its `Night`, the input of the scoring engine."""

    number: int
    spells: tuple[NightFileSpell, ...]
    night: Night


def build_hand_data(hand: Hand) -> dict[str, Any]:
    """Return a hand as JSON data for the night file, without default values."""
    hand_data: dict[str, Any] = {}
    if hand.tricks is not None:
        hand_data["tricks"] = build_side_counts_data(hand.tricks)
    if any(hand.honours):
        hand_data["honours"] = build_side_counts_data(hand.honours)
    if not hand.are_honours_claimed:
        hand_data["claimed"] = False
    if hand.revokes:
        hand_data["revokes"] = [
            {"by": revoke.by.value}
            | ({"penalty": revoke.penalty.value} if revoke.penalty else {})
            | ({"dummy": True} if revoke.is_by_dummy else {})
            for revoke in hand.revokes
        ]
    if hand.calling_side is not None:
        hand_data["called"] = hand.calling_side.value
    return hand_data


def build_stored_cuts_data(cut_source: str, cuts: Cuts) -> dict[str, Any]:
    """Return cuts as JSON data for the database and night files; {} if `cut_source` is ""."""
    if not cut_source:
        return {}
    return {
        "by": cut_source,
        "out": [dict(cut) for cut in cuts.leaving_cuts],
        "in": [dict(cut) for cut in cuts.seat_cuts],
    }


def build_standings_data(standings: list[MemberTotals]) -> list[dict[str, int]]:
    """Return standings as JSON data for the night file."""
    return [
        {"number": int(totals.player_key), "rank": totals.rank, "points": totals.points}
        for totals in sorted(
            standings, key=lambda totals: (totals.rank, int(totals.player_key))
        )
    ]


def parse_night_file(document: str | Mapping[str, Any]) -> NightFile:
    """Parse and validate the file of a night.

    Raises UnreadableRubber, whose message begins with the path of the invalid value.
    """
    return read_document(document, NightFile, UnreadableRubber, format=FORMAT)


def find_inconsistencies(night_file: NightFile) -> list[str]:
    """Return messages if a file's secret, cuts, seats, hands and standings are inconsistent."""
    differences = []
    for table in night_file.tables:
        for spell_number, spell_in_file in enumerate(table.spells, start=1):
            spell_text = _("table %(table)s, partnership %(spell)s") % {
                "table": table.number,
                "spell": spell_number,
            }
            differences += _list_seating_mismatches(
                night_file, table, spell_number, spell_in_file, spell_text
            )
    differences += _list_secret_problems(night_file)
    standings = rank_members_of_tables(rank_members(table.night) for table in night_file.tables)
    if night_file.standing is not None and night_file.standing != build_standings_data(
        standings
    ):
        differences.append(_("the standings don’t match the hands"))
    return differences


def _list_secret_problems(night_file: NightFile) -> list[str]:
    """Return a message if the secret is wrong, or missing although cuts were random."""
    if night_file.secret:
        commitment = compute_commitment(night_file.secret)
        if night_file.commitment and commitment != night_file.commitment:
            return [_("secret: it doesn’t match the published fingerprint")]
    elif any(
        spell.cut_source == CUT_BY_LOT for table in night_file.tables for spell in table.spells
    ):
        return [_("secret: not published yet, so draws can’t be checked")]
    return []


def build_lot_label(uid: object, table_number: int, spell_number: int) -> str:
    """Return the label from which the random cuts of a spell are derived.

    The format must never change, because old cuts are verified with it.
    """
    return f"overplay-rubber-cut/1:{uid}:{table_number}:{spell_number}"


def _list_seating_mismatches(
    night_file: NightFile,
    table: ParsedTable,
    spell_number: int,
    spell_in_file: NightFileSpell,
    spell_text: str,
) -> list[str]:
    """Return messages about contradictions between the seats of a spell and its cuts.

    The file does not record when a member left the table and came back. Any member who did not
    play in the spell may therefore have been absent. The seats are accepted if the cuts give
    them for some combination of absent members.
    """
    if not spell_in_file.cut_source:
        return []
    mismatch_lists: list[list[str]] = []
    for night_state in _iter_states_before_spell(table.night, spell_number):
        try:
            mismatches = _list_cut_mismatches(
                night_file, night_state, table.number, spell_number, spell_in_file
            )
        except UnreadableRubber as problem:
            mismatches = [str(problem)]
        if not mismatches:
            return []
        mismatch_lists.append(mismatches)
    return [f"{spell_text}: {mismatch}" for mismatch in mismatch_lists[0]]


def _iter_states_before_spell(night: Night, spell_number: int) -> Iterator[Night]:
    """Yield the night before a spell, for each combination of idle members as absent."""
    players = {
        name for partners in night.spells[spell_number - 1].sides.values() for name in partners
    }
    idle_names = set(list_members(night, spell_number)) - players
    idle_player_keys = [
        member.player_key
        for member in night.members
        if member.player_key in idle_names and member.first_spell_number < spell_number
    ]
    for absent_count in range(len(idle_player_keys) + 1):
        for absent_player_keys in combinations(idle_player_keys, absent_count):
            yield Night(
                terms=night.terms,
                members=tuple(
                    member._replace(last_spell_number=spell_number - 1)
                    if member.player_key in absent_player_keys
                    else member
                    for member in night.members
                ),
                spells=night.spells[: spell_number - 1],
            )


def _list_cut_mismatches(
    night_file: NightFile,
    night_state: Night,
    table_number: int,
    spell_number: int,
    spell_in_file: NightFileSpell,
) -> list[str]:
    cuts = spell_in_file.cuts
    mismatches = []
    if spell_in_file.cut_source == CUT_BY_LOT and night_file.secret:
        _seating, cuts = decide_seats_by_draw(
            night_state,
            night_file.secret,
            build_lot_label(night_file.uid, table_number, spell_number),
        )
        if cuts != spell_in_file.cuts:
            mismatches.append(_("the draw gives different cards"))
    seats = decide_seating(night_state, cuts).seats
    if seats != tuple(map(str, spell_in_file.seats)):
        mismatches.append(_("the cards give different seats"))
    return mismatches


def parse_cuts(cuts_data: Mapping[str, object], cuts_label: str) -> Cuts:
    """Parse stored cuts, with card ranks as numbers from 1 (ace) to 13 (king).

    Error messages begin with `cuts_label`.
    """
    return read_document(
        dict(cuts_data),
        Cuts,
        UnreadableRubber,
        path=cuts_label,
        should_ignore_unknown_keys=True,
    )
