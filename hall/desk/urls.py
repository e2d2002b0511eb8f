"""The URLs of an evening's desk."""

from django.urls import URLPattern, path

from hall.desk import tour, views

# /director/
club_urls: list[URLPattern] = [
    path("events/new/", views.event_new, name="event_new"),
    path("tour/", tour.tour, name="tour"),
]

# /director/events/<slug>/
director_urls: list[URLPattern] = [
    path("", views.event_desk, name="event_desk"),
    path("edit/", views.event_edit, name="event_edit"),
    path("session/open/", views.session_act, {"act": "open"}, name="session_open"),
    path("session/close/", views.session_act, {"act": "close"}, name="session_close"),
    path("session/reopen/", views.session_act, {"act": "reopen"}, name="session_reopen"),
    path("session/setup/", views.session_act, {"act": "setup"}, name="session_setup"),
    path("links-anew/", views.links_anew, name="links_anew"),
    path("shown/", views.standings_shown, name="standings_shown"),
    path("standings/", views.director_standings, name="director_standings"),
]
