"""URLs of drives."""

from django.urls import URLPattern, path

from clubs.activities import views as activities
from drives.api import drives as api_drives
from drives.api import players as api_players
from drives.api import playing as api_playing
from drives.api import running
from drives.kind import DRIVES
from drives.views import (
    beginning,
    clock,
    closing,
    desk,
    entry,
    papers,
    people,
    public,
    rehearsing,
)

KIND = {"kind": DRIVES}
"""The keyword arguments of the views that all activity kinds share."""

# /drives/
public_urls: list[URLPattern] = [
    path("", public.drives, name="drives"),
    path("<slug:slug>/", public.drive, name="drive"),
    path("<slug:slug>/screen/", public.drive_screen, name="drive_screen"),
    path("<slug:slug>/screen/now/", public.drive_screen_now, name="drive_screen_now"),
    path("<slug:slug>/clock/", clock.drive_clock_page, name="drive_clock"),
    path("<slug:slug>/clock/state/", clock.drive_clock_state, name="drive_clock_state"),
]

# /d/<token>/
link_urls: list[URLPattern] = [path("<str:token>/", public.drive_card, name="drive_card")]

# /director/drives/
director_urls: list[URLPattern] = [
    path("new/", beginning.drive_new, name="drive_new"),
    path("new/costs/", beginning.drive_costs, name="drive_costs"),
    path("<slug:slug>/", desk.drive_desk, name="drive_desk"),
    path("<slug:slug>/now/", desk.drive_now, name="drive_now"),
    path("<slug:slug>/next/", desk.drive_next, name="drive_next"),
    path("<slug:slug>/terms/", desk.drive_terms, name="drive_terms"),
    path("<slug:slug>/house/", desk.drive_house, name="drive_house"),
    path("<slug:slug>/rounds/", desk.drive_rounds, name="drive_rounds"),
    path("<slug:slug>/sheets/", entry.drive_sheets, name="drive_sheets"),
    path("<slug:slug>/totals/", entry.drive_totals, name="drive_totals"),
    path("<slug:slug>/totals/again/", entry.drive_again, name="drive_again"),
    path("<slug:slug>/players/", people.drive_players, name="drive_players"),
    *(
        path(
            f"<slug:slug>/players/{act}/",
            people.drive_player_act,
            {"act": act},
            name=f"drive_player_{act}",
        )
        for act in people.ACTS
    ),
    path("<slug:slug>/papers/", papers.drive_papers, name="drive_papers"),
    path("<slug:slug>/papers/codes/", papers.drive_codes, name="drive_codes"),
    path("<slug:slug>/papers/print/", papers.drive_print, name="drive_print"),
    path("<slug:slug>/tables/", activities.tables, KIND, name="drive_tables"),
    path("<slug:slug>/tables/act/", activities.tables_act, KIND, name="drive_tables_act"),
    path("<slug:slug>/clock/act/", clock.drive_clock_act, name="drive_clock_act"),
    path("<slug:slug>/calls/answer/", activities.call_answer, KIND, name="drive_call"),
    path("<slug:slug>/rehearse/", rehearsing.drive_rehearse, name="drive_rehearse"),
    path(
        "<slug:slug>/rehearsal/tick/",
        rehearsing.drive_rehearsal_tick,
        name="drive_rehearsal_tick",
    ),
    path(
        "<slug:slug>/rehearsal/act/",
        rehearsing.drive_rehearsal_act,
        name="drive_rehearsal_act",
    ),
    path("<slug:slug>/closing/", closing.drive_closing, name="drive_closing"),
    path("<slug:slug>/prizes/", closing.drive_prizes, name="drive_prizes"),
    path("<slug:slug>/prizes/show/", closing.drive_presenter, name="drive_presenter"),
    *(
        path(
            f"<slug:slug>/closing/{act}/", closing.drive_end, {"act": act}, name=f"drive_{act}"
        )
        for act in ("close", "reopen", "cut")
    ),
    path("<slug:slug>/history/", activities.history, KIND, name="drive_history"),
    path("<slug:slug>/history/undo/", activities.undo, KIND, name="drive_undo"),
]

# /api/
api_urls: list[URLPattern] = [
    path("drives/", api_drives.drives, name="api-drives"),
    path("drives/<slug:slug>/", api_drives.drive, name="api-drive"),
    path("drives/<slug:slug>/now/", api_drives.now, name="api-drive-now"),
    path("drives/<slug:slug>/close/", api_drives.close, name="api-drive-close"),
    path("drives/<slug:slug>/reopen/", api_drives.reopen, name="api-drive-reopen"),
    path("drives/<slug:slug>/undo/", api_drives.undo, name="api-drive-undo"),
    path("drives/<slug:slug>/secret/", api_drives.secret, name="api-drive-secret"),
    path("drives/<slug:slug>/file/", api_drives.drive_file, name="api-drive-file"),
    path("drives/<slug:slug>/players/", api_players.players, name="api-drive-players"),
    path(
        "drives/<slug:slug>/players/<int:number>/", api_players.player, name="api-drive-player"
    ),
    path(
        "drives/<slug:slug>/players/<int:number>/leave/",
        api_players.leave,
        name="api-drive-leave",
    ),
    path(
        "drives/<slug:slug>/players/<int:number>/substitute/",
        api_players.substitute,
        name="api-drive-substitute",
    ),
    path("drives/<slug:slug>/apart/", api_players.apart, name="api-drive-apart"),
    path("drives/<slug:slug>/rounds/", api_playing.rounds, name="api-drive-rounds"),
    path(
        "drives/<slug:slug>/rounds/<int:number>/tables/<int:table>/",
        api_playing.sheet,
        name="api-drive-sheet",
    ),
    path("drives/<slug:slug>/totals/<int:number>/", api_playing.total, name="api-drive-total"),
    path("drives/<slug:slug>/standing/", api_playing.ranking, name="api-drive-standing"),
    path("drives/<slug:slug>/check/", api_playing.check, name="api-drive-check"),
    path("drives/<slug:slug>/prizes/", api_playing.prizes, name="api-drive-prizes"),
    path("drives/<slug:slug>/prizes/<int:number>/cut/", api_playing.cut, name="api-drive-cut"),
    path("drives/<slug:slug>/clock/", running.clock, name="api-drive-clock"),
    *(
        path(f"drives/<slug:slug>/clock/{act}/", view, name=f"api-drive-clock-{act}")
        for act, view in (
            ("start", running.clock_start),
            ("pause", running.clock_pause),
            ("add", running.clock_add),
            ("stop", running.clock_stop),
        )
    ),
    path("drives/<slug:slug>/links/", running.links, name="api-drive-links"),
    path("drives/<slug:slug>/links/<int:pk>/", running.link, name="api-drive-link"),
    path("drives/<slug:slug>/rehearse/", running.rehearse, name="api-drive-rehearse"),
    path("drives/<slug:slug>/rehearsal/", running.rehearsal, name="api-drive-rehearsal"),
    *(
        path(f"drives/<slug:slug>/rehearsal/{act}/", view, name=f"api-drive-rehearsal-{act}")
        for act, view in (
            ("tick", running.rehearsal_tick),
            ("round", running.rehearsal_round),
            ("evening", running.rehearsal_evening),
        )
    ),
    path("clubs/<slug:slug>/drives/", api_drives.drive_import, name="api-drive-import"),
    path("clubs/<slug:slug>/rests/<int:year>/", api_drives.rests, name="api-drive-rests"),
]
