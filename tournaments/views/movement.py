"""The page to choose a movement: the suitable movements with their statistics."""

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from boards.whist import WhistError
from clubs import audit
from clubs.views.undo_messages import offer_undo
from tournaments import event_access, services
from tournaments.entry_words import MIN_ENTRIES, format_entry_count, get_entry_texts
from tournaments.event_access import EventAccess
from tournaments.forms import MovementForm, find_first_error
from tournaments.models import Event, Session
from tournaments.movements import (
    SYSTEMS_BY_NAME,
    Movement,
    Suggestion,
    UnplayableMovement,
    build_named_movement,
)
from tournaments.movements.advice.description import describe_suggestion
from tournaments.movements.advice.turnout import USUAL_BOARD_COUNT
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME
from tournaments.movements.formatting import (
    format_boards_a_round,
    format_movement_counts,
    format_section_count,
)
from tournaments.ranking_fields import choose_side_with_missing_pair, load_earlier_sides
from tournaments.services.seating import describe_sections
from tournaments.services.seats import list_slots
from tournaments.sheets.advice import list_suggestions_for_event
from tournaments.sheets.movement_names import format_movement_title
from tournaments.sheets.options import (
    MovementOption,
    add_picture,
    build_alternatives,
    build_option,
    build_saved_option,
    find_missing_side,
)
from tournaments.swiss.advice import propose_swiss
from tournaments.views.limits import EveningLimitsForm, load_limits

Contest = Event.Contest
ONE_SECTION_LIMIT = {"sections": 1}
"""The limit for events without congress features, in which there is only one section."""
SEPARATELY_STORED_OPTIONS = ("pairs", "tables", "players", "teams", "rounds", "absent")
"""The build options that `Section.options` does not store, as other columns store them."""


def _show_unseated_message(request: HttpRequest, access: EventAccess) -> None:
    event = access.event
    message = _("Movement cancelled. No one has a seat now.")
    acts = audit.list_acts(event).filter(action="section.unseated")
    offer_undo(request, message, acts, reverse("event_desk", args=[access.address]))


@require_http_methods(["GET", "POST"])
def show_or_seat_movement(request: HttpRequest, slug: str) -> HttpResponse:
    """Offer the movements that suit the entries (GET), or seat by the chosen one (POST)."""
    access = event_access.load_director_event(request, slug)
    event = access.event
    session = event_access.load_session(access)
    problems: list[str] = []
    if request.method == "POST":
        try:
            if request.POST.get("act") == "unseat":
                services.remove_seating(session=session, by=request.user)
                _show_unseated_message(request, access)
                return redirect("movement", slug)
            _seat_session(request, session)
            return redirect("event_desk", slug)
        except WhistError as error:
            problems = str(error).splitlines()
    evening_form = EveningLimitsForm(load_limits(request, access), event=event)
    limits = (
        evening_form.cleaned_data if evening_form.is_bound and evening_form.is_valid() else {}
    )
    entry_count = event.entries.count()
    has_congress_features = event.should_offer_congress_features
    suggestions, hints = _list_suggestions(
        access, entry_count, limits if has_congress_features else limits | ONE_SECTION_LIMIT
    )
    options = [
        build_option(suggestion, is_best=index == 0, event_address=access.address)
        for index, suggestion in enumerate(suggestions)
    ]
    saved_options = _build_saved_options(access, entry_count) if has_congress_features else []
    options, saved_options = (
        _apply_missing_side(session, options),
        _apply_missing_side(session, saved_options),
    )
    context = access.context | {
        "words": get_entry_texts(event),
        "too_few": _format_too_few_message(event),
        "field": _describe_turnout(event, entry_count, suggestions),
        "best": add_picture(options[0], suggestions[0]) if suggestions else None,
        "others": [
            *_apply_missing_side(
                session, build_alternatives(suggestions, event_address=access.address)
            ),
            *saved_options,
        ],
        "options": [*options, *saved_options],
        "swiss": propose_swiss(event.contest, entry_count, limits)
        if has_congress_features
        else None,
        "problems": problems,
        "refusal": " ".join(hints),
        "minutes": evening_form if options or hints else None,
        "chosen": _describe_chosen_movement(session),
        "locked_text": ""
        if session.state == Session.State.PLANNED
        else _("The session has started, so the movement can’t change."),
    }
    status = 400 if problems else 200
    return render(request, "tournaments/movement.html", context, status=status)


def _describe_turnout(event: Event, entry_count: int, suggestions: list[Suggestion]) -> str:
    """Describe how many tables the entries fill, and any sit-out."""
    count_text = format_entry_count(event, entry_count)
    if not suggestions:
        return _("%(field)s entered.") % {"field": count_text}
    table_count = sum(section_plan.table_count for section_plan in suggestions[0].section_plans)
    size_message = ngettext(
        "%(field)s, %(tables)s table.", "%(field)s, %(tables)s tables.", table_count
    )
    size_text = size_message % {"field": count_text, "tables": table_count}
    return f"{size_text} {describe_suggestion(suggestions[0]).idle}."


def _list_suggestions(
    access: EventAccess, entry_count: int, limits: dict[str, Any]
) -> tuple[list[Suggestion], list[str]]:
    """Return the adviser's suggestions, and the changes that would help if there are none."""
    suggestions, hints = list_suggestions_for_event(access.event, entry_count, limits)
    event = access.event
    has_enough_entries = entry_count >= MIN_ENTRIES[Event.Contest(event.contest)]
    if (
        not suggestions
        and has_enough_entries
        and (event.contest == Event.Contest.MEMORY or not hints)
    ):
        return suggestions, [_format_no_movement_message(event, entry_count)]
    return suggestions, hints


def _apply_missing_side(
    session: Session, options: list[MovementOption]
) -> list[MovementOption]:
    """Return the options, with a pair missing on the side where fewer pairs sat earlier."""
    side = (
        choose_side_with_missing_pair(load_earlier_sides(session)) if session.number > 1 else ""
    )
    if not side:
        return options
    return [
        replace(movement_option, missing_side=side)
        if movement_option.missing_side
        else movement_option
        for movement_option in options
    ]


def _build_saved_options(access: EventAccess, entry_count: int) -> list[MovementOption]:
    """Return the club's saved movements that seat all entries."""
    event = access.event
    options = []
    for saved_movement in event.club.movements.filter(contest=event.contest):
        movement = services.build_saved_movement(saved_movement)
        if len(list_slots(movement)) == entry_count:
            option_url = f"{reverse('custom', args=[access.address])}?saved={saved_movement.pk}"
            boards_a_round = min(max(USUAL_BOARD_COUNT // movement.round_count, 1), 8)
            form_options = {"saved": saved_movement.pk}
            options.append(
                build_saved_option(
                    movement,
                    options=form_options,
                    url=option_url,
                    boards_a_round=boards_a_round,
                )
            )
    return options


def _seat_session(request: HttpRequest, session: Session) -> None:
    form = MovementForm(request.POST)
    if not form.is_valid():
        raise UnplayableMovement(find_first_error(form))
    system_name, options = form.cleaned_data["name"], form.cleaned_data["options"]
    saved_movement = session.event.club.movements.filter(pk=options.get("saved", 0)).first()
    if saved_movement is not None:
        movement = services.build_saved_movement(saved_movement)
        options = {
            "title": saved_movement.name,
            "meetings": saved_movement.rows,
            "sharing": saved_movement.sharing,
        }
    else:
        movement = _build_chosen_movement(
            system_name, options, missing_side=form.cleaned_data["missing"]
        )
    entries = list(session.event.entries.order_by("number"))
    stored_options = {
        option_name: option_value
        for option_name, option_value in options.items()
        if option_name not in SEPARATELY_STORED_OPTIONS
    }
    services.seat_sections(
        session=session,
        planned_sections=[services.PlannedSection(movement, stored_options, entries)],
        boards_a_round=form.cleaned_data["boards_a_round"],
        by=request.user,
    )
    messages.success(
        request, _("%(title)s chosen. Everyone has a seat.") % {"title": movement.title}
    )


def _build_chosen_movement(
    system_name: str, options: dict[str, Any], *, missing_side: str
) -> Movement:
    """Build the chosen movement; the place of a missing pair is at the last table."""
    full_movement = build_named_movement(system_name, **options)
    if missing_side and find_missing_side(full_movement) not in ("", missing_side):
        table_count = full_movement.table_count
        remaining_options = {
            option_name: option_value
            for option_name, option_value in options.items()
            if option_name not in ("pairs", "absent")
        }
        full_movement = build_named_movement(
            system_name,
            **(
                remaining_options
                | {"tables": table_count, "absent": [f"{table_count}{missing_side}"]}
            ),
        )
    return full_movement


def _describe_chosen_movement(session: Session) -> dict[str, Any] | None:
    sections = list(session.sections.all())
    if not sections:
        return None
    boards_a_round = session.boards_a_round
    if len(sections) > 1:
        return {"title": format_section_count(len(sections), boards_a_round)}
    section = sections[0]
    size_text = format_movement_counts(
        section.tables, section.planned_round_count, boards_a_round
    )
    if section.movement not in SYSTEMS_BY_NAME:
        is_drawn = section.movement == DRAWN_MOVEMENT_NAME
        title_template = _("Swiss, %(title)s") if is_drawn else "%(title)s"
        return {"title": title_template % {"title": size_text}, "is_drawn": is_drawn}
    title = format_movement_title(describe_sections([section])[0])
    title_and_boards = _("%(movement)s, %(boards)s") % {
        "movement": title,
        "boards": format_boards_a_round(boards_a_round),
    }
    return {"title": title_and_boards, "plan": title}


def _format_too_few_message(event: Event) -> str:
    contest = Contest(event.contest)
    if contest == Contest.MEMORY:
        return _("Memory duplicate needs two pairs at one table. Enter both first.")
    word_by_number = {2: _("two"), 4: _("four")}
    return get_entry_texts(event).too_few_entries_text % {
        "least": word_by_number[MIN_ENTRIES[contest]]
    }


def _format_no_movement_message(event: Event, entry_count: int) -> str:
    if event.contest == Contest.MEMORY:
        return _(
            "Memory duplicate needs two pairs at one table, but "
            "%(entered)s are entered. Remove the others."
        ) % {"entered": format_entry_count(event, entry_count)}
    return _("No movement suits %(entered)s. Try one more or one fewer.") % {
        "entered": format_entry_count(event, entry_count)
    }
