"""The URLs for closing a session, and for its stored versions of the standings."""

from django.urls import URLPattern, path

from hall.closing import views

# URLs below /events/<slug>/
event_urls: list[URLPattern] = [
    path("standings/<int:number>/", views.show_standings_version, name="standings_version"),
]

# URLs below /director/events/<slug>/closing/
director_urls: list[URLPattern] = [
    path("", views.show_closing, name="closing"),
    path("hours/", views.set_correction_hours, name="closing_hours"),
]
