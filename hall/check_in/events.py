"""Check-in for events: pairs or individuals who then play a movement."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs import audit
from clubs.audit import Actor, Subject
from clubs.errors import CheckInRefused
from clubs.evenings.first_seats import NORTH_SOUTH, SIDE_BY_SEAT, Place
from clubs.models import CheckIn, Evening
from hall.check_in.kinds import CheckInKind, CheckInVisit, Fact, Outcome
from hall.history.undo import undo_event_act
from scoring import page_loaders
from scoring.seated_sides import format_place_label
from scoring.secrecy import can_director_see_cards
from scoring.services.check_in import ChosenMovement, start_from_check_in
from server.errors import PageNotFound
from server.numbers import parse_whole_number
from tournaments.check_in_units import (
    ENTRY_SIZES,
    CheckInUnits,
    FirstRound,
    build_first_round,
    check_contest,
    load_units,
)
from tournaments.entry_words import format_entry_count
from tournaments.models import Event, Session, Sitting
from tournaments.models import Place as SectionPlace
from tournaments.movements import Suggestion, UnplayableMovement
from tournaments.movements.advice.description import SuggestionDescription, describe_suggestion
from tournaments.sheets.advice import list_advised

ONE_SECTION = {"sections": 1}
MAX_CHOICES = 4
SEAT_LABELS = {
    1: gettext_lazy("North"),
    2: gettext_lazy("East"),
    3: gettext_lazy("South"),
    4: gettext_lazy("West"),
}


@dataclass(frozen=True, slots=True)
class MovementChoice:
    """A movement to start with: its description, and the people who change seats first."""

    number: int
    suggestion: Suggestion
    plan: FirstRound

    @property
    def described(self) -> SuggestionDescription:
        """The description in plain words."""
        return describe_suggestion(self.suggestion)

    @property
    def moves(self) -> list[tuple[str, str]]:
        """The people who change seats, each with the new place."""
        return [(row.name, format_place(place)) for row, place in self.plan.moving_people]


def _load_visit(request: HttpRequest, slug: str) -> CheckInVisit:
    visit = page_loaders.director_event(request, slug)
    session = page_loaders.load_session(visit)
    try:
        check_contest(visit.event)
    except CheckInRefused as error:
        raise PageNotFound(str(error)) from None
    return CheckInVisit(visit, session.evening, visit.event)


def _get_session(evening: Evening) -> Session:
    session: Session = evening.session
    return session


def _get_subject(evening: Evening) -> Subject:
    return _get_session(evening).event


def _has_partners(evening: Evening) -> bool:
    return ENTRY_SIZES.get(Event.Contest(_get_session(evening).event.contest)) == 2


def _list_facts(evening: Evening, rows: list[CheckIn]) -> list[Fact]:
    session = _get_session(evening)
    facts = [Fact(_("People"), len(rows))]
    if _has_partners(evening):
        found = load_units(session)
        facts += [
            Fact(_("Pairs"), len(found.units)),
            Fact(_("Half tables"), found.half_tables),
        ]
    return facts


def _list_choices(session: Session, found: CheckInUnits) -> list[MovementChoice]:
    """Return the adviser's movements for the people who have checked in, the best first."""
    suggestions, _hints = list_advised(session.event, len(found.units), ONE_SECTION)
    choices: list[MovementChoice] = []
    for suggestion in suggestions[:MAX_CHOICES]:
        plan = _plan(found, suggestion)
        if plan is not None:
            choices.append(MovementChoice(len(choices), suggestion, plan))
    return choices


def _plan(found: CheckInUnits, suggestion: Suggestion) -> FirstRound | None:
    try:
        return build_first_round(found, suggestion.name, suggestion.options)
    except (CheckInRefused, UnplayableMovement):
        return None


def _build_start(at: CheckInVisit) -> Mapping[str, Any]:
    session = _get_session(at.evening)
    found = load_units(session)
    choices = [] if found.problems else _list_choices(session, found)
    problems = list(found.problems)
    if not choices and not problems:
        words = _("No movement suits %(entered)s. Try one more or one fewer.")
        entered = format_entry_count(session.event, len(found.units))
        problems.append(words % {"entered": entered})
    return {
        "field": format_entry_count(session.event, len(found.units)),
        "choices": choices,
        "introduced": [unit.name for unit in found.introduced],
        "unseated": [unit.name for unit in found.units if unit.people and not unit.wanted],
        "absent": [unit.name for unit in found.units if not unit.people],
        "problems": problems,
        "version": found.version,
        "may_open": not can_director_see_cards(session),
    }


def _start(at: CheckInVisit, posted: QueryDict, by: Actor) -> str:
    session = _get_session(at.evening)
    choices = {
        movement_choice.number: movement_choice
        for movement_choice in _list_choices(session, load_units(session))
    }
    chosen = choices.get(parse_whole_number(posted.get("choice", "0")) or 0)
    if at.evening.check_in_state == Evening.CheckInState.OPEN and chosen is None:
        raise CheckInRefused(_("The list has changed. Check it again."))
    opens = posted.get("act") != "seat" and not can_director_see_cards(session)
    if chosen is not None:
        start_from_check_in(
            session=session,
            chosen=ChosenMovement(
                name=chosen.suggestion.name,
                options=chosen.suggestion.options,
                boards_a_round=chosen.suggestion.boards_a_round,
            ),
            version=posted.get("version", ""),
            opens_session=opens,
            by=by,
        )
    return reverse("room" if opens else "event_desk", args=[at.visit.address])


def _undo_start(at: CheckInVisit, by: Actor) -> None:
    event = _get_session(at.evening).event
    act = audit.list_acts(event).filter(action="check_in.started", undone_by=None).first()
    if act is None:
        raise CheckInRefused(_("Nothing to undo."))
    undo_event_act(event=event, act=act, by=by)


def _list_outcomes(evening: Evening) -> Mapping[int, Outcome]:
    rows = Sitting.objects.filter(section__session__evening=evening, round=1).select_related(
        "section__session__event",
        *(f"{seat}__entry" for seat in ("north", "east", "south", "west")),
    )
    found: dict[int, Outcome] = {}
    for sitting in rows:
        seats = (sitting.north, sitting.east, sitting.south, sitting.west)
        is_pairs = len({place.pk for place in seats}) == 2
        for seat, place in enumerate(seats, start=1):
            if place.entry is not None:
                where = Place(sitting.table, SIDE_BY_SEAT[seat] if is_pairs else str(seat))
                found[place.entry.number] = Outcome(
                    _format_entry(place, is_pairs=is_pairs),
                    format_place(where),
                    _format_boards(sitting),
                    where,
                )
    return found


def _format_entry(place: SectionPlace, *, is_pairs: bool) -> str:
    """Return the label with which the table's page shows the entry: "Pair 1 E-W"."""
    words = _("Pair %(number)s") if is_pairs else _("Player %(number)s")
    return words % {"number": format_place_label(place, is_lettered=False)}


def _format_boards(sitting: Sitting) -> str:
    boards = list(sitting.boards)
    if not sitting.is_played or not boards:
        return _("Sit out round 1")
    if len(boards) == 1:
        return _("Board %(number)s") % {"number": boards[0]}
    return _("Boards %(first)s–%(last)s") % {"first": min(boards), "last": max(boards)}


def format_place(place: Place | None) -> str:
    """Return where someone sits: "Table 3, North-South"."""
    if place is None:
        return _("sit out")
    side = _("North-South") if place.position == NORTH_SOUTH else _("East-West")
    seat = str(SEAT_LABELS[int(place.position)]) if place.position.isdigit() else side
    return _("Table %(table)s, %(seat)s") % {"table": place.table, "seat": seat}


EVENT_CHECK_IN = CheckInKind(
    relation="session",
    url_prefix="",
    desk="event_desk",
    seat_labels=SEAT_LABELS,
    seat_positions={1: "n", 2: "e", 3: "s", 4: "w"},
    load_visit=_load_visit,
    get_subject=_get_subject,
    has_partners=_has_partners,
    list_facts=_list_facts,
    build_start=_build_start,
    start=_start,
    undo_start=_undo_start,
    list_outcomes=_list_outcomes,
    start_label=gettext_lazy("Start session"),
)
