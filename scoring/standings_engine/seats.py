"""The seating of an event, as the scoring methods and the standings need it."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import QuerySet

from scoring.methods.result_line import MIN_DRAWN_MATCH_KEY
from scoring.seated_sides import merge_seat_entries
from tournaments.models import Event, Place, SeatingChange, Section, Session, Sitting
from tournaments.movements.stray_boards import Boards, list_boards_played
from tournaments.ranking_fields import EntrySeat, map_entries_to_fields
from tournaments.seating_snapshot import find_first_missed_round, read_withdrawn_places
from tournaments.swiss.plan import SWISS, SwissPlan, read_plan


@dataclass(frozen=True, slots=True)
class Seat:
    """An entry's field in the standings, and the label of its seat."""

    section: str  # empty if the sections are ranked as one field
    field: str
    label: str  # of the seat: "3NS", in one of several sections "A3NS"


class SittingSides(NamedTuple):
    """One sitting: the entry numbers of its two sides, and the boards on the table."""

    session: int
    pool: str  # the section whose lines it is compared with; empty for all of them
    section: int
    round: int
    ns: tuple[int, ...]
    ew: tuple[int, ...]
    boards: Boards
    is_played: bool
    overplay: bool
    is_begun: bool = True  # whether its session was opened
    match: int = 0  # the match key of its lines: of the session, or of a drawn round
    has_drawn_rounds: bool = False  # whether its section draws each round
    is_second_half: bool = False  # whether it is a later half of a match that was drawn
    is_closed: bool = False  # whether its session is over
    is_knockout: bool = False  # whether it is a match of the event's bracket


def load_seats(event: Event) -> dict[int, Seat]:
    """Return the field and the seat label of each entry.

    Planned sessions count only before the first session has begun, so the seats of the next
    session do not change published standings. The label of an entry that has other places in
    later sessions is its number.
    """
    rows = list(_query_taken_places(event.pk))
    begun_rows = [row for row in rows if row[2] != Session.State.PLANNED]
    rows = begun_rows or rows
    fields = map_entries_to_fields(
        (
            EntrySeat(entry, session, section, side)
            for entry, session, _, section, side, _ in rows
        ),
        across=is_one_field_across_sections(event),
    )
    sections = Counter(session for session, _ in {(row[1], row[3]) for row in rows})
    labels: dict[int, str] = {}
    for entry, session, _state, section, _side, label in rows:
        seat_label = f"{section}{label}" if sections[session] > 1 else label
        if labels.setdefault(entry, seat_label) != seat_label:
            labels[entry] = str(entry)
    return {entry: Seat(*field, labels[entry]) for entry, field in fields.items()}


def _query_taken_places(event: int) -> QuerySet[Place, tuple[int, int, str, str, str, str]]:
    of_event = Place.objects.filter(section__session__event=event, entry__isnull=False)
    ordered_places = of_event.order_by("section__session__number", "section__letter", "number")
    return ordered_places.values_list(
        *("entry__number", "section__session", "section__session__state"),
        *("section__letter", "field", "label"),
    )


def is_one_field_across_sections(event: Event) -> bool:
    """Return whether all sections of the event are ranked as one field."""
    sessions = dict(event.sessions.values_list("pk", "across_sections"))
    if not any(sessions.values()):
        return False
    sections = list(
        Section.objects.filter(session__event=event).values_list("session", flat=True)
    )
    return all(sessions[pk] for pk in sections if sections.count(pk) > 1)


def load_sitting_sides(
    event: Event, *, sections: Collection[int] | None = None
) -> dict[int, SittingSides]:
    """Load the two sides of each sitting, in all sections or in some."""
    rows = list(_query_sides(event, sections))
    memory = event.contest == Event.Contest.MEMORY
    plans = _load_plans(event) if any(row[3] == SWISS for row in rows) else {}
    stray_plays: set[tuple[int, int]] = set()
    sittings = {}
    for (
        pk,
        section,
        letter,
        movement,
        session,
        is_across_sections,
        size,
        state,
        round_,
        group,
        stray_boards,
        *seats,
    ) in rows:
        first = (group - 1) * size + 1
        plan = plans.get(section)
        drawn_round = plan.drawn_in(round_) if plan else round_
        sittings[pk] = SittingSides(
            session=session,
            pool="" if is_across_sections else letter,
            section=section,
            round=round_,
            ns=merge_seat_entries(seats[0], seats[2]),
            ew=merge_seat_entries(seats[1], seats[3]),
            boards=list_boards_played(range(first, first + size), stray_boards),
            is_played=None not in seats,
            overplay=memory and (section, group) in stray_plays,
            is_begun=state != Session.State.PLANNED,
            is_closed=state == Session.State.CLOSED,
            match=session * MIN_DRAWN_MATCH_KEY + drawn_round if movement == SWISS else session,
            has_drawn_rounds=movement == SWISS,
            is_second_half=plan is not None and round_ != plan.first_of(drawn_round),
            is_knockout=plan is not None and plan.knockout,
        )
        stray_plays.add((section, group))
    return sittings


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
    event: Event, sections: Collection[int] | None
) -> QuerySet[Sitting, tuple[Any, ...]]:
    rows = Sitting.objects.order_by("section__session__number", "round", "table")
    if sections is None:
        rows = rows.filter(section__session__event=event)
    else:
        rows = rows.filter(section__in=sections)
    return rows.values_list(*_SIDE_COLUMNS)


def _load_plans(event: Event) -> dict[int, SwissPlan]:
    """Return the plan of each section whose rounds are drawn."""
    rows = Section.objects.filter(session__event=event, movement=SWISS)
    plans = {pk: read_plan(options) for pk, options in rows.values_list("pk", "options")}
    return {pk: plan for pk, plan in plans.items() if plan is not None}


def find_sit_outs(
    event: Event, sittings: Mapping[int, SittingSides]
) -> dict[tuple[int, int], set[int]]:
    """Return the entries that sat out each drawn round, by section and round; 0 or 3
    queries.

    A late entry sat out the rounds before it arrived. An entry that withdrew sat out only
    rounds before its withdrawal. If the withdrawal is not recorded, the last round it played
    is the limit.
    """
    drawn_sections = {
        sitting.section for sitting in sittings.values() if sitting.has_drawn_rounds
    }
    if not drawn_sections:
        return {}
    places = Place.objects.filter(section__in=drawn_sections, entry__isnull=False)
    seats = set(places.values_list("section", "number", "entry", "entry__number"))
    withdrawal_rounds = _find_withdrawals(
        event, drawn_sections, {row[:2]: row[2] for row in seats}
    )
    entries_by_round: dict[tuple[int, int], set[int]] = {}
    for section, pk, number in {(row[0], *row[2:]) for row in seats}:
        own_sittings = [sitting for sitting in sittings.values() if sitting.section == section]
        played_rounds = {
            sitting.round for sitting in own_sittings if number in (*sitting.ns, *sitting.ew)
        }
        rounds = {sitting.round for sitting in own_sittings if not sitting.is_second_half}
        last = max(rounds)
        if (section, pk) in withdrawal_rounds:
            last = max([withdrawal_rounds[section, pk] - 1, *played_rounds])
        for round_ in rounds - played_rounds:
            if round_ <= last:
                entries_by_round.setdefault((section, round_), set()).add(number)
    return entries_by_round


def _find_withdrawals(
    event: Event, drawn_entries: Collection[int], seats: Mapping[tuple[int, int], int]
) -> dict[tuple[int, int], int]:
    """Return the first missed round, or 0, of each entry that withdrew, by section and
    entry.

    `seats` maps places to entries. Withdrawals are read from the seating changes of the
    evening, or from the file from which the section was imported.
    """
    withdrawal_rounds: dict[tuple[int, int], int] = {}
    sections: dict[tuple[int, str], int] = {}
    for section in Section.objects.filter(pk__in=drawn_entries).only(
        "session", "letter", "options"
    ):
        sections[section.session_id, section.letter] = section.pk
        for place, missed_round in read_withdrawn_places(section.options).items():
            if (section.pk, place) in seats:
                withdrawal_rounds[section.pk, seats[section.pk, place]] = missed_round
    changes = SeatingChange.objects.filter(session__event=event, undone_at=None).order_by("pk")
    for session, after, incident in changes.values_list("session", "after", "what"):
        pk = sections.get((session, after["letter"]), 0)
        if pk and after.get("gone"):
            entries = {place[0]: place[3] for place in after["places"]}
            for place in after["gone"]:
                withdrawal_rounds.setdefault(
                    (pk, entries[place]), find_first_missed_round(incident)
                )
    return withdrawal_rounds
