"""The URLs of Tonight, the clock and the big screen."""

from django.urls import URLPattern, path

from hall.room import views

# /events/<slug>/
event_urls: list[URLPattern] = [
    path("clock/", views.clock, name="clock"),
    path("clock/state/", views.clock_state, name="clock_state"),
    path("screen/", views.screen, name="screen"),
]

# /director/events/<slug>/room/
director_urls: list[URLPattern] = [
    path("", views.room, name="room"),
    path("tables/", views.room_tables, name="room_tables"),
    path("tables/<int:table>/", views.room_table, name="room_table"),
    path("plan/", views.room_plan, name="room_plan"),
    path("clock/", views.clock_desk, name="clock_desk"),
    path("clock/act/", views.clock_act, name="clock_act"),
]
