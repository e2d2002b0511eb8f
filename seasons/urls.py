"""The addresses of a club's home, its people and their records, its seasons."""

from django.urls import URLPattern, path

from clubs.archives.known import Known
from seasons.api import calendar as api_calendar
from seasons.api import grades as api_grades
from seasons.api import handicaps as api_handicaps
from seasons.api import published
from seasons.api import seasons as api
from seasons.views import (
    calendar,
    club_pages,
    directing,
    doubles,
    fetch_bookings,
    fixture_desk,
    fixture_money,
    grades,
    handicap_desk,
    handicaps,
    home,
    ladder_desk,
    ladders,
    learn,
    me,
    me_calendar,
    own_booking,
    own_calendar,
    own_grade,
    people,
    people_lists,
    person_links,
    received,
    records,
    results_mail,
    results_out,
    seeding,
    sending,
    trophies,
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
    path("<int:pk>/grade/", own_grade.player_grade, name="player_grade"),
    path(
        "<int:pk>/grade/<slug:event>/",
        own_grade.player_grade_evening,
        name="player_grade_evening",
    ),
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
    path("grades/", grades.club_grades, name="club_grades"),
    path("grades/constants/", grades.grades_constants, name="grades_constants"),
    path("grades/fit/", grades.grades_fit, name="grades_fit"),
    path("links/", person_links.person_links, name="person_links"),
    path("links/cards/", person_links.link_cards, name="link_cards"),
    path("<int:pk>/link/", person_links.person_link, name="person_link"),
    path("<int:pk>/remove/", people.player_remove, name="player_remove"),
    path("<int:pk>/merge/", people.player_merge, name="player_merge"),
]

# /me/
me_urls: list[URLPattern] = [
    path("", me.me, name="me"),
    path("change/", me.me_change, name="me_change"),
    path("grade/", own_grade.me_grade, name="me_grade"),
    path("grade/<slug:event>/", own_grade.me_grade_evening, name="me_grade_evening"),
    path("hide-grade/", own_grade.me_grade_hide, name="me_grade_hide"),
    path("held/", me.me_held, name="me_held"),
    path("leave/", me.me_leave, name="me_leave"),
    path("calendar/", me_calendar.me_calendar, name="me_calendar"),
    path("calendar.ics", me_calendar.me_calendar_file, name="me_calendar_file"),
    path("booking/<uuid:fixture>/", me_calendar.me_booking, name="me_booking"),
    path("<str:token>/", me.me_open, name="me_open"),
    path("<str:token>/calendar.ics", me_calendar.me_calendar_ics, name="me_calendar_ics"),
]

# /clubs/<club>/
club_urls: list[URLPattern] = [
    path("", home.club_page, name="club_page"),
    path("feed.xml", club_pages.feed, name="club_feed"),
    path("honours/", club_pages.honours, name="honours"),
    path("records/", club_pages.records, name="club_records"),
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
    path("handicaps/<slug:season>/", handicaps.handicaps, name="handicaps"),
    path(
        "handicaps/<slug:season>/<slug:key>/",
        handicaps.handicap_evening,
        name="handicap_evening",
    ),
    path(
        "handicaps/<slug:season>/<slug:key>/csv/", handicaps.handicap_csv, name="handicap_csv"
    ),
    path(
        "handicaps/<slug:season>/<slug:key>/pdf/", handicaps.handicap_pdf, name="handicap_pdf"
    ),
    path("sent/", received.sent_here, name="sent_here"),
    path("sent/seasons/<slug:slug>/", received.sent_season, name="sent_season"),
    path("sent/drives/<slug:slug>/", received.sent_drive, name="sent_drive"),
    path("sent/<slug:slug>/", received.sent_evening, name="sent_evening"),
    path("sent/<slug:slug>/<str:page>", received.sent_evening, name="sent_page"),
]

# /api/clubs/<club>/
api_club_urls: list[URLPattern] = [
    path("seasons/", api.seasons, name="api-seasons"),
    path("seasons/<slug:season>/ladders/<slug:ladder>/", api.ladder, name="api-ladder"),
    path("seasons/<slug:season>/handicaps/", api_handicaps.handicaps, name="api-handicaps"),
    path(
        "seasons/<slug:season>/handicaps/<slug:key>/",
        api_handicaps.ranking,
        name="api-handicap-ranking",
    ),
    path("grades/", api_grades.grades, name="api-grades"),
    path("grades/people/", api_grades.grades_people, name="api-grades-people"),
    path("grades/people/<int:player>/", api_grades.grade_steps, name="api-grade-steps"),
    path("calendar/", api_calendar.calendar, name="api-calendar"),
    path("bookings/", api_calendar.bookings, name="api-bookings"),
    path(
        "calendar/<uuid:fixture>/bookings/",
        api_calendar.fixture_bookings,
        name="api-fixture-bookings",
    ),
    path("published/", published.published_list, name="api-published-list"),
    path("published/missing/", published.published_missing, name="api-published-missing"),
    path("published/<uuid:uid>/", published.published, name="api-published"),
]

# /director/seasons/
season_urls: list[URLPattern] = [
    path("", directing.own_seasons, name="own_seasons"),
    path("<slug:season>/close/", directing.season_close, name="season_close"),
    path("<slug:season>/handicap/", handicap_desk.season_handicap, name="season_handicap"),
    path(
        "<slug:season>/handicap/act/",
        handicap_desk.season_handicap_act,
        name="season_handicap_act",
    ),
    path("<slug:season>/ladders/", ladder_desk.season_ladders, name="season_ladders"),
    path("<slug:season>/new-ladder/", ladder_desk.ladder_new, name="ladder_new"),
    path("<slug:season>/ladders/<slug:ladder>/", ladder_desk.ladder_edit, name="ladder_edit"),
    path(
        "<slug:season>/ladders/<slug:ladder>/remove/",
        ladder_desk.ladder_remove,
        name="ladder_remove",
    ),
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
    path("sending/", sending.sending, name="sending"),
    path("sending/to/", sending.sending_to, name="sending_to"),
    path("sending/now/", sending.sending_now, name="sending_now"),
    path("sending/withdraw/", sending.sending_withdraw, name="sending_withdraw"),
    path("sending/again/", sending.sending_again, name="sending_again"),
]

# /director/trophies/
trophy_urls: list[URLPattern] = [
    path("", trophies.trophies, name="trophies"),
    path("add/", trophies.trophy_make, name="trophy_make"),
    path("award/", trophies.trophies_award, name="trophies_award"),
    path("<slug:trophy>/engrave/", trophies.trophy_engrave, name="trophy_engrave"),
    path("<slug:trophy>/remove/", trophies.trophy_remove, name="trophy_remove"),
    path("<slug:trophy>/acts/<int:pk>/undo/", trophies.trophy_act_undo, name="trophy_act_undo"),
]

# /director/events/<slug>/
seeding_urls: list[URLPattern] = [
    path("seeds/grades/", seeding.seeds_by_grades, name="seeds_by_grades"),
]

# /director/events/<slug>/mail/
mail_urls: list[URLPattern] = [
    path("", results_mail.results_mail, name="results_mail"),
    path("send/", results_mail.results_mail_send, name="results_mail_send"),
    path("<int:pk>/bounced/", results_mail.results_mail_bounced, name="results_mail_bounced"),
]

# /mail/
mail_off_urls: list[URLPattern] = [
    path("off/<str:token>/", results_mail.mail_off, name="mail_off"),
]

# /b/
booking_urls: list[URLPattern] = [
    path("<str:token>/", own_booking.booking_own, name="booking_own"),
]

# /director/calendar/
calendar_urls: list[URLPattern] = [
    path("", own_calendar.own_calendar, name="own_calendar"),
    path("new-series/", own_calendar.series_new, name="series_new"),
    path("series/<slug:slug>/", own_calendar.series_edit, name="series_edit"),
    path("series/<slug:slug>/end/", own_calendar.series_end, name="series_end"),
    path("currency/", own_calendar.club_currency, name="club_currency"),
    path("bookings/", fetch_bookings.bookings_file, name="bookings_file"),
    path("bookings/fetch/", fetch_bookings.bookings_fetch, name="bookings_fetch"),
    path("bookings/fetched/", fetch_bookings.bookings_fetched, name="bookings_fetched"),
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
