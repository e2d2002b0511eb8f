"""URL patterns of drives."""

from django.urls import URLPattern, path

from clubs.activities import views as activity_views
from drives.api import clock_and_links
from drives.api import drives as api_drives
from drives.api import players as api_players
from drives.api import playing as api_playing
from drives.kind import DRIVE_KIND
from drives.views import (
    clock,
    closing,
    create,
    desk,
    entry,
    hands,
    house_tables,
    papers,
    people,
    player_points,
    points,
    public,
    rehearsal,
)

KIND_KWARGS = {"kind": DRIVE_KIND}
"""The keyword arguments for views that all kinds of activity share."""

# URLs below /drives/
public_urls: list[URLPattern] = [
    path("", public.show_drive_list, name="drives"),
    path("<slug:slug>/", public.show_drive, name="drive"),
    path(
        "<slug:slug>/players/<int:number>/",
        player_points.show_public_points,
        name="drive_player",
    ),
    path("<slug:slug>/screen/", public.show_hall_screen, name="drive_screen"),
    path("<slug:slug>/screen/now/", public.show_screen_fragment, name="drive_screen_now"),
    path("<slug:slug>/clock/", clock.show_clock, name="drive_clock"),
    path("<slug:slug>/clock/state/", clock.show_clock_state, name="drive_clock_state"),
]

# URLs below /d/<token>/
link_urls: list[URLPattern] = [path("<str:token>/", public.show_own_card, name="drive_card")]

# URLs below /director/drives/
director_urls: list[URLPattern] = [
    path("new/", create.show_or_create_drive, name="drive_new"),
    path("new/costs/", create.show_play_forms_fragment, name="drive_costs"),
    path("points/", house_tables.show_club_points_tables, name="drive_house_tables"),
    path("points/table/", house_tables.show_or_save_points_table, name="drive_house_table"),
    path("points/examples/", house_tables.show_examples_fragment, name="drive_house_examples"),
    path("points/print/", house_tables.print_points_table, name="drive_house_print"),
    path("points/delete/", house_tables.delete_house_table, name="drive_house_delete"),
    path("points/words/", house_tables.choose_contract_words, name="drive_house_words"),
    path("<slug:slug>/", desk.show_desk, name="drive_desk"),
    path("<slug:slug>/now/", desk.show_desk_fragment, name="drive_now"),
    path("<slug:slug>/next/", desk.call_next_round, name="drive_next"),
    path("<slug:slug>/terms/", desk.save_terms, name="drive_terms"),
    path("<slug:slug>/house/", desk.save_house_terms, name="drive_house"),
    path("<slug:slug>/rounds/", desk.save_round_count, name="drive_rounds"),
    path("<slug:slug>/sheets/", entry.show_or_save_sheets, name="drive_sheets"),
    path("<slug:slug>/hands/", hands.show_or_save_hands, name="drive_hands"),
    path(
        "<slug:slug>/points/<int:number>/",
        player_points.show_points_of_player,
        name="drive_explained",
    ),
    path("<slug:slug>/standings/", player_points.show_standings, name="drive_standings"),
    path("<slug:slug>/totals/", entry.show_or_save_totals, name="drive_totals"),
    path("<slug:slug>/totals/again/", entry.compare_retyped_totals, name="drive_again"),
    path("<slug:slug>/players/", people.show_players, name="drive_players"),
    *(
        path(
            f"<slug:slug>/players/{act}/",
            people.change_player,
            {"act": act},
            name=f"drive_player_{act}",
        )
        for act in people.ACT_NAMES
    ),
    path("<slug:slug>/points/", points.show_or_change_points, name="drive_points"),
    path("<slug:slug>/papers/", papers.show_paper_choice, name="drive_papers"),
    path("<slug:slug>/papers/codes/", papers.change_card_qr_codes, name="drive_codes"),
    path("<slug:slug>/papers/print/", papers.print_selected_papers, name="drive_print"),
    path("<slug:slug>/tables/", activity_views.show_tables, KIND_KWARGS, name="drive_tables"),
    path(
        "<slug:slug>/tables/act/",
        activity_views.update_table_links,
        KIND_KWARGS,
        name="drive_tables_act",
    ),
    path("<slug:slug>/clock/act/", clock.change_clock, name="drive_clock_act"),
    path(
        "<slug:slug>/calls/answer/",
        activity_views.accept_director_call,
        KIND_KWARGS,
        name="drive_call",
    ),
    path("<slug:slug>/rehearse/", rehearsal.start_rehearsal, name="drive_rehearse"),
    path(
        "<slug:slug>/rehearsal/tick/",
        rehearsal.advance_rehearsal,
        name="drive_rehearsal_tick",
    ),
    path(
        "<slug:slug>/rehearsal/act/",
        rehearsal.finish_or_discard_rehearsal,
        name="drive_rehearsal_act",
    ),
    path("<slug:slug>/closing/", closing.show_closing_page, name="drive_closing"),
    path("<slug:slug>/prizes/", closing.save_prizes, name="drive_prizes"),
    path("<slug:slug>/prizes/show/", closing.show_presentation, name="drive_presenter"),
    *(
        path(
            f"<slug:slug>/closing/{act}/",
            closing.close_or_reopen,
            {"act": act},
            name=f"drive_{act}",
        )
        for act in ("close", "reopen", "cut")
    ),
    path(
        "<slug:slug>/history/", activity_views.show_history, KIND_KWARGS, name="drive_history"
    ),
    path("<slug:slug>/history/undo/", activity_views.undo_act, KIND_KWARGS, name="drive_undo"),
]

# URLs below /api/
api_urls: list[URLPattern] = [
    path("drives/", api_drives.list_or_create_drives, name="api-drives"),
    path("drives/<slug:slug>/", api_drives.show_or_change_drive, name="api-drive"),
    path("drives/<slug:slug>/now/", api_drives.show_current_round, name="api-drive-now"),
    path("drives/<slug:slug>/close/", api_drives.close_drive, name="api-drive-close"),
    path("drives/<slug:slug>/reopen/", api_drives.reopen_drive, name="api-drive-reopen"),
    path("drives/<slug:slug>/undo/", api_drives.undo_last_act, name="api-drive-undo"),
    path("drives/<slug:slug>/secret/", api_drives.show_secret, name="api-drive-secret"),
    path("drives/<slug:slug>/file/", api_drives.export_file, name="api-drive-file"),
    path(
        "drives/<slug:slug>/players/", api_players.list_or_add_players, name="api-drive-players"
    ),
    path(
        "drives/<slug:slug>/players/<int:number>/",
        api_players.change_player,
        name="api-drive-player",
    ),
    path(
        "drives/<slug:slug>/players/<int:number>/leave/",
        api_players.remove_player,
        name="api-drive-leave",
    ),
    path(
        "drives/<slug:slug>/players/<int:number>/substitute/",
        api_players.substitute_player,
        name="api-drive-substitute",
    ),
    path(
        "drives/<slug:slug>/apart/", api_players.change_kept_apart_pair, name="api-drive-apart"
    ),
    path(
        "drives/<slug:slug>/rounds/", api_playing.list_or_begin_rounds, name="api-drive-rounds"
    ),
    path(
        "drives/<slug:slug>/rounds/<int:number>/tables/<int:table>/",
        api_playing.put_sheet,
        name="api-drive-sheet",
    ),
    path(
        "drives/<slug:slug>/totals/<int:number>/", api_playing.put_total, name="api-drive-total"
    ),
    path("drives/<slug:slug>/game/", api_playing.show_or_change_game, name="api-drive-game"),
    path("drives/<slug:slug>/standing/", api_playing.show_standings, name="api-drive-standing"),
    path("drives/<slug:slug>/check/", api_playing.show_totals_check, name="api-drive-check"),
    path("drives/<slug:slug>/prizes/", api_playing.list_or_set_prizes, name="api-drive-prizes"),
    path(
        "drives/<slug:slug>/prizes/<int:number>/cut/",
        api_playing.put_cut_winners,
        name="api-drive-cut",
    ),
    path(
        "drives/<slug:slug>/clock/", clock_and_links.show_or_set_clock, name="api-drive-clock"
    ),
    *(
        path(f"drives/<slug:slug>/clock/{act}/", view, name=f"api-drive-clock-{act}")
        for act, view in (
            ("start", clock_and_links.start_clock),
            ("pause", clock_and_links.pause_clock),
            ("add", clock_and_links.extend_round),
            ("stop", clock_and_links.stop_clock),
        )
    ),
    path(
        "drives/<slug:slug>/links/",
        clock_and_links.list_or_create_links,
        name="api-drive-links",
    ),
    path(
        "drives/<slug:slug>/links/<int:pk>/", clock_and_links.revoke_link, name="api-drive-link"
    ),
    path(
        "drives/<slug:slug>/rehearse/",
        clock_and_links.start_rehearsal,
        name="api-drive-rehearse",
    ),
    path(
        "drives/<slug:slug>/rehearsal/",
        clock_and_links.discard_rehearsal,
        name="api-drive-rehearsal",
    ),
    *(
        path(f"drives/<slug:slug>/rehearsal/{act}/", view, name=f"api-drive-rehearsal-{act}")
        for act, view in (
            ("tick", clock_and_links.enter_rehearsal_hands),
            ("round", clock_and_links.finish_rehearsal_round),
            ("evening", clock_and_links.finish_rehearsal_evening),
        )
    ),
    path("clubs/<slug:slug>/drives/", api_drives.import_file, name="api-drive-import"),
    path(
        "clubs/<slug:slug>/rests/<int:year>/",
        api_drives.show_sit_out_counts,
        name="api-drive-rests",
    ),
]
