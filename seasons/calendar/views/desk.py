"""The director's calendar pages: series, single evenings, and the import of bookings."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date as Date
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from boards.whist import WhistError
from clubs import audit, permissions
from clubs.errors import InvalidCalendarChange
from clubs.evenings import services
from clubs.evenings.money import CURRENCY_SIGNS_BY_CODE
from clubs.evenings.recurrence import InvalidRecurrenceRule, format_rule
from clubs.evenings.services.booking_import import BookingImportResult
from clubs.evenings.services.series import list_upcoming_days
from clubs.models import Club, Fixture, Series
from clubs.services import set_currency
from clubs.today import get_club_date
from clubs.views.error_messages import show_errors_as_messages
from clubs.views.undo_messages import offer_undo
from exchange.calendars import UnusableCalendar, group_holiday_spans, read_holidays
from exchange.calendars.holidays import MAX_CALENDAR_BYTES as MAX_HOLIDAY_BYTES
from seasons.calendar.booking_fetch import BookingFetchFailed, queue_fetch
from seasons.calendar.booking_file import (
    MAX_BOOKING_FILE_BYTES,
    build_bookings_document,
    import_booking_file,
)
from seasons.calendar.forms import (
    FixtureForm,
    SeriesForm,
    build_fixture_initial_data,
    build_series_initial_data,
    format_days,
)
from seasons.calendar.models import BookingFetch, format_fetch_counts
from seasons.calendar.sheets.calendar import list_director_summaries
from server.dates import format_date
from server.downloads import build_json_response
from server.errors import PageNotFound
from server.fragments import redirect_unless_htmx

HOLIDAY_PERIOD = timedelta(days=800)
"""The period from today for which holidays are read from a calendar file."""
PAST_BOOKINGS_PERIOD = timedelta(days=2)
"""The period for which the export still includes bookings of past evenings."""


@require_safe
def show_director_calendar(request: HttpRequest) -> HttpResponse:
    """Show a club's series, and its evenings since two weeks ago."""
    club = get_directed_club(request)
    today = get_club_date(club)
    context = {
        "club": club,
        "clubs": permissions.list_directed_clubs(request),
        "today": today,
        "lines": list_director_summaries(club, today - timedelta(days=14)),
        "series": [(series, format_rule(series.read_rule())) for series in club.series.all()],
        "currencies": sorted(CURRENCY_SIGNS_BY_CODE.items()),
        "fetch": BookingFetch.objects.filter(club=club).first(),
    }
    return render(request, "seasons/own_calendar.html", context)


@require_POST
def set_club_currency(request: HttpRequest) -> HttpResponse:
    """Set the currency of a club's table money."""
    club = get_directed_club(request)
    back_url = f"{reverse('own_calendar')}?club={club.slug}"
    with show_errors_as_messages(request):
        set_currency(club=club, currency=request.POST.get("currency", ""), by=request.user)
        acts = audit.list_acts(club).filter(action="club.currency")
        offer_undo(request, _("Table money settings saved."), acts, back_url)
    return redirect(back_url)


@require_http_methods(["GET", "POST"])
def create_series(request: HttpRequest) -> HttpResponse:
    """Show the form for a new series (GET), or create the series (POST)."""
    club = get_directed_club(request)
    today = get_club_date(club)
    initial_values = {
        "first": today,
        "weekday": today.weekday(),
        "place": _find_last_venue(club),
    }
    submitted_data = request.POST if request.method == "POST" else None
    form = SeriesForm(submitted_data, request.FILES or None, initial=initial_values, club=club)
    context: dict[str, Any] = {"club": club, "title": _("New series")}
    if submitted_data is not None and form.is_valid():
        if "holiday_file" in request.FILES:
            return _show_imported_holidays(request, form, context)
        with _show_errors_at_fields(form):
            new_series = services.create_series(
                club=club, values_by_field=form.values(), by=request.user
            )
            _report_created_evenings(request, new_series)
            return redirect("own_calendar")
    return _render_form(request, form, context)


@require_http_methods(["GET", "POST"])
def edit_series(request: HttpRequest, slug: str) -> HttpResponse:
    """Change a series, after a warning about the number of affected evenings."""
    series = _get_directed_series(request, slug)
    club = series.club
    today = get_club_date(club)
    submitted_data = request.POST if request.method == "POST" else None
    form = SeriesForm(
        submitted_data,
        request.FILES or None,
        initial=build_series_initial_data(series),
        club=club,
    )
    context: dict[str, Any] = {"club": club, "title": series.title, "series": series}
    context["coming"] = list_upcoming_days(series, today)
    if submitted_data is not None and form.is_valid():
        if "holiday_file" in request.FILES:
            return _show_imported_holidays(request, form, context)
        with _show_errors_at_fields(form):
            form_values = form.values()
            if "sure" in request.POST:
                services.change_series(series=series, values=form_values, by=request.user)
                _offer_undo(request, club, _("%(title)s saved.") % {"title": series.title})
                return redirect("own_calendar")
            context["change_warning"] = _format_change_warning(series, form_values, today)
    return _render_form(request, form, context)


@require_POST
def end_series(request: HttpRequest, slug: str) -> HttpResponse:
    """End a series, or resume an ended one."""
    series = _get_directed_series(request, slug)
    if request.POST.get("act") == "resume":
        services.resume_series(series=series, by=request.user)
        message = _("%(title)s continues.")
    else:
        services.end_series(series=series, by=request.user)
        message = _("%(title)s ended. Its upcoming evenings are cancelled.")
    _offer_undo(request, series.club, message % {"title": series.title})
    return redirect("own_calendar")


@require_http_methods(["GET", "POST"])
def create_fixture(request: HttpRequest) -> HttpResponse:
    """Show the form for a single evening (GET), or add the evening to the calendar (POST)."""
    club = get_directed_club(request)
    initial_values = {"date": request.GET.get("date", ""), "place": _find_last_venue(club)}
    submitted_data = request.POST if request.method == "POST" else None
    form = FixtureForm(submitted_data, initial=initial_values, club=club)
    if submitted_data is not None and form.is_valid():
        with _show_errors_at_fields(form):
            new_fixture = services.create_fixture(
                club=club, values_by_field=form.values, by=request.user
            )
            return redirect("fixture_desk", new_fixture.uid)
    return _render_form(request, form, {"club": club, "title": _("New evening")})


@require_http_methods(["GET", "POST"])
def edit_fixture(request: HttpRequest, fixture: str) -> HttpResponse:
    """Move, rename or change a single evening."""
    fixture_row = get_directed_fixture(request, fixture)
    submitted_data = request.POST if request.method == "POST" else None
    form = FixtureForm(
        submitted_data, initial=build_fixture_initial_data(fixture_row), club=fixture_row.club
    )
    if submitted_data is not None and form.is_valid():
        with _show_errors_at_fields(form):
            # New places go to waiting bookings, even after booking has closed.
            has_capacity_change = any(
                form.values[field_name] != getattr(fixture_row, field_name)
                for field_name in ("unit", "places")
            )
            services.change_fixture(fixture=fixture_row, values=form.values, by=request.user)
            services.promote_waiting_bookings(
                fixture=fixture_row, is_director=has_capacity_change, by=request.user
            )
            _offer_undo(request, fixture_row.club, _("Evening saved."))
            return redirect("fixture_desk", fixture_row.uid)
    context = {
        "club": fixture_row.club,
        "title": fixture_row.evening.title,
        "fixture": fixture_row,
    }
    return _render_form(request, form, context)


@require_POST
def cancel_fixture(request: HttpRequest, fixture: str) -> HttpResponse:
    """Cancel an evening, or undo its cancellation."""
    fixture_row = get_directed_fixture(request, fixture)
    if request.POST.get("act") == "revive":
        services.restore_fixture(fixture=fixture_row, by=request.user)
        message = _("Evening restored.")
    else:
        services.cancel_fixture(fixture=fixture_row, by=request.user)
        message = _(
            "Evening cancelled. Its bookings are kept so that you can contact the players."
        )
    _offer_undo(request, fixture_row.club, message)
    return redirect("fixture_desk", fixture_row.uid)


def get_directed_club(request: HttpRequest) -> Club:
    """Return the club of the request; raise PageNotFound if the user does not direct it."""
    club = permissions.get_current_club(
        request, request.GET.get("club", request.POST.get("club", ""))
    )
    if club is None:
        raise PageNotFound(_("You aren’t a director of a club, so you have no calendar."))
    timezone.activate(club.zone)
    return club


def get_directed_fixture(request: HttpRequest, fixture_uid: str) -> Fixture:
    """Return the evening with this uid; raise PageNotFound unless the user directs the club."""
    fixtures = Fixture.objects.filter(
        evening__club__in=permissions.list_directed_clubs(request)
    )
    fixture_row = (
        fixtures.select_related("evening__club", "series").filter(uid=fixture_uid).first()
    )
    if fixture_row is None:
        raise PageNotFound(_("Evening not found."))
    timezone.activate(fixture_row.club.zone)
    return fixture_row


def _get_directed_series(request: HttpRequest, series_slug: str) -> Series:
    directed_series = Series.objects.filter(
        club__in=permissions.list_directed_clubs(request)
    ).select_related("club")
    series = get_object_or_404(
        directed_series, club=get_directed_club(request), slug=series_slug
    )
    timezone.activate(series.club.zone)
    return series


def _show_imported_holidays(
    request: HttpRequest, form: SeriesForm, context: dict[str, Any]
) -> HttpResponse:
    """Show the form again with the holidays from the uploaded file, for the user to check."""
    calendar_bytes: bytes = form.cleaned_data["holiday_file"].read(MAX_HOLIDAY_BYTES + 1)
    club: Club = context["club"]
    first_day = get_club_date(club)
    last_day = first_day + HOLIDAY_PERIOD
    try:
        holiday_name_by_day = read_holidays(
            calendar_bytes, zone=club.zone, first_day=first_day, last_day=last_day
        )
        if not holiday_name_by_day:
            message = _("No holidays before %(day)s. Choose another file.")
            raise UnusableCalendar(message % {"day": format_date(last_day, "SHORT_DATE")})
    except UnusableCalendar as error:
        form.add_error("holiday_file", str(error))
        return _render_form(request, form, context)
    names_by_day = {**holiday_name_by_day, **form.cleaned_data["holidays"]}
    submitted_data = request.POST.copy()
    submitted_data["holidays"] = format_days(
        {day.isoformat(): holiday_name for day, holiday_name in names_by_day.items()}
    )
    filled_form = SeriesForm(submitted_data, club=club)
    holiday_context = {
        "holidays": group_holiday_spans(holiday_name_by_day),
        "holiday_count": len(holiday_name_by_day),
    }
    page_context = {**context, **holiday_context, "form": filled_form}
    return render(request, "seasons/calendar_form.html", page_context)


@contextmanager
def _show_errors_at_fields(form: SeriesForm | FixtureForm) -> Iterator[None]:
    """Catch a validation error in the block, and show it at its form field."""
    try:
        yield
    except (InvalidRecurrenceRule, InvalidCalendarChange) as error:
        form.add_error(
            error.field_name if error.field_name in form.fields else None, str(error)
        )


def _format_change_warning(series: Series, new_values: Mapping[str, Any], today: Date) -> str:
    """Return the warning before a change of a series, with the numbers of affected evenings."""
    affected_fixtures = series.fixtures.filter(
        series_day__gte=today, is_own=False, cancelled_at=None
    )
    evening_count = affected_fixtures.count()
    booked_evening_count = affected_fixtures.filter(bookings__isnull=False).distinct().count()
    evening_text = ngettext("%(n)s upcoming evening", "%(n)s upcoming evenings", evening_count)
    booked_evenings_text = ngettext(
        "%(n)s of them has bookings", "%(n)s of them have bookings", booked_evening_count
    )
    if new_values["rule"] != series.rule:
        effect_text = _("Evenings outside the new days are cancelled, even booked ones.")
    else:
        effect_text = _("All of them change. Bookings are kept.")
    evening_text, booked_evenings_text = (
        evening_text % {"n": evening_count},
        booked_evenings_text % {"n": booked_evening_count},
    )
    return f"{evening_text}, {booked_evenings_text}. {effect_text}"


def _report_created_evenings(request: HttpRequest, series: Series) -> None:
    evening_count = series.fixtures.count()
    message = ngettext(
        "%(count)s evening in the calendar.",
        "%(count)s evenings in the calendar.",
        evening_count,
    )
    _offer_undo(request, series.club, message % {"count": evening_count})
    skipped_days = list_upcoming_days(series, get_club_date(series.club)).skipped_days
    missing_days = [
        skipped_day
        for skipped_day in skipped_days
        if skipped_day.reason == "no_such" and skipped_day.month
    ]
    if missing_days:
        months_text = ", ".join(
            f"{missing_day.month[1]}/{missing_day.month[0]}"
            for missing_day in missing_days
            if missing_day.month
        )
        messages.info(
            request,
            _("No evening in %(months)s, because that date doesn’t exist.")
            % {"months": months_text},
        )


def _offer_undo(request: HttpRequest, club: Club, message: str) -> None:
    acts = audit.list_acts(club).filter(action__regex=r"^(series|fixture)\.")
    offer_undo(request, message, acts, reverse("own_calendar"))


def _render_form(request: HttpRequest, form: Any, context: dict[str, Any]) -> HttpResponse:
    status = 400 if form.is_bound and not context.get("change_warning") else 200
    page_context = {**context, "form": form}
    return render(request, "seasons/calendar_form.html", page_context, status=status)


def _find_last_venue(club: Club) -> str:
    last_fixture = Fixture.objects.filter(evening__club=club).order_by("-pk").first()
    return last_fixture.evening.place if last_fixture else ""


@require_POST
def start_bookings_fetch(request: HttpRequest) -> HttpResponse:
    """Import an uploaded bookings file, or queue a fetch from the club's server."""
    club = get_directed_club(request)
    uploaded_file = request.FILES.get("file")
    try:
        if uploaded_file is not None:
            document: bytes = uploaded_file.read(MAX_BOOKING_FILE_BYTES + 1)
            _report_import(
                request, import_booking_file(document=document, club=club, by=request.user)
            )
        else:
            _queue_server_fetch(request, club)
    except WhistError as error:
        for problem in (getattr(error, "problems", None) or [str(error)])[:5]:
            messages.error(request, problem)
    return redirect(f"{reverse('own_calendar')}?club={club.slug}")


@require_safe
@redirect_unless_htmx("own_calendar")
def show_fetch_progress(request: HttpRequest) -> HttpResponse:
    """Show the progress of the fetch; the page polls this view until the fetch is done."""
    club = get_directed_club(request)
    booking_fetch = BookingFetch.objects.filter(club=club).first()
    response = render(
        request, "seasons/_booking_fetch.html", {"club": club, "fetch": booking_fetch}
    )
    if booking_fetch is None or booking_fetch.state != BookingFetch.State.WAITING:
        # The page reloads, and its list of evenings then shows the new bookings.
        response.headers["HX-Refresh"] = "true"
    return response


@require_safe
def export_bookings(request: HttpRequest) -> HttpResponse:
    """Return a bookings file with full names, for import on the computer at the venue."""
    club = get_directed_club(request)
    bookings_document = build_bookings_document(
        club, get_club_date(club) - PAST_BOOKINGS_PERIOD
    )
    return build_json_response(bookings_document, f"bookings-{club.slug}.json")


def _report_import(request: HttpRequest, import_result: BookingImportResult) -> None:
    messages.success(
        request,
        format_fetch_counts(
            import_result.new_count,
            import_result.changed_count,
            import_result.cancelled_booking_count,
        ),
    )
    for names_text in import_result.skipped_names:
        messages.warning(request, _("%(names)s: already booked here.") % {"names": names_text})


def _queue_server_fetch(request: HttpRequest, club: Club) -> None:
    server, token = (
        request.POST.get(field_name, "").strip() for field_name in ("server", "token")
    )
    if not server or not token:
        raise BookingFetchFailed(_("Choose a file, or enter the server’s address and a token."))
    queue_fetch(club=club, server=server[:200], token=token, by=request.user)
