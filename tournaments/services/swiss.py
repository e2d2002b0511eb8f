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
from tournaments.movements.meetings import make_one_field_labels, make_two_field_labels
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
from tournaments.swiss.plan import NO_WISHES, SWISS, DrawWishes, SwissPlan

MIN_TEAMS = 4
MIN_TEAMS_WITH_THREE_WAY = 3
"""The minimum number of teams with three-way matches: three teams play one such match."""
SWISS_CONTESTS = (Event.Contest.PAIRS, Event.Contest.TEAMS)


@transaction.atomic
def seat_swiss(
    *,
    session: Session,
    plan: SwissPlan,
    boards_a_round: int,
    copies: int = 1,
    seed: str = "",
    couples: Sequence[tuple[int, int]] = (),
    three_way_matches: Sequence[tuple[int, int, int]] = (),
    preferences: DrawWishes = NO_WISHES,
    history: Sequence[Mapping[str, Any]] = (),
    by: Actor,
) -> Section:
    """Seat all entries for a Swiss event, and draw its first round by lot or by seeds.

    `boards_a_round` is the number of boards of a match. In a knock-out, the bracket gives the
    first round: its matches in `couples`, and its three-way matches in `three_way_matches`.
    `copies` is the number of identical copies of a round's boards, which all tables play; it is
    ignored if each match has its own boards. `history` has the rounds of earlier sessions.

    Raises InvalidSeating if there are too few entries or copies, or more rounds than opponents.
    """
    session = lock_planned_session(session)
    event = session.event
    entries = list(event.entries.order_by("number"))
    boards_a_round = plan.half_size(boards_a_round)
    if plan.own_boards:
        copies = 1
    _check_plan(event, entries, plan)
    units = len(couples) + len(three_way_matches) if three_way_matches else len(entries) // 2
    if not plan.own_boards:
        _check_copies(event, units, boards_a_round, copies)
    plans.check_couples(plan.apart, [entry.number for entry in entries])
    data = rounds.build_input(
        plan,
        1,
        contest=Contest(event.contest),
        seed=seed or secrets.token_hex(8),
        entries=[build_entry_data(entry) for entry in entries],
        history=history,
        preferences=preferences,
    )
    numbers = [entry.number for entry in entries]
    record = _build_first_record(plan, data, numbers, couples, three_way_matches)
    movement = _build_first_round(event, entries, record, plan, copies)
    undo, before = build_seats_undo(session), describe_sections(session.sections.all())
    clear_seating(session)
    session.across_sections = False
    session.save(update_fields=["across_sections"])
    section = write_section(
        session=session,
        movement=movement,
        boards_a_round=boards_a_round,
        options={SWISS: plan.as_data() | {"first": record}},
        seating=_build_seating(movement, entries),
    )
    record_seating(by, session, before=before, seated=[section], undo=undo)
    return section


def _build_first_record(
    plan: SwissPlan,
    data: Mapping[str, Any],
    numbers: Sequence[int],
    couples: Sequence[tuple[int, int]],
    three_way_matches: Sequence[tuple[int, int, int]],
) -> dict[str, Any]:
    if plan.knockout:
        byes = set(numbers) - {
            number for match in (*couples, *three_way_matches) for number in match
        }
        return rounds.build_knockout_record(
            data, couples, byes, 1, three_way_matches=three_way_matches
        )
    return rounds.pair_by_seeds(data, numbers) if plan.seeded else rounds.draw_from_data(data)


def build_entry_data(
    entry: Entry, score: str = "0", *, has_withdrawn: bool = False
) -> dict[str, Any]:
    """Return an entry as input of a draw: with its number, without its name."""
    return {
        "id": entry.number,
        "score": score,
        **({"seat": "stays"} if entry.stays_seated else {}),
        **({"left": True} if has_withdrawn else {}),
    }


def map_places_by_number(section: Section) -> dict[int, tuple[int, ...]]:
    """Return the places of each entry in a section, by entry number; N-S of a team is first."""
    places_by_number: dict[int, tuple[int, ...]] = {}
    rows = section.places.filter(entry__isnull=False).order_by("number")
    for number, place in rows.values_list("entry__number", "number"):
        places_by_number[number] = (*places_by_number.get(number, ()), place)
    return places_by_number


def count_copies_needed(
    contest: str, entries: int, boards_a_round: int, *, may_wait: bool = True
) -> int:
    """Return how many copies of each board a Swiss round with this number of entries needs."""
    tables = entries // 2 * (2 if contest == Event.Contest.TEAMS else 1)
    return plans.count_copies_needed(contest, tables, boards_a_round, may_wait=may_wait)


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
                "Pairs are compared on the same boards, so only teams may "
                "have boards of their own. Make copies, or choose a Mitchell "
                "or a Howell."
            )
        )
    min_entries = MIN_TEAMS_WITH_THREE_WAY if plan.knockout and plan.three_way else MIN_TEAMS
    if len(entries) < min_entries:
        raise InvalidSeating(
            _("Swiss rounds need at least %(least)s entries.") % {"least": min_entries}
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


def _check_copies(event: Event, matches: int, boards_a_round: int, copies: int) -> None:
    """Raise InvalidSeating for too few copies for a round's matches (for pairs, tables)."""
    needed_copies = count_copies_needed(event.contest, 2 * matches, boards_a_round)
    if copies < needed_copies:
        tables = matches * (2 if event.contest == Event.Contest.TEAMS else 1)
        raise InvalidSeating(
            _missing_copies_message(event)
            % {
                "tables": tables,
                "boards": boards_a_round,
                "needed": needed_copies,
                "copies": copies,
            }
        )


def _missing_copies_message(event: Event) -> str:
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
    record: Mapping[str, Any],
    plan: SwissPlan,
    copies: int,
) -> Movement:
    """Return the first round as a movement, to which later rounds are added."""
    contest = Contest(event.contest)
    labels = (
        make_two_field_labels(len(entries), len(entries))
        if contest is Contest.TEAMS
        else make_one_field_labels(len(entries))
    )
    blank = _map_places(labels, entries)
    meetings = tuple(rounds.build_meetings(record, blank, plan=plan, round_=1))
    tables = max(meeting.table for meeting in meetings)
    own_copies = min(copies, tables)
    three_way_count = len(record.get("three_way", ())) // 3
    return Movement(
        name=SWISS,
        title=_("Swiss"),
        contest=contest,
        meetings=meetings,
        labels=labels,
        sharing=True,
        copies=own_copies,
        blocks=tuple(plans.list_blocks(contest, tables, own_copies, three_way_count))
        if own_copies > 1
        else (),
    )


def _map_places(labels: Sequence[str], entries: Sequence[Entry]) -> dict[int, tuple[int, ...]]:
    """Return the places of each entry: the n-th entry has the places labelled n."""
    places_by_number: dict[int, tuple[int, ...]] = {}
    for number, entry in enumerate(entries, start=1):
        labels_of_entry = (
            (str(number),) if str(number) in labels else (f"{number}NS", f"{number}EW")
        )
        places_by_number[entry.number] = tuple(
            labels.index(label) + 1 for label in labels_of_entry
        )
    return places_by_number


def _build_seating(movement: Movement, entries: Iterable[Entry]) -> dict[int, Entry]:
    slots = zip(list_slots(movement), entries, strict=True)
    return {place: entry for slot, entry in slots for place in slot}
