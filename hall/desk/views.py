"""The director's page of one event: where the evening stands, and what comes next."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import scoring.services
import tournaments.services
from boards.whist import WhistError
from clubs import access
from clubs.links import lost
from clubs.models import TableLink
from hall.challenges.services import make_entry_links
from hall.challenges.sheets import open_challenges
from hall.closing.checks import checks, summary
from hall.phones.calls import WaitingCall, waiting_calls
from hall.phones.services import make_links
from scoring import visits
from scoring.forms import EventForm
from scoring.models import Paper
from scoring.papers import title_of
from scoring.papers.freshness import to_print_anew
from scoring.reckoning.knockouts import knockout_of
from scoring.reckoning.lines import tally
from scoring.sheets.ranks import rank_table, rank_version
from scoring.sheets.standings_page import standings_page
from scoring.sittings import SeatedSession, read_sittings
from scoring.tasks import late_changes
from tournaments.board_counts import boards_short
from tournaments.entry_words import LEAST, counted, words_of
from tournaments.models import Entry, EntryLink, Event, Session
from tournaments.views.limits import stays_unsaid
from tournaments.views.states import state_of, state_text
from tournaments.visits import Visit


class Progress(StrEnum):
    """Whether a step of the evening is behind, at hand or ahead."""

    DONE = "done"
    NOW = "now"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the evening."""

    key: str
    title: str
    state: Progress
    text: str
    url: str
    action: str


OPTIONAL = ("phones",)
"""Steps without which an evening is whole."""


@require_safe
def event_desk(request: HttpRequest, slug: str) -> HttpResponse:
    """The steps of the evening, the next one first."""
    visit = visits.scorer_event(request, slug)
    event = visit.event
    session = visits.session_of(visit)
    seated = read_sittings(session)
    is_planned = session.state == Session.State.PLANNED
    unsaid = is_planned and stays_unsaid(request, visit) > 0
    short = boards_short(session) if is_planned else 0
    steps = _steps(visit, session, seated, unsaid, short)
    context = {
        "visit": visit,
        "event": event,
        "session": session,
        "sessions": event.sessions.all(),
        "seated": bool(seated.tables),
        "state": state_of(session),
        "state_text": state_text(state_of(session)),
        "steps": steps,
        "next": next((step for step in steps if step.state == Progress.NOW), None),
        "entered": seated.expected - seated.missing,
        "expected": seated.expected,
        "checks": _to_look_at(visit, session, seated),
        "corrections_until": _corrections_until(session),
        "calls": _calls(session),
        "lost_links": _lost_links(session) if visit.is_directed else 0,
        "shown_choices": Event.Shown.choices,
        "next_day": max(event.date, timezone.localdate()) + timedelta(days=7),
        "may_open": is_planned and bool(seated.tables) and not short,
        "may_return": session.state == Session.State.OPEN and not seated.results,
    }
    page = "event_desk" if visit.is_directed else "scorer_desk"
    return render(request, f"hall/{page}.html", context)


def _lost_links(session: Session) -> int:
    """How many cards still open and cannot be printed again: the program's key is another."""
    if session.state == Session.State.CLOSED:
        return 0
    tables = TableLink.objects.filter(evening=session.evening_id)
    return lost(tables, EntryLink.objects.filter(entry__event=session.event_id))


@require_POST
def links_anew(request: HttpRequest, slug: str) -> HttpResponse:
    """Replace the links that the program's key cannot make again, of tables and of pairs."""
    visit = visits.director_event(request, slug)
    session = visits.session_of(visit)
    try:
        if lost(session.evening.table_links.all()):
            make_links(session=session, by=request.user)
        if lost(EntryLink.objects.filter(entry__event=visit.event)):
            make_entry_links(event=visit.event, by=request.user)
    except WhistError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("The links are made. Print the cards again."))
    return redirect("event_desk", slug)


@require_POST
def session_act(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    """Open, close or reopen the session, or take its opening back."""
    visit = visits.director_event(request, slug)
    session = visits.session_of(visit)
    acts = {
        "open": scoring.services.open_session,
        "close": scoring.services.close_session,
        "reopen": scoring.services.reopen_session,
        "setup": scoring.services.return_to_setup,
    }
    terms = {"reason": request.POST.get("reason", "")} if act == "reopen" else {}
    try:
        acts[act](session=session, by=request.user, **terms)
    except WhistError as refused:
        messages.error(request, str(refused))
        return redirect("event_desk", slug)
    return redirect("room" if act == "open" else "event_desk", slug)


@require_POST
def standings_shown(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose when players see the standings."""
    visit = visits.director_event(request, slug)
    event = visit.event
    value = request.POST.get("value", "")
    if value not in Event.Shown.values:
        messages.error(request, _("Choose always, after the session, or never."))
    else:
        tournaments.services.show_standings(event=event, shown=value, by=request.user)
        messages.success(
            request,
            _("Players see the standings: %(when)s.") % {"when": Event.Shown(value).label},
        )
    return redirect("event_desk", slug)


@require_http_methods(["GET", "POST"])
def event_new(request: HttpRequest) -> HttpResponse:
    """Make an event."""
    clubs = access.clubs_of(request)
    at_hand = access.club_at_hand(request, request.GET.get("club", ""))
    initial = {"date": timezone.localdate(), "club": at_hand}
    form = EventForm(request.POST or None, clubs=clubs, initial=initial)
    if request.method == "POST" and form.is_valid() and clubs:
        data = form.cleaned_data
        event = scoring.services.create_event(
            club=data.get("club") or clubs[0],
            name=data["name"],
            date=data["date"],
            contest=data["contest"],
            method=data["method"],
            standings_shown=data["standings_shown"],
            paper_size=data["paper_size"],
            most_points=data["most_points"],
            form_key=data["form_key"] or None,
            by=request.user,
        )
        return redirect("entries", event.slug)
    return render(request, "hall/event_form.html", {"form": form, "event": None})


@require_http_methods(["GET", "POST"])
def event_edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Change an event's name, date, scoring, or what players see."""
    visit = visits.director_event(request, slug)
    event = visit.event
    form = EventForm(request.POST or None, instance=event, clubs=access.clubs_of(request))
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        scoring.services.edit_event(
            event=event,
            name=data["name"],
            date=data["date"],
            method=data["method"],
            standings_shown=data["standings_shown"],
            paper_size=data["paper_size"],
            by=request.user,
        )
        messages.success(request, _("%(name)s is changed.") % {"name": data["name"]})
        return redirect("event_desk", visit.address)
    return render(
        request, "hall/event_form.html", {"form": form, "visit": visit, "event": event}
    )


@require_safe
def director_standings(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings as they are, whatever the players may see of them."""
    visit = visits.scorer_event(request, slug)
    event = visit.event
    late = late_changes(event.pk)
    if not late and request.GET.get("seen") == str(rank_version(event, all_results=True)):
        return HttpResponse(status=204)
    table = rank_table(event, all_results=True)
    context = {
        "visit": visit,
        "event": event,
        "table": table,
        "late": late,
        "page": standings_page(event, table, all_results=True),
        "state": state_of(event),
        "state_text": state_text(state_of(event)),
        "live": event.state == Session.State.OPEN,
        "explain": "director_explained",
        "poll": reverse("director_standings", args=[slug]),
        "version": table.version,
        "shown_text": _("Players see them: %(when)s.")
        % {"when": event.get_standings_shown_display()},
    }
    part = "HX-Request" in request.headers
    template = "scoring/_standings.html" if part else "hall/director_standings.html"
    return render(request, template, context)


def _to_look_at(visit: Visit, session: Session, seated: SeatedSession) -> list[str]:
    """What a director should know before closing."""
    event = visit.event
    if session.state != Session.State.OPEN or not visit.is_directed:
        return []
    return summary(seated, checks(seated, tally(event)), len(list(open_challenges(event))))


def _calls(session: Session) -> list[WaitingCall]:
    """Who waits for the director while play is on."""
    is_open = session.state == Session.State.OPEN
    return waiting_calls(session.evening.calls.all()) if is_open else []


def _corrections_until(session: Session) -> datetime | None:
    """Until when a closed session is put right in the grid; None once that is over."""
    until = session.corrections_until
    return until if until and until > timezone.now() else None


def _steps(
    visit: Visit, session: Session, seated: SeatedSession, unsaid: bool, short: int
) -> list[Step]:
    event = visit.event
    entries = event.entries.count()
    is_planned = session.state == Session.State.PLANNED
    is_closed = session.state == Session.State.CLOSED
    done = {
        "entries": entries >= LEAST[Event.Contest(event.contest)],
        "movement": bool(seated.tables),
        "seats": bool(seated.tables) and not (is_planned and (unsaid or _unmet(seated))),
        "deals": not is_planned or (session.deals != Session.Deals.UNDECIDED and not short),
        "papers": Paper.objects.filter(session=session).exists() or not is_planned,
        "phones": bool(_linked(session)) or not is_planned,
        "open": not is_planned,
        "scores": is_closed or (bool(seated.expected) and not seated.missing),
        "close": is_closed,
    }
    titles = _titles(entries, session, seated, unsaid, short)
    steps, waiting = [], True
    for key, (title, text, view, action) in titles.items():
        is_next = waiting and key not in OPTIONAL
        ahead = Progress.NOW if is_next else Progress.LATER
        state = Progress.DONE if done[key] else ahead
        waiting = waiting and (done[key] or key in OPTIONAL)
        url = reverse(view, args=[visit.address]) if view else ""
        steps.append(Step(key, title, state, text, url, action))
    return steps


def _linked(session: Session) -> int:
    """How many tables have links by which phones enter scores."""
    links = TableLink.objects.filter(evening=session.evening_id, revoked_at__isnull=True)
    return links.count()


def _phones_text(linked: int, tables: int) -> str:
    if not linked:
        return _("if you like: the tables enter their own scores")
    if linked >= tables:
        return _("every table has its code")
    told = ngettext(
        "%(linked)s of %(tables)s table has its code",
        "%(linked)s of %(tables)s tables have their codes",
        tables,
    )
    return told % {"linked": linked, "tables": tables}


def _unmet(seated: SeatedSession) -> list[Entry]:
    """Who must stay seated and has a place that moves."""
    wishing = any(place.entry and place.entry.stays_seated for place in seated.places)
    sections = seated.sections if wishing else []
    return [entry for each in sections for entry in tournaments.services.unmet_wishes(each)]


def _papers_text(session: Session) -> str:
    """What the papers are, or which of those that were printed show old seats or names."""
    old = [] if session.state == Session.State.CLOSED else to_print_anew(session)
    if not old:
        return _("slips, cards and lists to print")
    titles = ", ".join(title_of(kind) for kind in old)
    return _("out of date, print again: %(papers)s") % {"papers": titles}


def _seats_text(session: Session, seated: SeatedSession, unsaid: bool) -> str:
    if not seated.tables:
        return _("drawn, by list or by hand")
    unmet = _unmet(seated) if session.state == Session.State.PLANNED else []
    if unmet:
        names = ", ".join(str(entry) for entry in unmet)
        return _("must stay seated, and moves: %(names)s") % {"names": names}
    if unsaid:
        return _("say who must stay seated")
    if session.state != Session.State.PLANNED:
        return _("everybody has a seat")
    return _("everybody has a seat; draw again or change them here")


def _short_text(short: int) -> str:
    return ngettext(
        "the movement needs %(count)s board more than is dealt",
        "the movement needs %(count)s boards more than are dealt",
        short,
    ) % {"count": short}


def _titles(
    entries: int, session: Session, seated: SeatedSession, unsaid: bool, short: int
) -> dict[str, tuple[str, str, str, str]]:
    """Each step's title, where it stands, its page, and what its button says."""
    words = words_of(session.event)
    section = seated.sections[0] if seated.sections else None
    movement = (
        ngettext(
            "%(tables)s tables, %(rounds)s rounds, %(boards)s board a round",
            "%(tables)s tables, %(rounds)s rounds, %(boards)s boards a round",
            session.boards_a_round,
        )
        % {
            "tables": section.tables,
            "rounds": section.rounds_planned,
            "boards": session.boards_a_round,
        }
        if section
        else _("not chosen yet")
    )
    if len(seated.sections) > 1:
        movement = _("%(count)s sections, %(boards)s boards a round") % {
            "count": len(seated.sections),
            "boards": session.boards_a_round,
        }
    how = (_("Movement"), movement, "movement", _("Choose the movement"))
    if not section and knockout_of(session.event):
        laid = _("the bracket is laid: seat its matches, or write down who won elsewhere")
        how = (_("Knock-out"), laid, "bracket_desk", _("Go to the knock-out"))
    scores = _("%(entered)s of %(expected)s results are in") % {
        "entered": seated.expected - seated.missing,
        "expected": seated.expected,
    }
    if session.state == Session.State.PLANNED:
        scores = _("once play is open")
    return {
        "entries": (
            words.many,
            _("%(who)s entered") % {"who": counted(session.event, entries)},
            "entries",
            words.enter,
        ),
        "movement": how,
        "seats": (
            _("Seats"),
            _seats_text(session, seated, unsaid),
            "seats" if section else "",
            _("See who sits where"),
        ),
        "deals": (
            _("Boards"),
            _short_text(short) if short else str(session.get_deals_display()),
            "deals",
            _("Deal the boards again") if short else _("Decide about the boards"),
        ),
        "papers": (
            _("Papers"),
            _papers_text(session),
            "papers",
            _("Print papers"),
        ),
        "phones": (
            _("Phones"),
            _phones_text(_linked(session), sum(each.tables for each in seated.sections)),
            "tables",
            _("Connect the phones"),
        ),
        "open": (_("Open play"), _("so that scores can be entered"), "", _("Open the session")),
        "scores": (_("Scores"), scores, "scores", _("Enter scores")),
        "close": (_("Close"), _("so that the hands are shown"), "", _("Close the session")),
    }
