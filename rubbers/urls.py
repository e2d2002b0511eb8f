"""URL patterns of rubber nights, and of the rubbers of drives."""

from django.urls import URLPattern, path

from clubs.activities import views as activities
from rubbers.api import links, nights
from rubbers.kind import RUBBER_NIGHT_KIND
from rubbers.views import create, drives, night, papers, public, table

KIND_KWARGS = {"kind": RUBBER_NIGHT_KIND}
"""The keyword arguments for views that all kinds of activity share."""

# URLs under /rubbers/
public_urls: list[URLPattern] = [
    path("", public.list_nights, name="rubber_nights"),
    path("<slug:slug>/", public.show_rubber_night, name="rubber_night"),
    path("<slug:slug>/now/", public.show_rubber_night_fragment, name="rubber_night_now"),
]

# URLs under /director/rubbers/
director_urls: list[URLPattern] = [
    path("new/", create.show_new_night_page, name="rubber_new"),
    path("<slug:slug>/", night.show_desk, name="rubber_desk"),
    path("<slug:slug>/now/", night.show_desk_fragment, name="rubber_desk_now"),
    path("<slug:slug>/terms/", night.save_terms, name="rubber_terms"),
    path("<slug:slug>/rename/", night.rename_player, name="rubber_rename"),
    *(
        path(
            f"<slug:slug>/{act}/", night.change_night_state, {"act": act}, name=f"rubber_{name}"
        )
        for act, name in (
            ("close", "close"),
            ("reopen", "reopen"),
            ("put-away", "put_away"),
            ("bring-back", "bring_back"),
            ("table", "add_table"),
        )
    ),
    path("<slug:slug>/papers/", papers.list_papers, name="rubber_papers"),
    path("<slug:slug>/papers/print/", papers.print_paper, name="rubber_print"),
    path("<slug:slug>/history/", activities.show_history, KIND_KWARGS, name="rubber_history"),
    path("<slug:slug>/history/undo/", activities.undo_act, KIND_KWARGS, name="rubber_undo"),
    path("<slug:slug>/tables/<slug:table>/", table.show_table, name="rubber_table"),
    path("<slug:slug>/phones/", activities.show_tables, KIND_KWARGS, name="rubber_tables"),
    path(
        "<slug:slug>/phones/act/",
        activities.update_table_links,
        KIND_KWARGS,
        name="rubber_tables_act",
    ),
]

# URLs under /director/drives/<slug>/
drive_urls: list[URLPattern] = [
    path("rubbers/", drives.edit_drive_rubbers, name="drive_rubbers")
]

# URLs under /api/
api_urls: list[URLPattern] = [
    path("rubbers/<slug:slug>/links/", links.list_or_create_links, name="api-rubber-links"),
    path("rubbers/<slug:slug>/links/<int:pk>/", links.revoke_link, name="api-rubber-link"),
    path(
        "drives/<slug:slug>/rubbers/", nights.enable_rubbers_for_drive, name="api-drive-rubbers"
    ),
    path("rubbers/", nights.list_or_create_nights, name="api-rubbers"),
    path("rubbers/<slug:slug>/", nights.show_or_change_rubber_night, name="api-rubber-night"),
    path("rubbers/<slug:slug>/close/", nights.close_rubber_night, name="api-rubbers-close"),
    path("rubbers/<slug:slug>/reopen/", nights.reopen_rubber_night, name="api-rubbers-reopen"),
    path("rubbers/<slug:slug>/undo/", nights.undo_last_act, name="api-rubbers-undo"),
    path("rubbers/<slug:slug>/secret/", nights.show_secret, name="api-rubbers-secret"),
    path("rubbers/<slug:slug>/file/", nights.export_file, name="api-rubbers-file"),
    path("rubbers/<slug:slug>/standing/", nights.show_standings, name="api-rubbers-standing"),
    path("rubbers/<slug:slug>/tables/", nights.list_tables, name="api-rubber-tables"),
    path(
        "rubbers/<slug:slug>/tables/<int:table>/hands/",
        nights.record_hand,
        name="api-rubber-mark",
    ),
    path(
        "rubbers/<slug:slug>/tables/<int:table>/spells/<int:spell>/hands/<int:number>/",
        nights.correct_hand,
        name="api-rubber-correct",
    ),
    path(
        "rubbers/<slug:slug>/tables/<int:table>/spells/",
        nights.seat_next_players,
        name="api-rubber-seat",
    ),
    path(
        "rubbers/<slug:slug>/tables/<int:table>/members/",
        nights.join_table,
        name="api-rubber-join",
    ),
    path(
        "rubbers/<slug:slug>/tables/<int:table>/members/<int:number>/leave/",
        nights.remove_table_member,
        name="api-rubber-leave",
    ),
    path("clubs/<slug:slug>/rubbers/", nights.import_file, name="api-rubbers-import"),
]
