"""The addresses of the hall: the tables' phones, the room, the clock, the big screen."""

from django.urls import URLPattern, path

from scoring.views import challenges, hall, history, news, public, room, table

# /t/
table_urls: list[URLPattern] = [path("<str:token>/", table.table, name="table")]

# /e/
entry_urls: list[URLPattern] = [path("<str:token>/", challenges.entry_page, name="entry_page")]

# /director/hall/
hall_urls: list[URLPattern] = [
    path("", hall.hall, name="hall"),
    path("switch/", hall.hall_switch, name="hall_switch"),
]

# /director/history/
club_urls: list[URLPattern] = [
    path("", history.club_history, name="club_history"),
    path("<slug:slug>/<int:pk>/undo/", history.club_act_undo, name="club_act_undo"),
]

# /director/events/<slug>/
director_urls: list[URLPattern] = [
    path("tables/", hall.tables, name="tables"),
    path("tables/make/", hall.links_make, name="links_make"),
    path("tables/revoke/", hall.link_revoke, name="link_revoke"),
    path("tables/<int:pk>/code/", hall.table_code, name="table_code"),
    path("calls/", hall.calls, name="calls"),
    path("calls/answer/", hall.call_answer, name="call_answer"),
    path("scores/changes/", news.changes, name="scores_changes"),
    path("history/", history.history, name="history"),
    path("history/undo/", history.result_undo, name="result_undo"),
    path("history/<int:pk>/undo/", history.act_undo, name="act_undo"),
    path("challenges/", challenges.challenges, name="challenges"),
    path("challenges/links/", challenges.entry_links_make, name="entry_links_make"),
    path("challenges/<int:pk>/code/", challenges.entry_code, name="entry_code"),
    path("challenges/revoke/", challenges.entry_link_revoke, name="entry_link_revoke"),
    path("challenges/decide/", challenges.decide, name="challenge_decide"),
    path("room/", room.room, name="room"),
    path("room/tables/", room.room_tables, name="room_tables"),
    path("room/clock/", room.clock_act, name="clock_act"),
]

# /events/<slug>/
event_urls: list[URLPattern] = [
    path("clock/", room.clock, name="clock"),
    path("clock/state/", room.clock_state, name="clock_state"),
    path("screen/", public.screen, name="screen"),
]
