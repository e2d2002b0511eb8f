"""The URLs of an event's desk, the demo club and the tour."""

from django.urls import URLPattern, path

from hall.desk import doors, tour, views

# URLs below /director/
club_urls: list[URLPattern] = [
    path("new/", doors.show_event_kinds, name="new"),
    path("events/new/", views.create_event, name="event_new"),
    path("tour/", tour.show_tour, name="tour"),
]

# URLs below /director/events/<slug>/
director_urls: list[URLPattern] = [
    path("", views.show_desk, name="event_desk"),
    path("edit/", views.edit_event, name="event_edit"),
    path("session/open/", views.change_session_state, {"act": "open"}, name="session_open"),
    path("session/close/", views.change_session_state, {"act": "close"}, name="session_close"),
    path(
        "session/reopen/", views.change_session_state, {"act": "reopen"}, name="session_reopen"
    ),
    path("session/setup/", views.change_session_state, {"act": "setup"}, name="session_setup"),
    path("links-anew/", views.replace_lost_links, name="links_anew"),
    path("shown/", views.set_standings_visibility, name="standings_shown"),
    path("standings/", views.show_standings, name="director_standings"),
]
