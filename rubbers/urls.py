"""URLs of rubber nights, and of the rubbers of drives."""

from django.urls import URLPattern, path

from clubs.activities import views as activities
from rubbers.api import links, nights
from rubbers.kind import NIGHTS
from rubbers.views import beginning, drives, night, papers, public, table

KIND = {"kind": NIGHTS}
"""The keyword arguments of the views that all activity kinds share."""

# /rubbers/
public_urls: list[URLPattern] = [
    path("", public.rubber_nights, name="rubber_nights"),
    path("<slug:slug>/", public.rubber_night, name="rubber_night"),
    path("<slug:slug>/now/", public.rubber_night_now, name="rubber_night_now"),
]

# /director/rubbers/
director_urls: list[URLPattern] = [
    path("new/", beginning.rubber_new, name="rubber_new"),
    path("<slug:slug>/", night.rubber_desk, name="rubber_desk"),
    path("<slug:slug>/now/", night.rubber_desk_now, name="rubber_desk_now"),
    path("<slug:slug>/terms/", night.rubber_terms, name="rubber_terms"),
    path("<slug:slug>/rename/", night.rubber_rename, name="rubber_rename"),
    *(
        path(f"<slug:slug>/{act}/", night.rubber_end, {"act": act}, name=f"rubber_{name}")
        for act, name in (
            ("close", "close"),
            ("reopen", "reopen"),
            ("put-away", "put_away"),
            ("bring-back", "bring_back"),
            ("table", "add_table"),
        )
    ),
    path("<slug:slug>/papers/", papers.rubber_papers, name="rubber_papers"),
    path("<slug:slug>/papers/print/", papers.rubber_print, name="rubber_print"),
    path("<slug:slug>/history/", activities.history, KIND, name="rubber_history"),
    path("<slug:slug>/history/undo/", activities.undo, KIND, name="rubber_undo"),
    path("<slug:slug>/tables/<slug:table>/", table.rubber_table, name="rubber_table"),
    path("<slug:slug>/phones/", activities.tables, KIND, name="rubber_tables"),
    path("<slug:slug>/phones/act/", activities.tables_act, KIND, name="rubber_tables_act"),
]

# /director/drives/<slug>/
drive_urls: list[URLPattern] = [path("rubbers/", drives.drive_rubbers, name="drive_rubbers")]

# /api/
api_urls: list[URLPattern] = [
    path("rubbers/<slug:slug>/links/", links.rubber_links, name="api-rubber-links"),
    path("rubbers/<slug:slug>/links/<int:pk>/", links.rubber_link, name="api-rubber-link"),
    path("drives/<slug:slug>/rubbers/", nights.of_drive, name="api-drive-rubbers"),
    path("rubbers/", nights.rubbers, name="api-rubbers"),
    path("rubbers/<slug:slug>/", nights.rubber_night, name="api-rubber-night"),
    path("rubbers/<slug:slug>/close/", nights.close, name="api-rubbers-close"),
    path("rubbers/<slug:slug>/reopen/", nights.reopen, name="api-rubbers-reopen"),
    path("rubbers/<slug:slug>/undo/", nights.undo, name="api-rubbers-undo"),
    path("rubbers/<slug:slug>/secret/", nights.secret, name="api-rubbers-secret"),
    path("rubbers/<slug:slug>/file/", nights.night_file, name="api-rubbers-file"),
    path("rubbers/<slug:slug>/standing/", nights.standing, name="api-rubbers-standing"),
    path("rubbers/<slug:slug>/tables/", nights.tables, name="api-rubber-tables"),
    path(
        "rubbers/<slug:slug>/tables/<int:table>/hands/",
        nights.mark,
        name="api-rubber-mark",
    ),
    path(
        "rubbers/<slug:slug>/tables/<int:table>/spells/<int:spell>/hands/<int:number>/",
        nights.correct,
        name="api-rubber-correct",
    ),
    path(
        "rubbers/<slug:slug>/tables/<int:table>/spells/",
        nights.seat,
        name="api-rubber-seat",
    ),
    path(
        "rubbers/<slug:slug>/tables/<int:table>/members/",
        nights.join,
        name="api-rubber-join",
    ),
    path(
        "rubbers/<slug:slug>/tables/<int:table>/members/<int:number>/leave/",
        nights.leave,
        name="api-rubber-leave",
    ),
    path("clubs/<slug:slug>/rubbers/", nights.night_import, name="api-rubbers-import"),
]
