"""The URLs of rehearsals."""

from django.urls import URLPattern, path

from hall.rehearsal import views

# /director/events/<event>/
director_urls: list[URLPattern] = [
    path("rehearse/", views.rehearse, name="rehearse"),
    path("rehearsal/", views.rehearsal, name="rehearsal"),
    path("rehearsal/tick/", views.rehearsal_tick, name="rehearsal_tick"),
    path("rehearsal/act/", views.rehearsal_act, name="rehearsal_act"),
    path("rehearsal/away/", views.rehearsal_away, name="rehearsal_away"),
]
