"""The addresses of rehearsals."""

from django.urls import URLPattern, path

from scoring.views import rehearsals

# /director/events/<event>/
director_urls: list[URLPattern] = [
    path("rehearse/", rehearsals.rehearse, name="rehearse"),
    path("rehearsal/", rehearsals.rehearsal, name="rehearsal"),
    path("rehearsal/tick/", rehearsals.rehearsal_tick, name="rehearsal_tick"),
    path("rehearsal/act/", rehearsals.rehearsal_act, name="rehearsal_act"),
    path("rehearsal/away/", rehearsals.rehearsal_away, name="rehearsal_away"),
]
