"""The URLs of rehearsals."""

from django.urls import URLPattern, path

from hall.rehearsal import views

# URLs below /director/events/<event>/
director_urls: list[URLPattern] = [
    path("rehearse/", views.start_rehearsal, name="rehearse"),
    path("rehearsal/", views.show_rehearsal, name="rehearsal"),
    path("rehearsal/tick/", views.advance_rehearsal, name="rehearsal_tick"),
    path("rehearsal/act/", views.control_rehearsal, name="rehearsal_act"),
    path("rehearsal/away/", views.delete_rehearsal, name="rehearsal_away"),
]
