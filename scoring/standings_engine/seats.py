"""The seating of an event, as the scoring methods and the standings need it."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import QuerySet

from scoring.methods.result_line import MIN_DRAWN_ROUND_MATCH_KEY
from scoring.seated_sides import merge_seat_entries
from tournaments.models import Event, Place, SeatingChange, Section, Session, Sitting
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME
from tournaments.movements.stray_boards import BoardNumbers, list_boards_played
from tournaments.ranking_fields import EntrySeat, map_entries_to_ranking_fields
from tournaments.seating_snapshot import find_first_missed_round, read_withdrawn_places
from tournaments.swiss.plan import SwissPlan, read_plan


@dataclass(frozen=True, slots=True)
class RankedSeat:
    """An entry's field in the standings, and the label of its seat."""

    section_letter: str  # empty if the sections are ranked as one field
    ranked_side: str  # the side that is ranked: "NS", "EW", or "" for both
    label: str  # the label of the seat: "3NS", in one of several sections "A3NS"


class SittingSides(NamedTuple):
    """One sitting: the entry numbers of its two sides, and the boards on the table."""

    session_number: int  # the number of the session
    pool_section_letter: str  # the letter of the section; "" if all are compared together
    section_pk: int  # the key of the section
    round_number: int
    ns: tuple[int, ...]
    ew: tuple[int, ...]
    boards: BoardNumbers
    is_played: bool
    is_overplay: bool
    has_begun: bool = True  # whether the session was opened
    match_number: int = 0  # the value of `ResultLine.match_number` for these plays
    has_drawn_rounds: bool = False  # whether each round of the section is drawn
    is_second_half: bool = False  # whether this is not the first round of a drawn match
    is_closed: bool = False  # whether the session is over
    is_knockout: bool = False  # whether this is a match of the event's bracket


def load_seats(event: Event) -> dict[int, RankedSeat]:
    """Return the field and the seat label of each entry.

    Planned sessions count only before the first session begins, so the seats of the next
    session do not change published standings. If an entry changes its place between sessions,
    its label is the number of the entry.
    """
    place_rows = list(_query_taken_places(event.pk))
    started_session_rows = [
        place_row for place_row in place_rows if place_row[2] != Session.State.PLANNED
    ]
    place_rows = started_session_rows or place_rows
    field_key_by_entry = map_entries_to_ranking_fields(
        (
            EntrySeat(entry_number, session_id, section_letter, field_side)
            for entry_number, session_id, _, section_letter, field_side, _ in place_rows
        ),
        is_ranked_across_sections=is_one_field_across_sections(event),
    )
    section_counts = Counter(
        session_id
        for session_id, _ in {(place_row[1], place_row[3]) for place_row in place_rows}
    )
    label_by_entry: dict[int, str] = {}
    for entry_number, session_id, _state, section_letter, _side, label in place_rows:
        seat_label = f"{section_letter}{label}" if section_counts[session_id] > 1 else label
        if label_by_entry.setdefault(entry_number, seat_label) != seat_label:
            label_by_entry[entry_number] = str(entry_number)
    return {
        entry_number: RankedSeat(*field_key, label_by_entry[entry_number])
        for entry_number, field_key in field_key_by_entry.items()
    }


def _query_taken_places(event_id: int) -> QuerySet[Place, tuple[int, int, str, str, str, str]]:
    taken_places = Place.objects.filter(section__session__event=event_id, entry__isnull=False)
    ordered_places = taken_places.order_by(
        "section__session__number", "section__letter", "number"
    )
    return ordered_places.values_list(
        *("entry__number", "section__session", "section__session__state"),
        *("section__letter", "field", "label"),
    )


def is_one_field_across_sections(event: Event) -> bool:
    """Return whether all sections of the event are ranked as one field."""
    across_sections_by_session = dict(event.sessions.values_list("pk", "across_sections"))
    if not any(across_sections_by_session.values()):
        return False
    section_session_pks = list(
        Section.objects.filter(session__event=event).values_list("session", flat=True)
    )
    return all(
        across_sections_by_session[session_id]
        for session_id in section_session_pks
        if section_session_pks.count(session_id) > 1
    )


def load_sitting_sides(
    event: Event, *, section_ids: Collection[int] | None = None
) -> dict[int, SittingSides]:
    """Load the two sides of each sitting, in all sections or in some."""
    sitting_rows = list(_query_sides(event, section_ids))
    is_memory_duplicate = event.contest == Event.Contest.MEMORY
    plan_by_section = (
        _load_swiss_plans(event)
        if any(sitting_row[3] == DRAWN_MOVEMENT_NAME for sitting_row in sitting_rows)
        else {}
    )
    earlier_plays: set[tuple[int, int]] = set()
    sides_by_sitting = {}
    for (
        sitting_id,
        section_id,
        section_letter,
        movement,
        session_number,
        is_across_sections,
        boards_a_round,
        session_state,
        round_number,
        board_group,
        stray_boards,
        *seat_entries,
    ) in sitting_rows:
        first_board = (board_group - 1) * boards_a_round + 1
        plan = plan_by_section.get(section_id)
        drawn_round = plan.find_drawn_round(round_number) if plan else round_number
        sides_by_sitting[sitting_id] = SittingSides(
            session_number=session_number,
            pool_section_letter="" if is_across_sections else section_letter,
            section_pk=section_id,
            round_number=round_number,
            ns=merge_seat_entries(seat_entries[0], seat_entries[2]),
            ew=merge_seat_entries(seat_entries[1], seat_entries[3]),
            boards=list_boards_played(
                range(first_board, first_board + boards_a_round), stray_boards
            ),
            is_played=None not in seat_entries,
            is_overplay=is_memory_duplicate and (section_id, board_group) in earlier_plays,
            has_begun=session_state != Session.State.PLANNED,
            is_closed=session_state == Session.State.CLOSED,
            match_number=session_number * MIN_DRAWN_ROUND_MATCH_KEY + drawn_round
            if movement == DRAWN_MOVEMENT_NAME
            else session_number,
            has_drawn_rounds=movement == DRAWN_MOVEMENT_NAME,
            is_second_half=plan is not None
            and round_number != plan.get_first_section_round(drawn_round),
            is_knockout=plan is not None and plan.knockout,
        )
        earlier_plays.add((section_id, board_group))
    return sides_by_sitting


_SIDE_COLUMNS = (
    "pk",
    "section",
    "section__letter",
    "section__movement",
    "section__session__number",
    "section__session__across_sections",
    "section__session__boards_a_round",
    "section__session__state",
    "round",
    "board_group",
    "strays",
    "north__entry__number",
    "east__entry__number",
    "south__entry__number",
    "west__entry__number",
)


def _query_sides(
    event: Event, section_ids: Collection[int] | None
) -> QuerySet[Sitting, tuple[Any, ...]]:
    sittings = Sitting.objects.order_by("section__session__number", "round", "table")
    if section_ids is None:
        sittings = sittings.filter(section__session__event=event)
    else:
        sittings = sittings.filter(section__in=section_ids)
    return sittings.values_list(*_SIDE_COLUMNS)


def _load_swiss_plans(event: Event) -> dict[int, SwissPlan]:
    """Return the plan of each section whose rounds are drawn."""
    drawn_sections = Section.objects.filter(session__event=event, movement=DRAWN_MOVEMENT_NAME)
    plan_by_section = {
        section_id: read_plan(options)
        for section_id, options in drawn_sections.values_list("pk", "options")
    }
    return {
        section_id: plan for section_id, plan in plan_by_section.items() if plan is not None
    }


def find_sit_outs(
    event: Event, sides_by_sitting: Mapping[int, SittingSides]
) -> dict[tuple[int, int], set[int]]:
    """Return the entries that sat out each drawn round, by section and round; 0 or 3
    queries.

    A late entry sat out the rounds before its arrival. An entry that withdrew sat out only
    rounds before its withdrawal. If no withdrawal is recorded, later rounds than the last one
    that it played do not count.
    """
    drawn_section_pks = {
        sitting_sides.section_pk
        for sitting_sides in sides_by_sitting.values()
        if sitting_sides.has_drawn_rounds
    }
    if not drawn_section_pks:
        return {}
    places = Place.objects.filter(section__in=drawn_section_pks, entry__isnull=False)
    seat_rows = set(places.values_list("section", "number", "entry", "entry__number"))
    withdrawal_round_by_entry = _find_withdrawals(
        event, drawn_section_pks, {seat_row[:2]: seat_row[2] for seat_row in seat_rows}
    )
    entries_by_round: dict[tuple[int, int], set[int]] = {}
    for section_id, entry_id, entry_number in {
        (seat_row[0], *seat_row[2:]) for seat_row in seat_rows
    }:
        section_sittings = [
            sitting_sides
            for sitting_sides in sides_by_sitting.values()
            if sitting_sides.section_pk == section_id
        ]
        played_round_numbers = {
            sitting_sides.round_number
            for sitting_sides in section_sittings
            if entry_number in (*sitting_sides.ns, *sitting_sides.ew)
        }
        drawn_round_numbers = {
            sitting_sides.round_number
            for sitting_sides in section_sittings
            if not sitting_sides.is_second_half
        }
        last_counted_round = max(drawn_round_numbers)
        if (section_id, entry_id) in withdrawal_round_by_entry:
            last_counted_round = max(
                [withdrawal_round_by_entry[section_id, entry_id] - 1, *played_round_numbers]
            )
        for round_number in drawn_round_numbers - played_round_numbers:
            if round_number <= last_counted_round:
                entries_by_round.setdefault((section_id, round_number), set()).add(entry_number)
    return entries_by_round


def _find_withdrawals(
    event: Event, section_ids: Collection[int], entry_by_place: Mapping[tuple[int, int], int]
) -> dict[tuple[int, int], int]:
    """Return the first round that each withdrawn entry missed, by section and entry.

    The round is 0 if it is not recorded. Withdrawals are read from the seating changes of the
    evening, or from the file from which the section was imported.
    """
    withdrawal_round_by_entry: dict[tuple[int, int], int] = {}
    section_ids_by_letter: dict[tuple[int, str], int] = {}
    for section in Section.objects.filter(pk__in=section_ids).only(
        "session", "letter", "options"
    ):
        section_ids_by_letter[section.session_id, section.letter] = section.pk
        for withdrawn_place, missed_round in read_withdrawn_places(section.options).items():
            if (section.pk, withdrawn_place) in entry_by_place:
                withdrawal_round_by_entry[
                    section.pk, entry_by_place[section.pk, withdrawn_place]
                ] = missed_round
    changes = SeatingChange.objects.filter(session__event=event, undone_at=None).order_by("pk")
    for session_id, seating_after, change_data in changes.values_list(
        "session", "after", "what"
    ):
        section_id = section_ids_by_letter.get((session_id, seating_after["letter"]), 0)
        if section_id and seating_after.get("gone"):
            entry_by_withdrawn_place = {
                place_row[0]: place_row[3] for place_row in seating_after["places"]
            }
            for withdrawn_place in seating_after["gone"]:
                withdrawal_round_by_entry.setdefault(
                    (section_id, entry_by_withdrawn_place[withdrawn_place]),
                    find_first_missed_round(change_data),
                )
    return withdrawal_round_by_entry
