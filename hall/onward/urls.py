"""The URLs that create another evening of the same people."""

from django.urls import URLPattern, path

from hall.onward import views

# /director/events/<slug>/
director_urls: list[URLPattern] = [
    path("again/", views.event_again, name="event_again"),
]

# /director/drives/<slug>/
drive_urls: list[URLPattern] = [
    path("onward/", views.drive_onward, name="drive_onward"),
]
