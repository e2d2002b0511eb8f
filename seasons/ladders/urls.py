"""The addresses of seasons, ladders, handicaps and trophies."""

from django.urls import URLPattern, path

from seasons.ladders.api import handicaps as api_handicaps
from seasons.ladders.api import seasons as api
from seasons.ladders.views import (
    handicap_desk,
    handicaps,
    ladder_desk,
    ladders,
    seasons,
    trophies,
)

# /clubs/<club>/
club_urls: list[URLPattern] = [
    path("seasons/", ladders.seasons, name="seasons"),
    path("seasons/<slug:season>/", ladders.season, name="season"),
    path("seasons/<slug:season>/<slug:ladder>/", ladders.ladder, name="ladder"),
    path("seasons/<slug:season>/<slug:ladder>/line/", ladders.ladder_line, name="ladder_line"),
    path("seasons/<slug:season>/<slug:ladder>/csv/", ladders.ladder_csv, name="ladder_csv"),
    path("seasons/<slug:season>/<slug:ladder>/xlsx/", ladders.ladder_xlsx, name="ladder_xlsx"),
    path("seasons/<slug:season>/<slug:ladder>/pdf/", ladders.ladder_pdf, name="ladder_pdf"),
    path("handicaps/<slug:season>/", handicaps.handicaps, name="handicaps"),
    path(
        "handicaps/<slug:season>/<slug:key>/",
        handicaps.handicap_evening,
        name="handicap_evening",
    ),
    path(
        "handicaps/<slug:season>/<slug:key>/csv/", handicaps.handicap_csv, name="handicap_csv"
    ),
    path(
        "handicaps/<slug:season>/<slug:key>/pdf/", handicaps.handicap_pdf, name="handicap_pdf"
    ),
]

# /director/seasons/
director_urls: list[URLPattern] = [
    path("", seasons.own_seasons, name="own_seasons"),
    path("<slug:season>/close/", seasons.season_close, name="season_close"),
    path("<slug:season>/handicap/", handicap_desk.season_handicap, name="season_handicap"),
    path(
        "<slug:season>/handicap/act/",
        handicap_desk.season_handicap_act,
        name="season_handicap_act",
    ),
    path("<slug:season>/ladders/", ladder_desk.season_ladders, name="season_ladders"),
    path("<slug:season>/new-ladder/", ladder_desk.ladder_new, name="ladder_new"),
    path("<slug:season>/ladders/<slug:ladder>/", ladder_desk.ladder_edit, name="ladder_edit"),
    path(
        "<slug:season>/ladders/<slug:ladder>/remove/",
        ladder_desk.ladder_remove,
        name="ladder_remove",
    ),
    path("<slug:season>/file/", seasons.season_file, name="season_file"),
    path("<slug:season>/acts/<int:pk>/undo/", seasons.season_act_undo, name="season_act_undo"),
]

# /director/trophies/
trophy_urls: list[URLPattern] = [
    path("", trophies.trophies, name="trophies"),
    path("add/", trophies.trophy_make, name="trophy_make"),
    path("award/", trophies.trophies_award, name="trophies_award"),
    path("<slug:trophy>/engrave/", trophies.trophy_engrave, name="trophy_engrave"),
    path("<slug:trophy>/remove/", trophies.trophy_remove, name="trophy_remove"),
    path("<slug:trophy>/acts/<int:pk>/undo/", trophies.trophy_act_undo, name="trophy_act_undo"),
]

# /api/clubs/<club>/
api_urls: list[URLPattern] = [
    path("seasons/", api.seasons, name="api-seasons"),
    path("seasons/<slug:season>/ladders/<slug:ladder>/", api.ladder, name="api-ladder"),
    path("seasons/<slug:season>/handicaps/", api_handicaps.handicaps, name="api-handicaps"),
    path(
        "seasons/<slug:season>/handicaps/<slug:key>/",
        api_handicaps.ranking,
        name="api-handicap-ranking",
    ),
]
