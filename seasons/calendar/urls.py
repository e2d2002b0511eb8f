"""The URLs of a club's calendar and its bookings."""

from django.urls import URLPattern, path

from seasons.calendar import api
from seasons.calendar.views import desk, evening, public

# /clubs/<club>/
club_urls: list[URLPattern] = [
    path("calendar/", public.calendar, name="calendar"),
    path("calendar.ics", public.calendar_ics, name="calendar_ics"),
    path("calendar/<slug:series>.ics", public.calendar_ics, name="series_ics"),
    path("calendar/<uuid:fixture>/", public.fixture, name="fixture"),
]

# /b/
booking_urls: list[URLPattern] = [
    path("<str:token>/", public.booking_own, name="booking_own"),
]

# /director/calendar/
director_urls: list[URLPattern] = [
    path("", desk.own_calendar, name="own_calendar"),
    path("new-series/", desk.series_new, name="series_new"),
    path("series/<slug:slug>/", desk.series_edit, name="series_edit"),
    path("series/<slug:slug>/end/", desk.series_end, name="series_end"),
    path("currency/", desk.club_currency, name="club_currency"),
    path("bookings/", desk.bookings_file, name="bookings_file"),
    path("bookings/fetch/", desk.bookings_fetch, name="bookings_fetch"),
    path("bookings/fetched/", desk.bookings_fetched, name="bookings_fetched"),
    path("new/", desk.fixture_new, name="fixture_new"),
    path("<uuid:fixture>/", evening.fixture_desk, name="fixture_desk"),
    path("<uuid:fixture>/act/", evening.fixture_act, name="fixture_act"),
    path("<uuid:fixture>/enter/", evening.fixture_enter, name="fixture_enter"),
    path("<uuid:fixture>/edit/", desk.fixture_edit, name="fixture_edit"),
    path("<uuid:fixture>/cancel/", desk.fixture_cancel, name="fixture_cancel"),
    path(
        "<uuid:fixture>/acts/<int:pk>/undo/",
        evening.fixture_act_undo,
        name="fixture_act_undo",
    ),
    path("<uuid:fixture>/money/", evening.fixture_money, name="fixture_money"),
    path("<uuid:fixture>/money/act/", evening.fixture_money_act, name="money_act"),
    path("<uuid:fixture>/money/csv/", evening.fixture_money_csv, name="money_csv"),
    path("<uuid:fixture>/money/pdf/", evening.fixture_money_pdf, name="money_pdf"),
]

# /api/clubs/<club>/
api_urls: list[URLPattern] = [
    path("calendar/", api.calendar, name="api-calendar"),
    path("bookings/", api.bookings, name="api-bookings"),
    path(
        "calendar/<uuid:fixture>/bookings/",
        api.fixture_bookings,
        name="api-fixture-bookings",
    ),
]
