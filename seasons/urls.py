"""The addresses of a club's home, its people and their records, its seasons."""

from django.urls import URLPattern, path

from clubs.archives.known import Known
from seasons import api
from seasons.views import (
    calendar,
    directing,
    doubles,
    fixture_desk,
    fixture_money,
    home,
    ladders,
    learn,
    own_booking,
    own_calendar,
    people,
    people_lists,
    records,
    results_out,
)
from seasons.views.forgetting import player_forget

# /
public_urls: list[URLPattern] = [
    path("", home.home, name="home"),
    path("events/", home.evenings, name="evenings"),
    path("learn/", learn.learn, name="learn"),
    *(
        path(f"learn/{page.key.replace('_', '-')}/", learn.lesson(number), name=page.view)
        for number, page in enumerate(learn.LESSONS)
    ),
]

# /players/
player_urls: list[URLPattern] = [
    path("", records.people, name="people"),
    path("<int:pk>/", records.player, name="player"),
]


# /director/players/
def people_urls(known: Known) -> list[URLPattern]:
    """The pages of a club's people; `known` says which rows a club has."""
    return [*_people_urls, path("<int:pk>/forget/", player_forget(known), name="player_forget")]


_people_urls: list[URLPattern] = [
    path("", people.players, name="players"),
    path("doubles/", doubles.doubles, name="doubles"),
    path("list/", people_lists.people_list, name="people_list"),
    path("<int:pk>/", people.player_edit, name="player_edit"),
    path("<int:pk>/remove/", people.player_remove, name="player_remove"),
    path("<int:pk>/merge/", people.player_merge, name="player_merge"),
]

# /clubs/<club>/
club_urls: list[URLPattern] = [
    path("", home.club_page, name="club_page"),
    path("calendar/", calendar.calendar, name="calendar"),
    path("calendar.ics", calendar.calendar_ics, name="calendar_ics"),
    path("calendar/<slug:series>.ics", calendar.calendar_ics, name="series_ics"),
    path("calendar/<uuid:fixture>/", calendar.fixture, name="fixture"),
    path("seasons/", ladders.seasons, name="seasons"),
    path("seasons/<slug:season>/", ladders.season, name="season"),
    path("seasons/<slug:season>/<slug:ladder>/", ladders.ladder, name="ladder"),
    path("seasons/<slug:season>/<slug:ladder>/line/", ladders.ladder_line, name="ladder_line"),
    path("seasons/<slug:season>/<slug:ladder>/csv/", ladders.ladder_csv, name="ladder_csv"),
    path("seasons/<slug:season>/<slug:ladder>/xlsx/", ladders.ladder_xlsx, name="ladder_xlsx"),
    path("seasons/<slug:season>/<slug:ladder>/pdf/", ladders.ladder_pdf, name="ladder_pdf"),
]

# /api/clubs/<club>/
api_club_urls: list[URLPattern] = [
    path("seasons/", api.seasons, name="api-seasons"),
    path("seasons/<slug:season>/ladders/<slug:ladder>/", api.ladder, name="api-ladder"),
]

# /director/seasons/
season_urls: list[URLPattern] = [
    path("", directing.own_seasons, name="own_seasons"),
    path("<slug:season>/close/", directing.season_close, name="season_close"),
    path("<slug:season>/file/", directing.season_file, name="season_file"),
    path(
        "<slug:season>/acts/<int:pk>/undo/", directing.season_act_undo, name="season_act_undo"
    ),
]

# /director/results-out/
out_urls: list[URLPattern] = [
    path("", results_out.results_out, name="results_out"),
    path("files/", results_out.club_files, name="club_files"),
    path("files/make/", results_out.club_file_make, name="club_file_make"),
    path("files/<int:pk>/", results_out.club_file, name="club_file"),
]

# /b/
booking_urls: list[URLPattern] = [
    path("<str:token>/", own_booking.booking_own, name="booking_own"),
]

# /director/calendar/
calendar_urls: list[URLPattern] = [
    path("", own_calendar.own_calendar, name="own_calendar"),
    path("series/new/", own_calendar.series_new, name="series_new"),
    path("series/<slug:slug>/", own_calendar.series_edit, name="series_edit"),
    path("series/<slug:slug>/end/", own_calendar.series_end, name="series_end"),
    path("new/", own_calendar.fixture_new, name="fixture_new"),
    path("<uuid:fixture>/", fixture_desk.fixture_desk, name="fixture_desk"),
    path("<uuid:fixture>/act/", fixture_desk.fixture_act, name="fixture_act"),
    path("<uuid:fixture>/enter/", fixture_desk.fixture_enter, name="fixture_enter"),
    path("<uuid:fixture>/edit/", own_calendar.fixture_edit, name="fixture_edit"),
    path("<uuid:fixture>/cancel/", own_calendar.fixture_cancel, name="fixture_cancel"),
    path(
        "<uuid:fixture>/acts/<int:pk>/undo/",
        fixture_desk.fixture_act_undo,
        name="fixture_act_undo",
    ),
    path("<uuid:fixture>/money/", fixture_money.fixture_money, name="fixture_money"),
    path("<uuid:fixture>/money/act/", fixture_money.fixture_money_act, name="money_act"),
    path("<uuid:fixture>/money/csv/", fixture_money.fixture_money_csv, name="money_csv"),
    path("<uuid:fixture>/money/pdf/", fixture_money.fixture_money_pdf, name="money_pdf"),
]
