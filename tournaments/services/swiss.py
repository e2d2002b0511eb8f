"""The setup of a Swiss event: its plan is stored, and its first round is drawn and seated."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from tournaments.errors import InvalidSeating
from tournaments.models import Entry, Event, Section, Session
from tournaments.movements import Contest, Movement
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME
from tournaments.movements.meetings import make_ns_and_ew_labels, make_numeric_labels
from tournaments.services.seating import (
    build_seats_undo,
    clear_seating,
    describe_sections,
    lock_planned_session,
    record_seating,
    write_section,
)
from tournaments.services.seats import list_slots
from tournaments.swiss import plan as plans
from tournaments.swiss import rounds
from tournaments.swiss.plan import NO_WISHES, DrawWishes, SwissPlan

MIN_TEAMS = 4
MIN_TEAMS_WITH_THREE_WAY = 3
"""The minimum number of teams with three-way matches: three teams play one such match."""
SWISS_CONTESTS = (Event.Contest.PAIRS, Event.Contest.TEAMS)


@transaction.atomic
def seat_swiss_section(
    *,
    session: Session,
    plan: SwissPlan,
    boards_a_round: int,
    copy_count: int = 1,
    seed: str = "",
    first_matches: Sequence[tuple[int, int]] = (),
    three_way_matches: Sequence[tuple[int, int, int]] = (),
    wishes: DrawWishes = NO_WISHES,
    earlier_rounds: Sequence[Mapping[str, Any]] = (),
    by: Actor,
) -> Section:
    """Seat all entries for a Swiss event, and draw its first round by lot or by seeds.

    `boards_a_round` is the number of boards of a match. In a knock-out, `first_matches` and
    `three_way_matches` are the matches of the bracket's first round. `copy_count` is the number
    of copies of a round's boards, which all tables play. It is ignored if each match has its
    own boards. `earlier_rounds` has the rounds of earlier sessions.

    Raises InvalidSeating if there are too few entries or copies, or more rounds than opponents.
    """
    session = lock_planned_session(session)
    event = session.event
    entries = list(event.entries.order_by("number"))
    boards_a_round = plan.compute_boards_per_round(boards_a_round)
    if plan.own_boards:
        copy_count = 1
    _check_plan(event, entries, plan)
    match_count = (
        len(first_matches) + len(three_way_matches) if three_way_matches else len(entries) // 2
    )
    if not plan.own_boards:
        _check_copies(event, match_count, boards_a_round, copy_count)
    plans.check_pairings(plan.apart, [entry.number for entry in entries])
    draw_input = rounds.build_draw_input(
        plan,
        1,
        contest=Contest(event.contest),
        seed=seed or secrets.token_hex(8),
        entries=[build_entry_data(entry) for entry in entries],
        earlier_rounds=earlier_rounds,
        wishes=wishes,
    )
    entry_numbers = [entry.number for entry in entries]
    draw_record = _build_first_draw_record(
        plan, draw_input, entry_numbers, first_matches, three_way_matches
    )
    movement = _build_first_round(event, entries, draw_record, plan, copy_count)
    undo, old_sections = build_seats_undo(session), describe_sections(session.sections.all())
    clear_seating(session)
    session.across_sections = False
    session.save(update_fields=["across_sections"])
    section = write_section(
        session=session,
        movement=movement,
        boards_a_round=boards_a_round,
        options={DRAWN_MOVEMENT_NAME: plan.as_data() | {"first": draw_record}},
        entries_by_place=_build_seating(movement, entries),
    )
    record_seating(by, session, old_sections=old_sections, seated_sections=[section], undo=undo)
    return section


def _build_first_draw_record(
    plan: SwissPlan,
    draw_input: Mapping[str, Any],
    entry_numbers: Sequence[int],
    first_matches: Sequence[tuple[int, int]],
    three_way_matches: Sequence[tuple[int, int, int]],
) -> dict[str, Any]:
    if plan.knockout:
        byes = set(entry_numbers) - {
            entry_number
            for match in (*first_matches, *three_way_matches)
            for entry_number in match
        }
        return rounds.build_knockout_draw_record(
            draw_input, first_matches, byes, 1, three_way_matches=three_way_matches
        )
    return (
        rounds.pair_by_seeds(draw_input, entry_numbers)
        if plan.seeded
        else rounds.draw_round_from_data(draw_input)
    )


def build_entry_data(
    entry: Entry, score: str = "0", *, has_withdrawn: bool = False
) -> dict[str, Any]:
    """Return an entry as a dict for the input of a draw, with its number but not its name."""
    return {
        "id": entry.number,
        "score": score,
        **({"seat": "stays"} if entry.stays_seated else {}),
        **({"left": True} if has_withdrawn else {}),
    }


def map_places_by_number(section: Section) -> dict[int, tuple[int, ...]]:
    """Return the places of each entry in a section, by entry number; N-S of a team is first."""
    places_by_entry_number: dict[int, tuple[int, ...]] = {}
    occupied_places = section.places.filter(entry__isnull=False).order_by("number")
    for entry_number, place_number in occupied_places.values_list("entry__number", "number"):
        places_by_entry_number[entry_number] = (
            *places_by_entry_number.get(entry_number, ()),
            place_number,
        )
    return places_by_entry_number


def count_copies_needed(
    contest: str, entry_count: int, boards_a_round: int, *, can_tables_wait: bool = True
) -> int:
    """Return the number of copies of each board that a Swiss round needs.

    If `can_tables_wait` is True, several tables may share a copy, so that some wait for a
    board.
    """
    table_count = entry_count // 2 * (2 if contest == Event.Contest.TEAMS else 1)
    return plans.count_copies_needed(
        contest, table_count, boards_a_round, can_tables_wait=can_tables_wait
    )


def _check_plan(event: Event, entries: Sequence[Entry], plan: SwissPlan) -> None:
    if event.contest not in SWISS_CONTESTS:
        raise InvalidSeating(
            _("Swiss rounds are for pairs and teams. Choose another movement.")
        )
    if plan.three_way and event.contest != Event.Contest.TEAMS:
        raise InvalidSeating(_("Only teams play three-way matches. Have the odd pair sit out."))
    if plan.own_boards and event.contest != Event.Contest.TEAMS:
        raise InvalidSeating(
            _(
                "Pairs are compared on the same boards, so only teams may have their own "
                "boards. Make copies, or choose a Mitchell or a Howell."
            )
        )
    min_entries = MIN_TEAMS_WITH_THREE_WAY if plan.knockout and plan.three_way else MIN_TEAMS
    if len(entries) < min_entries:
        raise InvalidSeating(
            _("Swiss rounds need at least %(least)s pairs or teams.") % {"least": min_entries}
        )
    max_rounds = len(entries) - 1 + len(entries) % 2
    if plan.rounds > max_rounds and not plan.knockout:
        raise InvalidSeating(
            _(
                "After %(most)s rounds everyone has met everyone. Choose "
                "%(most)s rounds or fewer."
            )
            % {"most": max_rounds}
        )


def _check_copies(event: Event, match_count: int, boards_a_round: int, copy_count: int) -> None:
    """Raise InvalidSeating if there are too few copies of the boards for a round's matches."""
    needed_copy_count = count_copies_needed(event.contest, 2 * match_count, boards_a_round)
    if copy_count < needed_copy_count:
        table_count = match_count * (2 if event.contest == Event.Contest.TEAMS else 1)
        raise InvalidSeating(
            _get_missing_copies_message(event)
            % {
                "tables": table_count,
                "boards": boards_a_round,
                "needed": needed_copy_count,
                "copies": copy_count,
            }
        )


def _get_missing_copies_message(event: Event) -> str:
    """Return the message for missing copies, with a solution that the contest allows."""
    if event.contest == Event.Contest.TEAMS:
        return _(
            "All %(tables)s tables play the same %(boards)s boards, so "
            "%(needed)s copies are needed. You have %(copies)s. Make "
            "copies, or use separate boards for each match."
        )
    return _(
        "All %(tables)s tables play the same %(boards)s boards, so "
        "%(needed)s copies are needed. You have %(copies)s. Make "
        "copies, or choose a Mitchell or a Howell, which need one "
        "set."
    )


def _build_first_round(
    event: Event,
    entries: Sequence[Entry],
    draw_record: Mapping[str, Any],
    plan: SwissPlan,
    available_copy_count: int,
) -> Movement:
    """Return the first round as a movement, to which later rounds are added."""
    contest = Contest(event.contest)
    place_labels = (
        make_ns_and_ew_labels(len(entries), len(entries))
        if contest is Contest.TEAMS
        else make_numeric_labels(len(entries))
    )
    places_by_number = _map_labelled_places_by_entry(place_labels, entries)
    meetings = tuple(
        rounds.build_meetings(draw_record, places_by_number, plan=plan, round_number=1)
    )
    table_count = max(meeting.table for meeting in meetings)
    copy_count = min(available_copy_count, table_count)
    three_way_count = len(draw_record.get("three_way", ())) // 3
    return Movement(
        name=DRAWN_MOVEMENT_NAME,
        title=_("Swiss"),
        contest=contest,
        meetings=meetings,
        labels=place_labels,
        allows_sharing=True,
        copy_count=copy_count,
        blocks=tuple(plans.list_block_starts(contest, table_count, copy_count, three_way_count))
        if copy_count > 1
        else (),
    )


def _map_labelled_places_by_entry(
    place_labels: Sequence[str], entries: Sequence[Entry]
) -> dict[int, tuple[int, ...]]:
    """Return the places of each entry; the n-th entry has the places with the label n."""
    places_by_entry_number: dict[int, tuple[int, ...]] = {}
    for label_number, entry in enumerate(entries, start=1):
        labels_of_entry = (
            (str(label_number),)
            if str(label_number) in place_labels
            else (f"{label_number}NS", f"{label_number}EW")
        )
        places_by_entry_number[entry.number] = tuple(
            place_labels.index(place_label) + 1 for place_label in labels_of_entry
        )
    return places_by_entry_number


def _build_seating(movement: Movement, entries: Iterable[Entry]) -> dict[int, Entry]:
    slots = zip(list_slots(movement), entries, strict=True)
    return {place: entry for slot, entry in slots for place in slot}
