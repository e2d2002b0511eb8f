"""The URLs of the histories of events and clubs, and of undo actions."""

from django.urls import URLPattern, path

from hall.history import views

# URLs below /director/history/
club_urls: list[URLPattern] = [
    path("", views.show_club_history, name="club_history"),
    path("<slug:slug>/<int:pk>/undo/", views.undo_club_act, name="club_act_undo"),
]

# URLs below /director/events/<slug>/history/
director_urls: list[URLPattern] = [
    path("", views.show_history, name="history"),
    path("undo/", views.undo_result, name="result_undo"),
    path("<int:pk>/undo/", views.undo_act, name="event_act_undo"),
]
