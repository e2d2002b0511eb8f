"""The addresses of closing an evening, and of the standings as they stood then."""

from django.urls import URLPattern, path

from hall.closing import views

# /events/<slug>/
event_urls: list[URLPattern] = [
    path("standings/<int:number>/", views.version, name="standings_version"),
]

# /director/events/<slug>/closing/
director_urls: list[URLPattern] = [
    path("", views.closing, name="closing"),
    path("hours/", views.hours, name="closing_hours"),
]
