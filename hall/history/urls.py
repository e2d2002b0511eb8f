"""The URLs of the history of an event or a club, and of undo."""

from django.urls import URLPattern, path

from hall.history import views

# /director/history/
club_urls: list[URLPattern] = [
    path("", views.club_history, name="club_history"),
    path("<slug:slug>/<int:pk>/undo/", views.club_act_undo, name="club_act_undo"),
]

# /director/events/<slug>/history/
director_urls: list[URLPattern] = [
    path("", views.history, name="history"),
    path("undo/", views.result_undo, name="result_undo"),
    path("<int:pk>/undo/", views.act_undo, name="event_act_undo"),
]
