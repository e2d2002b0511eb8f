"""The addresses of drives under /api/."""

from django.urls import URLPattern, path

from drives.api import drives, players, playing

# /api/
api_urls: list[URLPattern] = [
    path("drives/", drives.drives, name="api-drives"),
    path("drives/<slug:slug>/", drives.drive, name="api-drive"),
    path("drives/<slug:slug>/now/", drives.now, name="api-drive-now"),
    path("drives/<slug:slug>/close/", drives.close, name="api-drive-close"),
    path("drives/<slug:slug>/reopen/", drives.reopen, name="api-drive-reopen"),
    path("drives/<slug:slug>/undo/", drives.undo, name="api-drive-undo"),
    path("drives/<slug:slug>/secret/", drives.secret, name="api-drive-secret"),
    path("drives/<slug:slug>/file/", drives.drive_file, name="api-drive-file"),
    path("drives/<slug:slug>/players/", players.players, name="api-drive-players"),
    path("drives/<slug:slug>/players/<int:number>/", players.player, name="api-drive-player"),
    path(
        "drives/<slug:slug>/players/<int:number>/leave/",
        players.leave,
        name="api-drive-leave",
    ),
    path(
        "drives/<slug:slug>/players/<int:number>/substitute/",
        players.substitute,
        name="api-drive-substitute",
    ),
    path("drives/<slug:slug>/apart/", players.apart, name="api-drive-apart"),
    path("drives/<slug:slug>/rounds/", playing.rounds, name="api-drive-rounds"),
    path(
        "drives/<slug:slug>/rounds/<int:number>/tables/<int:table>/",
        playing.sheet,
        name="api-drive-sheet",
    ),
    path("drives/<slug:slug>/totals/<int:number>/", playing.total, name="api-drive-total"),
    path("drives/<slug:slug>/standing/", playing.ranking, name="api-drive-standing"),
    path("drives/<slug:slug>/check/", playing.check, name="api-drive-check"),
    path("drives/<slug:slug>/prizes/", playing.prizes, name="api-drive-prizes"),
    path("drives/<slug:slug>/prizes/<int:number>/cut/", playing.cut, name="api-drive-cut"),
    path("clubs/<slug:slug>/drives/", drives.drive_import, name="api-drive-import"),
    path("clubs/<slug:slug>/rests/<int:year>/", drives.rests, name="api-drive-rests"),
]
