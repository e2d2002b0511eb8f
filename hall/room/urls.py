"""The URLs of the room page, the clock and the public big screen."""

from django.urls import URLPattern, path

from hall.room import views

# URLs below /events/<slug>/
event_urls: list[URLPattern] = [
    path("clock/", views.show_clock, name="clock"),
    path("clock/state/", views.show_clock_state, name="clock_state"),
    path("screen/", views.show_screen, name="screen"),
]

# URLs below /director/events/<slug>/room/
director_urls: list[URLPattern] = [
    path("", views.show_room, name="room"),
    path("tables/", views.show_changed_tables, name="room_tables"),
    path("tables/<int:table>/", views.show_room_table, name="room_table"),
    path("plan/", views.edit_room_plan, name="room_plan"),
    path("clock/", views.show_clock_page, name="clock_desk"),
    path("clock/act/", views.change_clock, name="clock_act"),
]
