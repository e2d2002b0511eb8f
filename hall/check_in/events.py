"""Check-in for events, in which pairs or single players then play a movement."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs import audit
from clubs.audit import Actor, AuditSubject
from clubs.errors import CheckInRefused
from clubs.evenings.first_seats import NORTH_SOUTH, SIDE_BY_SEAT, TablePosition
from clubs.models import CheckIn, Evening
from hall.check_in.kinds import CheckInAccess, CheckInKind, FirstRoundSeat, SummaryNumber
from hall.history.undo import undo_event_act
from scoring import page_loaders
from scoring.seated_sides import format_place_label
from scoring.secrecy import can_director_see_cards
from scoring.services.check_in import ChosenMovement, start_session_from_check_in
from server.errors import PageNotFound
from server.numbers import parse_whole_number
from tournaments.check_in_units import (
    ENTRY_SIZES,
    CheckInUnits,
    FirstRoundPlan,
    build_first_round_plan,
    check_contest,
    load_check_in_units,
)
from tournaments.entry_words import format_entry_count
from tournaments.models import Event, Session, Sitting
from tournaments.models import Place as SectionPlace
from tournaments.movements import Suggestion, UnplayableMovement
from tournaments.movements.advice.description import SuggestionDescription, describe_suggestion
from tournaments.sheets.advice import list_suggestions_for_event

ONE_SECTION_OPTIONS = {"sections": 1}
MAX_MOVEMENT_CHOICES = 4  # the maximum number of movements that the director can choose from
SEAT_LABELS = {
    1: gettext_lazy("North"),
    2: gettext_lazy("East"),
    3: gettext_lazy("South"),
    4: gettext_lazy("West"),
}


@dataclass(frozen=True, slots=True)
class MovementChoice:
    """A movement that the director can choose, with the seats of its first round."""

    choice_number: int
    suggestion: Suggestion
    plan: FirstRoundPlan

    @property
    def description(self) -> SuggestionDescription:
        """The description in plain words."""
        return describe_suggestion(self.suggestion)

    @property
    def moves(self) -> list[tuple[str, str]]:
        """The people who change seats, each with the new place."""
        return [
            (check_in.name, format_table_position(place))
            for check_in, place in self.plan.moving_people
        ]


def _load_access(request: HttpRequest, slug: str) -> CheckInAccess:
    access = page_loaders.load_director_event(request, slug)
    session = page_loaders.load_session(access)
    try:
        check_contest(access.event)
    except CheckInRefused as error:
        raise PageNotFound(str(error)) from None
    return CheckInAccess(access, session.evening, access.event)


def _get_session(evening: Evening) -> Session:
    session: Session = evening.session
    return session


def _get_subject(evening: Evening) -> AuditSubject:
    return _get_session(evening).event


def _has_partners(evening: Evening) -> bool:
    return ENTRY_SIZES.get(Event.Contest(_get_session(evening).event.contest)) == 2


def _list_summary_numbers(evening: Evening, check_ins: list[CheckIn]) -> list[SummaryNumber]:
    session = _get_session(evening)
    summary_numbers = [SummaryNumber(_("People"), len(check_ins))]
    if _has_partners(evening):
        check_in_units = load_check_in_units(session)
        summary_numbers += [
            SummaryNumber(_("Pairs"), len(check_in_units.units)),
            SummaryNumber(_("Half tables"), check_in_units.half_table_count),
        ]
    return summary_numbers


def _list_choices(session: Session, check_in_units: CheckInUnits) -> list[MovementChoice]:
    """Return the suggested movements for the people who have checked in, the best first."""
    suggestions, _hints = list_suggestions_for_event(
        session.event, len(check_in_units.units), ONE_SECTION_OPTIONS
    )
    choices: list[MovementChoice] = []
    for suggestion in suggestions[:MAX_MOVEMENT_CHOICES]:
        plan = _plan_first_round(check_in_units, suggestion)
        if plan is not None:
            choices.append(MovementChoice(len(choices), suggestion, plan))
    return choices


def _plan_first_round(
    check_in_units: CheckInUnits, suggestion: Suggestion
) -> FirstRoundPlan | None:
    try:
        return build_first_round_plan(check_in_units, suggestion.name, suggestion.options)
    except (CheckInRefused, UnplayableMovement):
        return None


def _build_start_context(check_in_access: CheckInAccess) -> Mapping[str, Any]:
    session = _get_session(check_in_access.evening)
    check_in_units = load_check_in_units(session)
    choices = [] if check_in_units.problems else _list_choices(session, check_in_units)
    problems = list(check_in_units.problems)
    if not choices and not problems:
        message = _("No movement suits %(entered)s. Try one more or one fewer.")
        entry_count_text = format_entry_count(session.event, len(check_in_units.units))
        problems.append(message % {"entered": entry_count_text})
    return {
        "field": format_entry_count(session.event, len(check_in_units.units)),
        "choices": choices,
        "introduced": [unit.name for unit in check_in_units.new_pairs],
        "unseated": [
            unit.name
            for unit in check_in_units.units
            if unit.check_ins and not unit.wanted_place
        ],
        "absent": [unit.name for unit in check_in_units.units if not unit.check_ins],
        "absent_url": reverse("entries", args=[check_in_access.access.address]),
        "absent_link": _("Remove a pair"),
        "problems": problems,
        "version": check_in_units.version,
        "may_open": not can_director_see_cards(session),
    }


def _start_play(check_in_access: CheckInAccess, post_data: QueryDict, by: Actor) -> str:
    session = _get_session(check_in_access.evening)
    choices_by_number = {
        movement_choice.choice_number: movement_choice
        for movement_choice in _list_choices(session, load_check_in_units(session))
    }
    chosen_movement = choices_by_number.get(
        parse_whole_number(post_data.get("choice", "0")) or 0
    )
    if (
        check_in_access.evening.check_in_state == Evening.CheckInState.OPEN
        and chosen_movement is None
    ):
        raise CheckInRefused(_("The list has changed. Check it again."))
    should_open_session = post_data.get("act") != "seat" and not can_director_see_cards(session)
    if chosen_movement is not None:
        start_session_from_check_in(
            session=session,
            chosen_movement=ChosenMovement(
                name=chosen_movement.suggestion.name,
                options=chosen_movement.suggestion.options,
                boards_a_round=chosen_movement.suggestion.boards_a_round,
            ),
            seen_version=post_data.get("version", ""),
            should_open_session=should_open_session,
            by=by,
        )
    return reverse(
        "room" if should_open_session else "event_desk", args=[check_in_access.access.address]
    )


def _undo_start(check_in_access: CheckInAccess, by: Actor) -> None:
    event = _get_session(check_in_access.evening).event
    act = audit.list_acts(event).filter(action="check_in.started", undone_by=None).first()
    if act is None:
        raise CheckInRefused(_("Nothing to undo."))
    undo_event_act(event=event, act=act, by=by)


def _map_first_round_seats(evening: Evening) -> Mapping[int, FirstRoundSeat]:
    sittings = Sitting.objects.filter(
        section__session__evening=evening, round=1
    ).select_related(
        "section__session__event",
        *(f"{seat_number}__entry" for seat_number in ("north", "east", "south", "west")),
    )
    seats_by_entry_number: dict[int, FirstRoundSeat] = {}
    for sitting in sittings:
        places = (sitting.north, sitting.east, sitting.south, sitting.west)
        is_pairs_event = len({place.pk for place in places}) == 2
        for seat_number, place in enumerate(places, start=1):
            if place.entry is not None:
                first_round_position = TablePosition(
                    sitting.table,
                    SIDE_BY_SEAT[seat_number] if is_pairs_event else str(seat_number),
                )
                seats_by_entry_number[place.entry.number] = FirstRoundSeat(
                    _format_entry(place, is_pairs_event=is_pairs_event),
                    format_table_position(first_round_position),
                    _format_boards(sitting),
                    first_round_position,
                )
    return seats_by_entry_number


def _format_entry(place: SectionPlace, *, is_pairs_event: bool) -> str:
    """Return the label with which the table's page shows the entry: "Pair 1 E-W"."""
    message = _("Pair %(number)s") if is_pairs_event else _("Player %(number)s")
    return message % {"number": format_place_label(place, has_section_letters=False)}


def _format_boards(sitting: Sitting) -> str:
    board_numbers = list(sitting.boards)
    if not sitting.is_played or not board_numbers:
        return _("Sit out round 1")
    if len(board_numbers) == 1:
        return _("Board %(number)s") % {"number": board_numbers[0]}
    return _("Boards %(first)s–%(last)s") % {
        "first": min(board_numbers),
        "last": max(board_numbers),
    }


def format_table_position(position: TablePosition | None) -> str:
    """Return a place as text: "Table 3, North-South"."""
    if position is None:
        return _("sit out")
    side_text = _("North-South") if position.position == NORTH_SOUTH else _("East-West")
    seat_text = (
        str(SEAT_LABELS[int(position.position)]) if position.position.isdigit() else side_text
    )
    return _("Table %(table)s, %(seat)s") % {"table": position.table_number, "seat": seat_text}


EVENT_CHECK_IN = CheckInKind(
    relation_name="session",
    url_prefix="",
    desk_url_name="event_desk",
    seat_labels_by_number=SEAT_LABELS,
    positions_by_seat={1: "n", 2: "e", 3: "s", 4: "w"},
    load_access=_load_access,
    get_subject=_get_subject,
    has_partners=_has_partners,
    are_partners_opposite=lambda _evening: True,
    list_summary_numbers=_list_summary_numbers,
    build_start_context=_build_start_context,
    start_play=_start_play,
    undo_start=_undo_start,
    map_first_round_seats=_map_first_round_seats,
    start_label=gettext_lazy("Start session"),
)
