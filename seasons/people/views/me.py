"""A person's own pages, opened by a personal link: evenings, calendar, grade, stored data."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs import person_cookie
from clubs.audit import GuestAuthor
from clubs.evenings.services import NewPerson
from clubs.models import Consent, PersonLink, Player
from clubs.services import update_person
from clubs.views.error_messages import show_errors_as_messages
from exchange.data_tables import encode_csv
from seasons.calendar.views.public import (
    FixtureBooker,
    build_calendar_response,
    get_fixture,
    handle_own_booking,
)
from seasons.grades.club_plays import may_grades_be_outdated
from seasons.grades.services.settings import hide_grade
from seasons.grades.sheets import (
    build_grade_chart,
    find_grade_step,
    list_opponents,
    load_grade_steps,
)
from seasons.grades.tasks import GRADES_JOB
from seasons.grades.visibility import get_grade_book, is_grade_public
from seasons.people.sections import load_sections
from seasons.people.sheets.own_page import build_own_calendar_file, load_own_page
from seasons.people.sheets.personal_data import build_personal_data, build_personal_data_table
from seasons.people.tasks import compute_outdated_statistics
from server.downloads import CSV_CONTENT_TYPE, build_file_response, build_json_response
from server.errors import PageNotFound
from server.hall_network import find_base_url
from server.jobs.outbox import expedite_job
from tournaments.services import set_player_visibility

PersonalView = Callable[..., HttpResponse]
"""A view function of a person's own pages.

Its arguments are the request, the personal link, and the URL arguments.
"""
MAX_LISTED_EVENINGS = 60
"""The maximum number of evenings listed on a page; the newest ones are listed."""


def require_personal_link(view: PersonalView) -> Any:
    """Decorate a view to require a valid personal link.

    The response also gets the header "Referrer-Policy: no-referrer".
    """

    @login_not_required
    @never_cache
    @wraps(view)
    def open_page(request: HttpRequest, **url_arguments: str) -> HttpResponse:
        link = person_cookie.get_current_person_link(request)
        if link is None:
            response = render(request, "seasons/me_gone.html", status=404)
            person_cookie.delete_link_cookie(response)
        else:
            timezone.activate(link.player.club.zone)
            response = view(request, link, **url_arguments)
        response["Referrer-Policy"] = "no-referrer"
        return response

    return open_page


@login_not_required
@never_cache
@require_safe
def open_personal_link(request: HttpRequest, token: str) -> HttpResponse:
    """Store the token of the URL in a cookie, and redirect to a URL without the token."""
    link = person_cookie.find_person_link(token)
    if link is None:
        response = render(request, "seasons/me_gone.html", status=404)
    else:
        response = redirect("me")
        person_cookie.set_link_cookie(response, link, token, is_secure=request.is_secure())
    response["Referrer-Policy"] = "no-referrer"
    return response


@require_safe
@require_personal_link
def show_own_page(request: HttpRequest, link: PersonLink) -> HttpResponse:
    """Show a person's own page: the evenings, the partners, and the other sections."""
    player = link.player
    page = load_own_page(player)
    if compute_outdated_statistics(page.outdated_event_pks):
        page = load_own_page(player)
    context = {
        "club": player.club,
        "player": player,
        "page": page,
        "sections": load_sections(player),
        "consents": {consent.what: consent.given for consent in player.consents.all()},
        "shown": Player.list_public_name_choices(),
        "matters": Consent.ConsentPurpose.choices,
        "link": link,
    }
    return render(request, "seasons/me.html", context)


@require_POST
@require_personal_link
def save_own_settings(request: HttpRequest, link: PersonLink) -> HttpResponse:
    """Save a person's own choice of name visibility and consents."""
    player, form_input = link.player, request.POST
    by = GuestAuthor(GuestAuthor.Kind.PERSON, str(player.pk))
    with show_errors_as_messages(request):
        if form_input.get("shown") in dict(Player.list_public_name_choices()):
            set_player_visibility(player=player, shown=form_input["shown"], by=by)
        values_by_answer = {"yes": True, "no": False}
        consent_by_purpose = {
            consent_purpose: values_by_answer[form_input[consent_purpose]]
            for consent_purpose in Consent.ConsentPurpose.values
            if form_input.get(consent_purpose) in values_by_answer
        }
        update_person(player=player, details={}, consents=consent_by_purpose, by=by)
        messages.success(request, _("Saved."))
    return redirect("me")


@require_safe
@require_personal_link
def download_personal_data(request: HttpRequest, link: PersonLink) -> HttpResponse:
    """Return the personal data that the club stores about the person, as JSON or CSV."""
    if request.GET.get("format") == "csv":
        return build_file_response(
            encode_csv(build_personal_data_table(link.player)),
            CSV_CONTENT_TYPE,
            "held-of-me.csv",
        )
    return build_json_response(build_personal_data(link.player), "held-of-me.json")


@require_POST
@require_personal_link
def forget_this_browser(request: HttpRequest, link: PersonLink) -> HttpResponse:
    """Delete the personal link's cookie in this browser; the link stays valid."""
    response = redirect("home")
    person_cookie.delete_link_cookie(response)
    return response


@require_http_methods(["GET", "POST"])
@require_personal_link
def show_linked_booking(request: HttpRequest, link: PersonLink, fixture: str) -> HttpResponse:
    """Show the person's own booking of an evening (GET), or change it (POST)."""
    fixture_row = get_fixture(link.player.club.slug, fixture)
    return handle_own_booking(
        request,
        FixtureBooker(fixture_row, NewPerson(player=link.player)),
        is_personal_page=True,
    )


@require_safe
@require_personal_link
def show_own_calendar(request: HttpRequest, link: PersonLink) -> HttpResponse:
    """Show the secret URL for subscribing to a person's own calendar on a phone."""
    token = person_cookie.get_current_token(request)
    path = f"/me/{token}/calendar.ics"
    calendar_url = f"{find_base_url(request)}{path}"
    context = {"club": link.player.club, "player": link.player, "address": calendar_url}
    return render(request, "seasons/me_calendar.html", context)


@require_safe
@require_personal_link
def download_own_calendar(request: HttpRequest, link: PersonLink) -> HttpResponse:
    """Return a person's own calendar as a file for a single import."""
    return _build_calendar_file_response(request, link.player)


@login_not_required
@require_safe
def download_subscribed_calendar(request: HttpRequest, token: str) -> HttpResponse:
    """Return the calendar of the person whose token is in the URL.

    No cookie is needed, because calendar clients send none.
    """
    link = person_cookie.find_person_link(token)
    if link is None:
        raise PageNotFound(_("This link isn’t in use."))
    link.record_visit()
    timezone.activate(link.player.club.zone)
    return _build_calendar_file_response(request, link.player)


def _build_calendar_file_response(request: HttpRequest, player: Player) -> HttpResponse:
    base_url = find_base_url(request)
    calendar_bytes = build_own_calendar_file(player, base_url)
    response = build_calendar_response(request, calendar_bytes, "my-evenings.ics")
    response["Cache-Control"] = "private, no-cache"
    response["Referrer-Policy"] = "no-referrer"
    return response


@require_safe
@require_personal_link
def show_own_grade(request: HttpRequest, link: PersonLink) -> HttpResponse:
    """Show a person's own grade after each evening, and whether other people can see it."""
    return _render_grade_history(request, link.player, is_own=True)


@require_safe
@require_personal_link
def show_own_grade_change(request: HttpRequest, link: PersonLink, event: str) -> HttpResponse:
    """Show how one evening changed a person's own grade."""
    return _render_grade_change(request, link.player, event, is_own=True)


@require_POST
@require_personal_link
def change_grade_visibility(request: HttpRequest, link: PersonLink) -> HttpResponse:
    """Hide a person's own grade from everyone else, or show it again."""
    by = GuestAuthor(GuestAuthor.Kind.PERSON, str(link.player_id))
    with show_errors_as_messages(request):
        hide_grade(player=link.player, is_hidden=request.POST.get("hidden") == "yes", by=by)
        messages.success(request, _("Saved."))
    return redirect("me_grade")


@login_not_required
@require_safe
def show_player_grade(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a player's public grade after each evening."""
    return _render_grade_history(request, _get_player_with_public_grade(pk), is_own=False)


@login_not_required
@require_safe
def show_player_grade_change(request: HttpRequest, pk: int, event: str) -> HttpResponse:
    """Show how one evening changed a player's public grade."""
    return _render_grade_change(request, _get_player_with_public_grade(pk), event, is_own=False)


def _get_player_with_public_grade(pk: int) -> Player:
    player = Player.objects.select_related("club").filter(pk=pk).first()
    # The response must not reveal whether a grade is hidden.
    if player is None or not is_grade_public(player):
        raise PageNotFound(_("No public grade found."))
    return player


def _render_grade_history(
    request: HttpRequest, player: Player, *, is_own: bool
) -> HttpResponse:
    book = get_grade_book(player.club_id)
    grade_steps = load_grade_steps(player, is_public_view=not is_own) if book else []
    has_outdated_grades = book is not None and may_grades_be_outdated(book)
    if has_outdated_grades:
        expedite_job(GRADES_JOB, player.club_id)
    context = {
        "club": player.club,
        "player": player,
        "is_own": is_own,
        "frame": "frames/base.html" if is_own else "frames/public.html",
        "book": book,
        "behind": has_outdated_grades,
        "now": grade_steps[0].new_grade if grade_steps else None,
        "newest": grade_steps[0] if grade_steps else None,
        "steps": grade_steps[:MAX_LISTED_EVENINGS],
        "count": len(grade_steps),
        "drawing": build_grade_chart(grade_steps),
        "hidden": is_own and hasattr(player, "hidden_grade"),
    }
    return render(request, "seasons/grade.html", context)


def _render_grade_change(
    request: HttpRequest, player: Player, event_slug: str, *, is_own: bool
) -> HttpResponse:
    grade_step = find_grade_step(player, event_slug, is_public_view=not is_own)
    if grade_step is None:
        raise PageNotFound(_("No grade for this evening."))
    context = {
        "club": player.club,
        "player": player,
        "is_own": is_own,
        "frame": "frames/base.html" if is_own else "frames/public.html",
        "step": grade_step,
        "met": list_opponents(player, grade_step.event),
    }
    return render(request, "seasons/grade_evening.html", context)
