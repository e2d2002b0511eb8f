"""The address behind a drive's prizes from which an evening with trays is made."""

from django.urls import URLPattern, path

from hall.onward import views

# /director/drives/<slug>/
drive_urls: list[URLPattern] = [
    path("onward/", views.drive_onward, name="drive_onward"),
]
