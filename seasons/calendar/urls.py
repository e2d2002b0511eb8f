"""The URLs of a club's calendar and its bookings."""

from django.urls import URLPattern, path

from seasons.calendar import api
from seasons.calendar.views import desk, evening, public

# URLs below /clubs/<club>/
club_urls: list[URLPattern] = [
    path("calendar/", public.show_calendar, name="calendar"),
    path("calendar.ics", public.download_calendar, name="calendar_ics"),
    path("calendar/<slug:series>.ics", public.download_calendar, name="series_ics"),
    path("calendar/<uuid:fixture>/", public.show_fixture, name="fixture"),
]

# URLs below /b/
booking_urls: list[URLPattern] = [
    path("<str:token>/", public.show_own_booking, name="booking_own"),
]

# URLs below /director/calendar/
director_urls: list[URLPattern] = [
    path("", desk.show_director_calendar, name="own_calendar"),
    path("new-series/", desk.create_series, name="series_new"),
    path("series/<slug:slug>/", desk.edit_series, name="series_edit"),
    path("series/<slug:slug>/end/", desk.end_series, name="series_end"),
    path("currency/", desk.set_club_currency, name="club_currency"),
    path("bookings/", desk.export_bookings, name="bookings_file"),
    path("bookings/fetch/", desk.start_bookings_fetch, name="bookings_fetch"),
    path("bookings/fetched/", desk.show_fetch_progress, name="bookings_fetched"),
    path("new/", desk.create_fixture, name="fixture_new"),
    path("<uuid:fixture>/", evening.show_fixture_bookings, name="fixture_desk"),
    path("<uuid:fixture>/act/", evening.change_bookings, name="fixture_act"),
    path("<uuid:fixture>/enter/", evening.create_entries, name="fixture_enter"),
    path("<uuid:fixture>/edit/", desk.edit_fixture, name="fixture_edit"),
    path("<uuid:fixture>/cancel/", desk.cancel_fixture, name="fixture_cancel"),
    path(
        "<uuid:fixture>/acts/<int:pk>/undo/",
        evening.undo_fixture_action,
        name="fixture_act_undo",
    ),
    path("<uuid:fixture>/money/", evening.show_attendance, name="fixture_money"),
    path("<uuid:fixture>/money/act/", evening.change_attendance, name="money_act"),
    path("<uuid:fixture>/money/csv/", evening.download_attendance_csv, name="money_csv"),
    path("<uuid:fixture>/money/pdf/", evening.download_attendance_pdf, name="money_pdf"),
]

# URLs below /api/clubs/<club>/
api_urls: list[URLPattern] = [
    path("calendar/", api.list_calendar, name="api-calendar"),
    path("bookings/", api.list_bookings, name="api-bookings"),
    path(
        "calendar/<uuid:fixture>/bookings/",
        api.book_fixture,
        name="api-fixture-bookings",
    ),
]
