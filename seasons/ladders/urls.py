"""The URL patterns of seasons, ladders, handicaps and trophies."""

from django.urls import URLPattern, path

from seasons.ladders import api
from seasons.ladders.views import desk, public, trophies

# URLs below /clubs/<club>/
club_urls: list[URLPattern] = [
    path("seasons/", public.list_seasons, name="seasons"),
    path("seasons/<slug:season>/", public.show_season, name="season"),
    path("seasons/<slug:season>/<slug:ladder>/", public.show_ladder, name="ladder"),
    path(
        "seasons/<slug:season>/<slug:ladder>/line/", public.show_ladder_line, name="ladder_line"
    ),
    path(
        "seasons/<slug:season>/<slug:ladder>/csv/",
        public.download_ladder_csv,
        name="ladder_csv",
    ),
    path(
        "seasons/<slug:season>/<slug:ladder>/xlsx/",
        public.download_ladder_xlsx,
        name="ladder_xlsx",
    ),
    path(
        "seasons/<slug:season>/<slug:ladder>/pdf/",
        public.download_ladder_pdf,
        name="ladder_pdf",
    ),
    path("handicaps/<slug:season>/", public.show_handicaps, name="handicaps"),
    path(
        "handicaps/<slug:season>/<slug:key>/",
        public.show_handicap_evening,
        name="handicap_evening",
    ),
    path(
        "handicaps/<slug:season>/<slug:key>/csv/",
        public.download_handicap_csv,
        name="handicap_csv",
    ),
    path(
        "handicaps/<slug:season>/<slug:key>/pdf/",
        public.download_handicap_pdf,
        name="handicap_pdf",
    ),
]

# URLs below /director/seasons/
director_urls: list[URLPattern] = [
    path("", desk.edit_seasons, name="own_seasons"),
    path("<slug:season>/close/", desk.close_season_view, name="season_close"),
    path("<slug:season>/handicap/", desk.show_season_handicap, name="season_handicap"),
    path(
        "<slug:season>/handicap/act/",
        desk.change_season_handicap,
        name="season_handicap_act",
    ),
    path("<slug:season>/ladders/", desk.edit_season_ladders, name="season_ladders"),
    path("<slug:season>/new-ladder/", desk.add_ladder, name="ladder_new"),
    path("<slug:season>/ladders/<slug:ladder>/", desk.edit_ladder, name="ladder_edit"),
    path(
        "<slug:season>/ladders/<slug:ladder>/remove/",
        desk.remove_ladder,
        name="ladder_remove",
    ),
    path("<slug:season>/file/", desk.export_season, name="season_file"),
    path("<slug:season>/acts/<int:pk>/undo/", desk.undo_season_action, name="season_act_undo"),
]

# URLs below /director/trophies/
trophy_urls: list[URLPattern] = [
    path("", trophies.show_trophies, name="trophies"),
    path("add/", trophies.add_trophy, name="trophy_make"),
    path("award/", trophies.award_trophies_view, name="award_trophies_action"),
    path("<slug:trophy>/engrave/", trophies.engrave_trophy_view, name="trophy_engrave"),
    path("<slug:trophy>/remove/", trophies.remove_trophy, name="trophy_remove"),
    path(
        "<slug:trophy>/acts/<int:pk>/undo/", trophies.undo_trophy_action, name="trophy_act_undo"
    ),
]

# URLs below /api/clubs/<club>/
api_urls: list[URLPattern] = [
    path("seasons/", api.list_seasons, name="api-seasons"),
    path("seasons/<slug:season>/ladders/<slug:ladder>/", api.show_ladder, name="api-ladder"),
    path("seasons/<slug:season>/handicaps/", api.list_handicaps, name="api-handicaps"),
    path(
        "seasons/<slug:season>/handicaps/<slug:key>/",
        api.show_handicap_ranking,
        name="api-handicap-ranking",
    ),
]
