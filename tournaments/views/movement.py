"""The page to choose a movement: those that fit, with the statistics by which they differ."""

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
from clubs.views.undoing import offer_undo
from tournaments import services, visits
from tournaments.entry_words import MIN_ENTRIES, counted, words_of
from tournaments.forms import SeatForm, first_error
from tournaments.models import Event, Session
from tournaments.movements import CATALOGUE, Movement, Suggestion, UnplayableMovement, build
from tournaments.movements.advice.answer import answer
from tournaments.movements.advice.turnout import USUAL_BOARDS
from tournaments.movements.drawn import DRAWN
from tournaments.movements.words import boards_a_round, sections_counted, size_counted
from tournaments.ranking_fields import missing_side_that_fits, sides_before
from tournaments.services.seating import seated_as
from tournaments.services.seats import slots_of
from tournaments.sheets.advised import advised
from tournaments.sheets.movement_names import movement_title
from tournaments.sheets.options import (
    Option,
    drawn,
    missing_side,
    option_of,
    other_options,
    own_option,
)
from tournaments.swiss.advice import swiss_answer
from tournaments.views.limits import EveningForm, limits
from tournaments.visits import Visit

Contest = Event.Contest
KEPT_ELSEWHERE = ("pairs", "tables", "players", "teams", "rounds", "absent")


def _tell_unseated(request: HttpRequest, visit: Visit) -> None:
    event = visit.event
    words = _("The movement is cancelled; nobody has a seat.")
    acts = audit.history(event).filter(action="section.unseated")
    offer_undo(request, words, acts, reverse("event_desk", args=[visit.address]))


@require_http_methods(["GET", "POST"])
def movement(request: HttpRequest, slug: str) -> HttpResponse:
    """Offer the movements that fit the entries, and seat by the one chosen."""
    visit = visits.director_event(request, slug)
    event = visit.event
    session = visits.session_of(visit)
    problems: list[str] = []
    if request.method == "POST":
        try:
            if request.POST.get("act") == "unseat":
                services.unseat(session=session, by=request.user)
                _tell_unseated(request, visit)
                return redirect("movement", slug)
            _seat(request, session)
            return redirect("event_desk", slug)
        except WhistError as refused:
            problems = str(refused).splitlines()
    evening = EveningForm(limits(request, visit), event=event)
    wishes = evening.cleaned_data if evening.is_bound and evening.is_valid() else {}
    count = event.entries.count()
    found, refusal = _advised(visit, count, wishes)
    options = [
        option_of(each, best=number == 0, event=visit.address)
        for number, each in enumerate(found)
    ]
    own = _own_options(visit, count)
    options, own = _propose_side(session, options), _propose_side(session, own)
    context = visit.context | {
        "words": words_of(event),
        "too_few": _too_few(event),
        "field": _field(event, count, found),
        "best": drawn(options[0], found[0]) if found else None,
        "others": [*_propose_side(session, other_options(found, event=visit.address)), *own],
        "options": [*options, *own],
        "swiss": swiss_answer(event.contest, count, wishes),
        "problems": problems,
        "refusal": " ".join(refusal),
        "minutes": evening if options or refusal else None,
        "chosen": _chosen(session),
        "locked_text": ""
        if session.state == Session.State.PLANNED
        else _("The session has been opened, so its movement stands."),
    }
    status = 400 if problems else 200
    return render(request, "tournaments/movement.html", context, status=status)


def _field(event: Event, count: int, found: list[Suggestion]) -> str:
    """Describe how many tables the field fills, and any sit-out."""
    field = counted(event, count)
    if not found:
        return _("%(field)s are entered.") % {"field": field}
    tables = sum(part.tables for part in found[0].parts)
    told = ngettext(
        "%(field)s make %(tables)s table.", "%(field)s make %(tables)s tables.", tables
    )
    return f"{told % {'field': field, 'tables': tables}} {answer(found[0]).idle}."


def _advised(
    visit: Visit, count: int, wishes: dict[str, Any]
) -> tuple[list[Suggestion], list[str]]:
    """Return the adviser's list, and what would let all play more or, if empty, the reason."""
    found, said = advised(visit.event, count, wishes)
    event = visit.event
    is_field = count >= MIN_ENTRIES[Event.Contest(event.contest)]
    if not found and is_field and (event.contest == Event.Contest.MEMORY or not said):
        return found, [_no_movement(event, count)]
    return found, said


def _propose_side(session: Session, options: list[Option]) -> list[Option]:
    """Propose the half table on the side that lets pairs keep their earlier sides."""
    side = missing_side_that_fits(sides_before(session)) if session.number > 1 else ""
    if not side:
        return options
    return [replace(each, missing=side) if each.missing else each for each in options]


def _own_options(visit: Visit, count: int) -> list[Option]:
    """Return the club's saved movements that seat all entries."""
    event = visit.event
    options = []
    for saved in event.club.movements.filter(contest=event.contest):
        movement = services.movement_of(saved)
        if len(slots_of(movement)) == count:
            address = f"{reverse('custom', args=[visit.address])}?saved={saved.pk}"
            boards = min(max(USUAL_BOARDS // movement.rounds, 1), 8)
            kept = {"saved": saved.pk}
            options.append(
                own_option(movement, options=kept, url=address, boards_a_round=boards)
            )
    return options


def _seat(request: HttpRequest, session: Session) -> None:
    form = SeatForm(request.POST)
    if not form.is_valid():
        raise UnplayableMovement(first_error(form))
    name, options = form.cleaned_data["name"], form.cleaned_data["options"]
    saved = session.event.club.movements.filter(pk=options.get("saved", 0)).first()
    if saved is not None:
        chosen = services.movement_of(saved)
        options = {"title": saved.name, "meetings": saved.rows, "sharing": saved.sharing}
    else:
        chosen = _built(name, options, missing=form.cleaned_data["missing"])
    entries = list(session.event.entries.order_by("number"))
    kept = {key: value for key, value in options.items() if key not in KEPT_ELSEWHERE}
    services.seat_sections(
        session=session,
        plans=[services.SectionPlan(chosen, kept, entries)],
        boards_a_round=form.cleaned_data["boards_a_round"],
        by=request.user,
    )
    messages.success(request, _("%(title)s: everybody has a seat.") % {"title": chosen.title})


def _built(name: str, options: dict[str, Any], *, missing: str) -> Movement:
    """Build the chosen movement; a missing pair's place is at the last table."""
    chosen = build(name, **options)
    if missing and missing_side(chosen) not in ("", missing):
        tables = chosen.tables
        rest = {key: value for key, value in options.items() if key not in ("pairs", "absent")}
        chosen = build(name, **(rest | {"tables": tables, "absent": [f"{tables}{missing}"]}))
    return chosen


def _chosen(session: Session) -> dict[str, Any] | None:
    sections = list(session.sections.all())
    if not sections:
        return None
    boards = session.boards_a_round
    if len(sections) > 1:
        return {"title": sections_counted(len(sections), boards)}
    section = sections[0]
    title = size_counted(section.tables, section.rounds_planned, boards)
    if section.movement not in CATALOGUE:
        is_drawn = section.movement == DRAWN
        called = _("Swiss, %(title)s") if is_drawn else "%(title)s"
        return {"title": called % {"title": title}, "is_drawn": is_drawn}
    plan = movement_title(seated_as([section])[0])
    told = _("%(movement)s, %(boards)s") % {"movement": plan, "boards": boards_a_round(boards)}
    return {"title": told, "plan": plan}


def _too_few(event: Event) -> str:
    contest = Contest(event.contest)
    if contest == Contest.MEMORY:
        return _(
            "Memory duplicate is played by two pairs at one table. Enter both pairs first."
        )
    numbers = {2: _("two"), 4: _("four")}
    return words_of(event).too_few % {"least": numbers[MIN_ENTRIES[contest]]}


def _no_movement(event: Event, count: int) -> str:
    if event.contest == Contest.MEMORY:
        return _(
            "Memory duplicate is played by two pairs at one table, and %(entered)s are "
            "entered. Remove those who do not play."
        ) % {"entered": counted(event, count)}
    return _("No movement suits %(entered)s. One more or one fewer may help.") % {
        "entered": counted(event, count)
    }
