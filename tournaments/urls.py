"""The URLs of clubs, events and seatings."""

from django.urls import URLPattern, path

from tournaments.api import advice as api_advice
from tournaments.api import clubs as api_clubs
from tournaments.api import entries as api_entries
from tournaments.api import players as api_players
from tournaments.api import seats as api_seats
from tournaments.api import second_play as api_second_play
from tournaments.api import sessions as api_sessions
from tournaments.api import trumps as api_trumps
from tournaments.views import (
    clubs,
    custom,
    deals,
    desk,
    entries,
    library,
    movement,
    seats,
    sections,
    sessions,
)

# public pages, below /
public_urls: list[URLPattern] = [
    path("movements/", library.list_movement_systems, name="movements"),
    path("movements/<slug:name>/", library.show_movement_schedule, name="movement_schedule"),
]

# pages of a director that belong to no event, below /director/
desk_urls: list[URLPattern] = [
    path("", desk.show_desk, name="desk"),
    path("prepare/", desk.redirect_to_preparation, name="prepare"),
    path("results/", desk.redirect_to_results, name="results"),
    path("events/put-away/", desk.list_archived_events, name="put_away"),
    path("club/new/", clubs.create_club, name="club_new"),
    path("club/clear/", clubs.archive_club_events, name="club_clear"),
]

# pages of one event for its director, below /director/events/<slug>/
director_urls: list[URLPattern] = [
    path("away/", desk.archive_or_restore, name="event_away"),
    path("entries/", entries.show_entries, name="entries"),
    path("entries/<int:entry_number>/", entries.edit_entry, name="entry_edit"),
    path("entries/<int:entry_number>/remove/", entries.delete_entry, name="entry_remove"),
    path("movement/", movement.show_or_seat_movement, name="movement"),
    path("movement/sections/", sections.show_or_seat_sections, name="sections"),
    path("movement/own/", custom.edit_custom_movement, name="custom"),
    path("sessions/add/", sessions.add_session, name="session_add"),
    path("sessions/date/", sessions.change_session_date, name="session_date"),
    path("sessions/remove/", sessions.delete_session, name="session_remove"),
    path("seats/", seats.show_or_save_seats, name="seats"),
    path("deals/", deals.show_deals, name="deals"),
    path("deals/make/", deals.deal_boards, name="deals_make"),
    path("deals/value/", deals.save_public_value, name="deals_public_value"),
    path("deals/none/", deals.choose_table_shuffling, name="deals_none"),
    path("deals/second-play/", deals.save_second_play, name="deals_second_play"),
    path("deals/trumps/", deals.save_trumps, name="deals_trumps"),
    path("deals/status/", deals.show_dealing_status, name="deals_status"),
]

# the API, below /api/
api_urls: list[URLPattern] = [
    path("clubs/", api_clubs.list_clubs, name="api-clubs"),
    path("clubs/<slug:slug>/players/", api_players.list_or_add_players, name="api-players"),
    path(
        "clubs/<slug:slug>/players/<int:pk>/",
        api_players.change_or_remove_player,
        name="api-player",
    ),
    path("events/<slug:slug>/advice/", api_advice.suggest_movements, name="api-advice"),
    path(
        "events/<slug:slug>/second-play/",
        api_second_play.show_or_set_second_play,
        name="api-second-play",
    ),
    path("events/<slug:slug>/trumps/", api_trumps.show_or_set_trumps, name="api-trumps"),
    path("events/<slug:slug>/entries/", api_entries.list_or_add_entries, name="api-entries"),
    path(
        "events/<slug:slug>/entries/<int:number>/",
        api_entries.show_or_change_entry,
        name="api-entry",
    ),
    path(
        "events/<slug:slug>/sessions/", api_sessions.list_or_add_sessions, name="api-sessions"
    ),
    path(
        "events/<slug:slug>/sessions/<int:number>/",
        api_sessions.show_or_change_session,
        name="api-session",
    ),
    path(
        "events/<slug:slug>/sessions/<int:number>/seats/",
        api_seats.list_or_draw_seats,
        name="api-seats",
    ),
    path(
        "events/<slug:slug>/sessions/<int:number>/movement/",
        api_sessions.seat_by_movement,
        name="api-movement",
    ),
]
