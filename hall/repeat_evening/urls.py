"""The URLs that create a new event for the same people."""

from django.urls import URLPattern, path

from hall.repeat_evening import views

# URLs below /director/events/<slug>/
director_urls: list[URLPattern] = [
    path("again/", views.repeat_event, name="event_again"),
]

# URLs below /director/drives/<slug>/
drive_urls: list[URLPattern] = [
    path("onward/", views.create_event_from_drive, name="drive_onward"),
]
