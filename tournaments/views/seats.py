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
from tournaments import services, visits
from tournaments.entry_words import entry_words_for
from tournaments.errors import InvalidSeating
from tournaments.ledger import load_season_records
from tournaments.models import Entry, Section, Session
from tournaments.movements import compute_balance
from tournaments.movements.formatting import format_place_for_players
from tournaments.seating_snapshot import load_movement
from tournaments.services.seats import (
    AT_RANDOM,
    BY_LIST,
    FAIRLY,
    list_section_entries,
    list_slots,
)
from tournaments.sheets.ranking_notice import format_ranking_notice
from tournaments.views.limits import count_unnamed_stationary, save_stationary_count
from tournaments.visits import Visit

MAX_SELECT_ENTRIES = 30
"""The maximum number of entries for which each place has a select box.

With more entries, each place has a text box.
"""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One place (both places for a team), with its entry and its description."""

    place: int
    label: str
    entry: int | None
    holder: str  # the entry in words: "3 Ada Pole & Jan Nowak"
    stays: bool
    half_stays: bool  # one pair of a team is stationary, the other moves
    wishes_to_stay: bool
    sits_out: int


@require_http_methods(["GET", "POST"])
def seats_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the places and entries (GET), or save wishes, a draw or manual seats (POST)."""
    visit = visits.load_director_event(request, slug)
    event = visit.event
    session = visits.load_session(visit)
    sections = list(session.sections.select_related("session__event__club"))
    letter = request.POST.get("section") or request.GET.get("section", "")
    section = next((each for each in sections if each.letter == letter), None)
    section = section or next(iter(sections), None)
    problems: list[str] = []
    typed_values: dict[str, str] = {}
    if request.method == "POST":
        try:
            _save_posted(request, visit, section)
            return redirect(f"{reverse('seats', args=[slug])}?section={letter}")
        except WhistError as error:
            problems = str(error).splitlines()
            typed_values = request.POST.dict()
    entries = list(event.entries.order_by("number"))
    seated = list_section_entries(section) if section else entries
    past = load_season_records(session)
    context = visit.context | {
        "section": section,
        "sections": sections if len(sections) > 1 else [],
        "rows": _build_rows(section, seated, typed_values) if section else [],
        "entries": seated,
        "are_typed": len(seated) > MAX_SELECT_ENTRIES,
        "ledger": [(entry, past[entry.number]) for entry in entries],
        "problems": problems,
        "unsaid": _unnamed_stationary_message(request, visit),
        "ranking_notice": format_ranking_notice(session),
        "locked_text": ""
        if session.state == Session.State.PLANNED
        else _("The session has started, so the seats can't change."),
    }
    status = 400 if problems else 200
    return render(request, "tournaments/seats.html", context, status=status)


def _unnamed_stationary_message(request: HttpRequest, visit: Visit) -> str:
    """Return a message to name the stationary entries if the movement was chosen for them."""
    event = visit.event
    return (
        entry_words_for(event).stationary_unnamed
        if count_unnamed_stationary(request, visit)
        else ""
    )


def _save_posted(request: HttpRequest, visit: Visit, section: Section | None) -> None:
    event = visit.event
    how = request.POST.get("how", "")
    entries = list(event.entries.select_related("event__club"))
    if how == "wishes":
        staying = [entry.number for entry in entries if f"stays-{entry.number}" in request.POST]
        services.set_stationary_wishes(entries=entries, staying=staying, by=request.user)
        save_stationary_count(request, visit, len(staying))
        _show_wishes_message(request, section)
        return
    if section is None:
        return
    if how == "hand":
        _save_manual_seats(request, section, entries)
        _show_seated_message(request, visit, section)
    elif how in (BY_LIST, AT_RANDOM, FAIRLY):
        seed = "" if how == BY_LIST else secrets.token_hex(8)
        services.draw_seats(section=section, how=how, seed=seed, by=request.user)
        _show_seated_message(request, visit, section)


def _show_seated_message(request: HttpRequest, visit: Visit, section: Section) -> None:
    event = visit.event
    acts = audit.list_acts(event).filter(action="seats.drawn")
    seats_url = reverse("seats", args=[visit.address])
    unmet = services.list_unmet_wishes(section)
    if not unmet:
        offer_undo(request, _("Everyone has a seat."), acts, seats_url)
        return
    message = _("Seated, but these should be stationary and move: %(names)s.")
    text = message % {"names": ", ".join(str(entry) for entry in unmet)}
    offer_undo(request, text, acts, seats_url, messages.WARNING)


def _show_wishes_message(request: HttpRequest, section: Section | None) -> None:
    """Show that the wishes are saved, and which of these entries must move anyway."""
    unmet = services.list_unmet_wishes(section) if section else []
    if not unmet:
        messages.success(request, _("Stationary places saved."))
        return
    message = _("Saved. Not stationary yet: %(names)s. Draw again or swap places.")
    messages.warning(request, message % {"names": ", ".join(str(entry) for entry in unmet)})


def _save_manual_seats(request: HttpRequest, section: Section, entries: list[Entry]) -> None:
    by_number = {str(entry.number): entry for entry in entries}
    seating = {}
    for place in section.places.all():
        typed_value = request.POST.get(f"place-{place.number}", "").strip()
        chosen_entry = by_number.get(typed_value.partition(" ")[0])
        if chosen_entry is not None:
            seating[place.number] = chosen_entry
        elif typed_value:
            placeholders = {
                "place": format_place_for_players(place.label),
                "typed": typed_value[:40],
            }
            raise InvalidSeating(
                _("Place %(place)s: %(typed)s isn't in the list. Enter its number.")
                % placeholders
            )
    services.assign_seats(section=section, seating=seating, by=request.user)


def _build_rows(
    section: Section, seated: list[Entry], typed_values: Mapping[str, str]
) -> list[SeatRow]:
    """Return the places with their entries; after an error, with the typed entries."""
    names = {entry.number: str(entry) for entry in seated}
    movement = load_movement(section)
    balance = compute_balance(movement)
    rows = section.places.values_list("number", "entry__number", "entry__stays_seated")
    entry_by_number = {number: (entry, bool(wishes)) for number, entry, wishes in rows}
    return [
        SeatRow(
            place=slot[0],
            label=" & ".join(
                format_place_for_players(movement.labels[place - 1]) for place in slot
            ),
            entry=entry_by_number[slot[0]][0],
            holder=typed_values.get(
                f"place-{slot[0]}", names.get(entry_by_number[slot[0]][0] or 0, "")
            ),
            stays=set(slot) <= set(balance.stationary),
            half_stays=bool(set(slot) & set(balance.stationary)),
            wishes_to_stay=entry_by_number[slot[0]][1],
            sits_out=sum(balance.sit_outs_by_place[place] for place in slot),
        )
        for slot in list_slots(movement)
    ]
