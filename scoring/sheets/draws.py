"""Page data of drawn rounds: each match with its table and the reason why it was drawn.

The matches are listed by table, the entries by name.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from clubs.audit import describe_author
from clubs.name_order import sort_by_name
from printing.values import Heading
from scoring.secrecy import can_see_results, can_see_standings
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.headings import build_heading
from scoring.sheets.short_names import list_names_by_partner
from tournaments.models import SeatingChange, Section
from tournaments.seating_snapshot import read_withdrawn_places
from tournaments.swiss import reasons, rounds
from tournaments.swiss.plan import SwissPlan, read_plan


@dataclass(frozen=True, slots=True)
class DrawnMatch:
    """One match of a round: its tables, its two sides, and the reason for the pairing."""

    table: str  # "7", for teams "7–8"
    ns: int  # the entry N-S, or the home team
    ns_name: str
    ew: int  # the entry E-W, or the visiting team
    ew_name: str
    reason: str


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    """One entry's seat in a round, in the list by name."""

    name: str
    entry_number: int  # the number of the entry
    table_label: str  # "" for a sit-out
    side_text: str
    opponents: str
    reason: str


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A drawn round: its matches, its entries by name, and the record of the draw."""

    heading: Heading
    round: int
    section: str
    matches: tuple[DrawnMatch, ...]
    lines: tuple[DrawnSeat, ...]  # a line for each entry, sorted by name
    sit_outs: tuple[tuple[int, str, str], ...]  # number, name, reason
    seed: str
    sha256: str
    drawn_at: datetime | None = None
    drawn_by: str = ""
    change_id: int = 0  # the primary key of the seating change; 0 for the first round
    has_correction_note: bool = False  # whether scores were corrected after the draw
    has_begun: bool = False
    section_round_count: int = 1  # the number of the section's rounds in which it is played
    has_three_way_match: bool = False

    @property
    def sit_out_numbers(self) -> tuple[int, ...]:
        """The numbers of the entries that sit out."""
        return tuple(entry_number for entry_number, _name, _reason in self.sit_outs)

    @property
    def undoable_change_id(self) -> int | None:
        """The primary key of the seating change that drew the round; None for round 1."""
        return self.change_id or None

    @property
    def rounds(self) -> range:
        """The rounds of the section's movement in which the drawn round is played."""
        return range(self.round, self.round + self.section_round_count)

    @property
    def lines_sorted_by_name(self) -> list[DrawnSeat]:
        """The lines sorted by surname; an entry has one line for each player."""
        drawn_seats = [
            replace(drawn_seat, name=name)
            for drawn_seat in self.lines
            for name in list_names_by_partner(drawn_seat.name)
        ]
        return sort_by_name(drawn_seats, lambda drawn_seat: drawn_seat.name)

    @property
    def title(self) -> str:
        """The title of the round."""
        if self.section_round_count == 1:
            return _("Round %(round)s") % {"round": self.round}
        title = _("Rounds %(first)s and %(last)s")
        return title % {"first": self.round, "last": self.rounds[-1]}

    @property
    def note(self) -> str:
        """The note below the list: about halves, three-way matches, and corrected scores."""
        notes = []
        if self.section_round_count > 1:
            notes.append(_("Each match has two halves of one round each."))
        if self.has_three_way_match:
            notes.append(
                _("In three-way matches N-S stay, E-W move down one table, boards move up one.")
            )
        if self.has_correction_note:
            notes.append(_("Drawn before a score was corrected (draw kept)."))
        return " ".join(notes)


def load_drawn_rounds(snapshot: SessionSnapshot) -> list[DrawnRound]:
    """Load all drawn rounds in force, the last first; one query, or none without a draw."""
    drawn_sections = [section for section in snapshot.sections if read_plan(section.options)]
    if not drawn_sections:
        return []
    changes = snapshot.session.changes.filter(undone_at=None, what__kind="drawn")
    change_by_round = {
        (seating_change.before["letter"], seating_change.what["round"]): seating_change
        for seating_change in changes
    }
    return [
        _build_drawn_round(
            snapshot, section, round_number, change_by_round.get((section.letter, round_number))
        )
        for section in drawn_sections
        for round_number in _list_draw_start_rounds(section)
    ]


def _list_draw_start_rounds(section: Section) -> list[int]:
    """List the rounds of a section's movement that start a drawn round, the last first."""
    plan = read_plan(section.options)
    rounds_per_draw = plan.halves if plan else 1
    return list(range(1, section.rounds + 1, rounds_per_draw))[::-1]


def load_last_drawn_rounds(snapshot: SessionSnapshot) -> list[DrawnRound]:
    """Load the last drawn round of each section."""
    last_drawn_round_by_section: dict[str, DrawnRound] = {}
    for drawn_round in load_drawn_rounds(snapshot):
        last_drawn_round_by_section.setdefault(drawn_round.section, drawn_round)
    return list(last_drawn_round_by_section.values())


def load_last_public_drawn_rounds(snapshot: SessionSnapshot) -> list[DrawnRound]:
    """Load the last drawn round of each section.

    The reasons of a draw are left out unless the scores that it used are public.
    """
    return [
        drawn_round
        if _can_show_reasons(snapshot, drawn_round)
        else _remove_reasons(drawn_round)
        for drawn_round in load_last_drawn_rounds(snapshot)
    ]


def _remove_reasons(drawn_round: DrawnRound) -> DrawnRound:
    return replace(
        drawn_round,
        lines=tuple(replace(drawn_seat, reason="") for drawn_seat in drawn_round.lines),
    )


def _can_show_reasons(snapshot: SessionSnapshot, drawn_round: DrawnRound) -> bool:
    """Return whether the scores that a draw used are public; the draw of round 1 used none.

    A draw with missing results used parts of rounds, which reveal single boards. A draw also
    used all results of the other sessions, even if one of them is still in play.
    """
    if not drawn_round.change_id:
        return True
    event = snapshot.session.event
    other_sessions = (
        session for session in event.sessions.all() if session.pk != snapshot.session.pk
    )
    if any(session.state == session.State.OPEN for session in other_sessions):
        return False
    plan_by_section = {
        section.letter: read_plan(section.options) for section in snapshot.sections
    }
    plan = plan_by_section[drawn_round.section]
    last_counting_round = (
        plan.get_last_section_round(
            plan.find_last_counting_round(plan.find_drawn_round(drawn_round.round))
        )
        if plan
        else 0
    )
    earlier_tables = (
        seated_table
        for seated_table in snapshot.tables
        if seated_table.section == drawn_round.section
        and seated_table.round <= last_counting_round
    )
    return can_see_standings(event) and all(
        can_see_results(snapshot, board_number)
        for table in earlier_tables
        if table.is_played
        for board_number in table.boards
    )


def _build_drawn_round(
    snapshot: SessionSnapshot,
    section: Section,
    first_round_number: int,
    change: SeatingChange | None,
) -> DrawnRound:
    """Load a drawn round, with the stored reasons of its draw."""
    draw_record = _get_draw_record(section, first_round_number, change)
    name_by_entry = {
        place.entry.number: place.entry.name for place in snapshot.places if place.entry
    }
    plan = read_plan(section.options)
    section_tables = [
        seated_table
        for seated_table in snapshot.tables
        if seated_table.section == section.letter and seated_table.is_played
    ]
    first_round_tables = [
        seated_table
        for seated_table in section_tables
        if seated_table.round == first_round_number
    ]
    half_count = plan.halves if plan else 1
    drawn_round_tables = [
        seated_table
        for seated_table in section_tables
        if first_round_number <= seated_table.round < first_round_number + half_count
    ]
    draw_reasons = _build_reasons(draw_record, name_by_entry)
    if plan is not None and not draw_record["sha256"]:
        draw_record |= _derive_draw_record(
            snapshot, section, plan, first_round_number, drawn_round_tables
        )
    bracket_title = _get_bracket_title(draw_record)
    matches = _build_matches(
        snapshot,
        first_round_tables,
        draw_reasons,
        bracket_title,
        draw_record.get("three_way", ()),
    )
    # A draw without a stored checksum has no stored reasons either.
    known_reasons = draw_reasons if draw_record["sha256"] else None
    seated_entry_numbers = {
        entry_number for match in matches for entry_number in (match.ns, match.ew)
    }
    sit_outs = tuple(
        (
            entry_number,
            name_by_entry.get(entry_number, ""),
            _explain_sit_out(known_reasons, entry_number, bracket_title),
        )
        for entry_number in draw_record["sit_out"]
        if entry_number not in seated_entry_numbers
    )
    return DrawnRound(
        heading=build_heading(snapshot.session, section.letter, len(snapshot.sections)),
        round=first_round_number,
        section=section.letter,
        matches=matches,
        lines=_build_drawn_seats(matches, sit_outs),
        sit_outs=sit_outs,
        seed=draw_record["input"]["seed"],
        sha256=draw_record["sha256"],
        drawn_at=change.at if change else None,
        drawn_by=describe_author(change.by) if change else "",
        change_id=change.pk if change else 0,
        has_correction_note=bool(change and change.what.get("told")),
        has_begun=any(
            snapshot.has_result_or_ruling(table, board_number)
            for table in drawn_round_tables
            for board_number in table.boards
        ),
        section_round_count=half_count,
        has_three_way_match=bool(draw_record.get("three_way")),
    )


def _get_bracket_title(draw_record: Mapping[str, Any]) -> str:
    """Return the title of the bracket round that is played; empty in a Swiss round."""
    bracket_round_number = draw_record.get("knockout")
    return (
        _("Knock-out, round %(round)s") % {"round": bracket_round_number}
        if bracket_round_number
        else ""
    )


def _derive_draw_record(
    snapshot: SessionSnapshot,
    section: Section,
    plan: SwissPlan,
    first_round_number: int,
    tables: Sequence[SeatedTable],
) -> dict[str, Any]:
    """Derive a draw that is not stored from the seating, e.g. for an imported event.

    Entries without a table sit out, except those that withdrew; in a bracket only byes sit out.
    """
    opponents_by_entry: dict[int, set[int]] = {}
    for table in tables:
        ns_entry_number, ew_entry_number = table.ns.entries[0], table.ew.entries[0]
        opponents_by_entry.setdefault(ns_entry_number, set()).add(ew_entry_number)
        opponents_by_entry.setdefault(ew_entry_number, set()).add(ns_entry_number)
    drawn_round_number = plan.find_drawn_round(first_round_number)
    sit_out_numbers = _find_present_entries(snapshot, section, first_round_number) - set(
        opponents_by_entry
    )
    bracket_data = (
        {"knockout": (drawn_round_number - 1) // plan.segments + 1} if plan.knockout else {}
    )
    return {
        "three_way": [
            entry_number
            for entry_number, opponent_numbers in opponents_by_entry.items()
            if len(opponent_numbers) > 1
        ],
        "sit_out": sorted(sit_out_numbers)
        if drawn_round_number == 1 or not plan.knockout
        else [],
        **bracket_data,
    }


def _find_present_entries(
    snapshot: SessionSnapshot, section: Section, round_number: int
) -> set[int]:
    """Return the entries of a section in a round, without those that withdrew before."""
    withdrawn_place_numbers = {
        place_number
        for place_number, withdrawal_round_number in read_withdrawn_places(
            section.options
        ).items()
        if withdrawal_round_number <= round_number
    }
    occupied_places = [
        place for place in snapshot.places if place.section_id == section.pk and place.entry
    ]
    withdrawn_entry_numbers = {
        place.entry.number
        for place in occupied_places
        if place.entry and place.number in withdrawn_place_numbers
    }
    later_seated_entry_numbers = {
        entry_number
        for table in snapshot.tables
        if table.section == section.letter and table.round >= round_number and table.is_played
        for entry_number in (*table.ns.entries, *table.ew.entries)
    }
    return {place.entry.number for place in occupied_places if place.entry} - (
        withdrawn_entry_numbers - later_seated_entry_numbers
    )


def _explain_sit_out(
    draw_reasons: reasons.DrawReasons | None, entry_number: int, bracket_title: str
) -> str:
    if bracket_title:
        return _("bye: goes through without a match")
    return (
        draw_reasons.explain_sit_out(entry_number)
        if draw_reasons and entry_number in draw_reasons.entry_by_id
        else ""
    )


def _get_draw_record(
    section: Section, first_round_number: int, change: SeatingChange | None
) -> dict[str, Any]:
    """Return the stored record of a draw, which is incomplete in copied and imported events."""
    if change is not None:
        return dict(change.what["draw"])
    first_draw_record: dict[str, Any] = section.options["swiss"]["first"]
    if first_round_number == 1:
        return dict(first_draw_record)
    unrecorded_draw_input = first_draw_record["input"] | {
        "round": first_round_number,
        "seed": "",
        "history": [],
    }
    return {"input": unrecorded_draw_input, "pairings": [], "sit_out": [], "sha256": ""}


def _build_reasons(
    draw_record: Mapping[str, Any], name_by_entry: Mapping[int, str]
) -> reasons.DrawReasons:
    """Return the sentences that explain a stored draw."""
    named_field = rounds.build_draw_field_with_names(draw_record["input"], name_by_entry)
    pairings = [
        (ns_entry_number, ew_entry_number)
        for _table, ns_entry_number, ew_entry_number in draw_record["pairings"]
    ]
    return reasons.DrawReasons(
        named_field, pairings, is_by_seeds=bool(pairings) and not draw_record["objective"]
    )


def _build_matches(
    snapshot: SessionSnapshot,
    tables: list[SeatedTable],
    draw_reasons: reasons.DrawReasons,
    bracket_title: str = "",
    three_way_entry_numbers: Collection[int] = (),
) -> tuple[DrawnMatch, ...]:
    """Return the matches as seated; in a team event both tables are one match."""
    matches_by_entry_numbers: dict[frozenset[int], DrawnMatch] = {}
    for table in tables:
        ns_entry_number, ew_entry_number = table.ns.entries[0], table.ew.entries[0]
        entry_numbers_of_match = frozenset((ns_entry_number, ew_entry_number))
        if entry_numbers_of_match in matches_by_entry_numbers:
            first_match = matches_by_entry_numbers[entry_numbers_of_match]
            both_table_labels = f"{first_match.table}–{table.label}"
            matches_by_entry_numbers[entry_numbers_of_match] = DrawnMatch(
                both_table_labels,
                first_match.ns,
                first_match.ns_name,
                first_match.ew,
                first_match.ew_name,
                first_match.reason,
            )
            continue
        side_names = (
            _format_entry_name(snapshot, ns_entry_number),
            _format_entry_name(snapshot, ew_entry_number),
        )
        reason = (
            _("Changed after the draw.") if draw_reasons.opponent_by_entry else bracket_title
        )
        if draw_reasons.opponent_by_entry.get(ns_entry_number) == ew_entry_number:
            reason = bracket_title or draw_reasons.explain_match(
                ns_entry_number, ew_entry_number
            )
        if entry_numbers_of_match <= set(three_way_entry_numbers):
            reason = _("Three-way: each plays half a match against both others.")
        matches_by_entry_numbers[entry_numbers_of_match] = DrawnMatch(
            table.label, ns_entry_number, side_names[0], ew_entry_number, side_names[1], reason
        )
    return tuple(matches_by_entry_numbers.values())


def _format_entry_name(snapshot: SessionSnapshot, entry_number: int) -> str:
    entries = (place.entry for place in snapshot.places if place.entry)
    return next((entry.name for entry in entries if entry.number == entry_number), "")


def _build_drawn_seats(
    matches: tuple[DrawnMatch, ...], sit_outs: tuple[tuple[int, str, str], ...]
) -> tuple[DrawnSeat, ...]:
    drawn_seats = [
        DrawnSeat(name, entry_number, "", "", "", reason)
        for entry_number, name, reason in sit_outs
    ]
    for match in matches:
        is_at_two_tables = "–" in match.table
        side_texts = (_("home"), _("away")) if is_at_two_tables else (_("N-S"), _("E-W"))
        ns_text, ew_text = (
            f"{entry_number} {name}"
            for entry_number, name in ((match.ns, match.ns_name), (match.ew, match.ew_name))
        )
        drawn_seats.append(
            DrawnSeat(
                match.ns_name, match.ns, match.table, side_texts[0], ew_text, match.reason
            )
        )
        drawn_seats.append(
            DrawnSeat(
                match.ew_name, match.ew, match.table, side_texts[1], ns_text, match.reason
            )
        )
    return tuple(sort_by_name(drawn_seats, lambda drawn_seat: drawn_seat.name))
