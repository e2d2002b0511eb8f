"""The page to assign seats by draw, list or manually, with the season's seating record."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from boards.whist import WhistError
from clubs import audit
from clubs.views.undo_messages import offer_undo
from tournaments import event_access, services
from tournaments.entry_words import get_entry_texts
from tournaments.errors import InvalidSeating
from tournaments.event_access import EventAccess
from tournaments.ledger import load_seating_counts
from tournaments.models import Entry, Section, Session
from tournaments.movements import compute_balance
from tournaments.movements.formatting import format_place_for_players
from tournaments.seating_snapshot import load_movement
from tournaments.services.seats import (
    FAIR_DRAW_METHOD,
    LIST_ORDER_METHOD,
    RANDOM_DRAW_METHOD,
    list_section_entries,
    list_slots,
)
from tournaments.sheets.ranking_notice import format_ranking_notice
from tournaments.views.limits import count_unnamed_stationary_places, save_stationary_count

MAX_SELECT_ENTRIES = 30
"""The maximum number of entries for which each place has a select box.

With more entries, each place has a text box.
"""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One place (both places for a team), with its entry and its description."""

    place_number: int
    place_label: str
    entry_number: int | None
    entry_text: str  # the entry in words: "3 Ada Pole & Jan Nowak"
    is_stationary: bool
    is_half_stationary: bool  # one pair of a team is stationary, the other moves
    must_be_stationary: bool
    sit_out_count: int


@require_http_methods(["GET", "POST"])
def show_or_save_seats(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the places and entries (GET), or save wishes, a draw or manual seats (POST)."""
    access = event_access.load_director_event(request, slug)
    event = access.event
    session = event_access.load_session(access)
    sections = list(session.sections.select_related("session__event__club"))
    section_letter = request.POST.get("section") or request.GET.get("section", "")
    section = next(
        (
            possible_section
            for possible_section in sections
            if possible_section.letter == section_letter
        ),
        None,
    )
    section = section or next(iter(sections), None)
    problems: list[str] = []
    typed_values: dict[str, str] = {}
    if request.method == "POST":
        try:
            _save_seating_form(request, access, section)
            return redirect(f"{reverse('seats', args=[slug])}?section={section_letter}")
        except WhistError as error:
            problems = str(error).splitlines()
            typed_values = request.POST.dict()
    entries = list(event.entries.order_by("number"))
    section_entries = list_section_entries(section) if section else entries
    season_counts_by_entry_number = load_seating_counts(session)
    context = access.context | {
        "section": section,
        "sections": sections if len(sections) > 1 else [],
        "rows": _build_seat_rows(section, section_entries, typed_values) if section else [],
        "entries": section_entries,
        "are_typed": len(section_entries) > MAX_SELECT_ENTRIES,
        "ledger": [(entry, season_counts_by_entry_number[entry.number]) for entry in entries],
        "problems": problems,
        "unsaid": _get_unnamed_stationary_message(request, access),
        "ranking_notice": format_ranking_notice(session),
        "locked_text": ""
        if session.state == Session.State.PLANNED
        else _("The session has started, so the seats can’t change."),
    }
    status = 400 if problems else 200
    return render(request, "tournaments/seats.html", context, status=status)


def _get_unnamed_stationary_message(request: HttpRequest, access: EventAccess) -> str:
    """Return a message to choose the stationary entries if that has not been done, else ""."""
    event = access.event
    return (
        get_entry_texts(event).stationary_unchosen_text
        if count_unnamed_stationary_places(request, access)
        else ""
    )


def _save_seating_form(
    request: HttpRequest, access: EventAccess, section: Section | None
) -> None:
    event = access.event
    method = request.POST.get("how", "")
    entries = list(event.entries.select_related("event__club"))
    if method == "wishes":
        stationary_numbers = [
            entry.number for entry in entries if f"stays-{entry.number}" in request.POST
        ]
        services.set_stationary_wishes(
            entries=entries, stationary_numbers=stationary_numbers, by=request.user
        )
        save_stationary_count(request, access, len(stationary_numbers))
        _show_wishes_message(request, section)
        return
    if section is None:
        return
    if method == "hand":
        _save_manual_seats(request, section, entries)
        _show_seated_message(request, access, section)
    elif method in (LIST_ORDER_METHOD, RANDOM_DRAW_METHOD, FAIR_DRAW_METHOD):
        seed = "" if method == LIST_ORDER_METHOD else secrets.token_hex(8)
        services.draw_seats(section=section, method=method, seed=seed, by=request.user)
        _show_seated_message(request, access, section)


def _show_seated_message(request: HttpRequest, access: EventAccess, section: Section) -> None:
    event = access.event
    acts = audit.list_acts(event).filter(action="seats.drawn")
    seats_url = reverse("seats", args=[access.address])
    unmet_entries = services.list_entries_with_unmet_needs(section)
    if not unmet_entries:
        offer_undo(request, _("Everyone has a seat."), acts, seats_url)
        return
    message = _("Seated, but these should be stationary and move: %(names)s.")
    warning_text = message % {"names": ", ".join(str(entry) for entry in unmet_entries)}
    offer_undo(request, warning_text, acts, seats_url, messages.WARNING)


def _show_wishes_message(request: HttpRequest, section: Section | None) -> None:
    """Show that the wishes are saved, and which entries must move against their wish."""
    unmet_entries = services.list_entries_with_unmet_needs(section) if section else []
    if not unmet_entries:
        messages.success(request, _("Stationary places saved."))
        return
    message = _("Saved. Not stationary yet: %(names)s. Draw again or swap places.")
    messages.warning(
        request, message % {"names": ", ".join(str(entry) for entry in unmet_entries)}
    )


def _save_manual_seats(request: HttpRequest, section: Section, entries: list[Entry]) -> None:
    entries_by_number = {str(entry.number): entry for entry in entries}
    entries_by_place = {}
    for place in section.places.all():
        typed_value = request.POST.get(f"place-{place.number}", "").strip()
        chosen_entry = entries_by_number.get(typed_value.partition(" ")[0])
        if chosen_entry is not None:
            entries_by_place[place.number] = chosen_entry
        elif typed_value:
            placeholders = {
                "place": format_place_for_players(place.label),
                "typed": typed_value[:40],
            }
            raise InvalidSeating(
                _("Place %(place)s: %(typed)s isn’t in the list. Enter its number.")
                % placeholders
            )
    services.assign_seats(section=section, entries_by_place=entries_by_place, by=request.user)


def _build_seat_rows(
    section: Section, section_entries: list[Entry], typed_values: Mapping[str, str]
) -> list[SeatRow]:
    """Return the places with their entries; after an error, with the typed entries."""
    entry_names_by_number = {entry.number: str(entry) for entry in section_entries}
    movement = load_movement(section)
    balance = compute_balance(movement)
    place_rows = section.places.values_list("number", "entry__number", "entry__stays_seated")
    entries_by_place = {
        place_number: (entry_number, bool(must_be_stationary))
        for place_number, entry_number, must_be_stationary in place_rows
    }
    return [
        SeatRow(
            place_number=slot[0],
            place_label=" & ".join(
                format_place_for_players(movement.labels[place - 1]) for place in slot
            ),
            entry_number=entries_by_place[slot[0]][0],
            entry_text=typed_values.get(
                f"place-{slot[0]}",
                entry_names_by_number.get(entries_by_place[slot[0]][0] or 0, ""),
            ),
            is_stationary=set(slot) <= set(balance.stationary_places),
            is_half_stationary=bool(set(slot) & set(balance.stationary_places)),
            must_be_stationary=entries_by_place[slot[0]][1],
            sit_out_count=sum(balance.sit_outs_by_place[place] for place in slot),
        )
        for slot in list_slots(movement)
    ]
