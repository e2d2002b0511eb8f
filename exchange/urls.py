"""The URLs of event files, hands and files for dealing machines."""

from django.urls import URLPattern, path

from exchange.api import files as api_files
from exchange.views import dealing_machine, eventfiles, hands

# URLs below /events/<slug>/hands/
hand_urls: list[URLPattern] = [
    path("", hands.show_hands, name="hands"),
    path("boards.<slug:format_name>", hands.download_board_file, name="board_file"),
]

# URLs below /director/events/import/
import_urls: list[URLPattern] = [path("", eventfiles.import_event_file, name="event_import")]

# URLs below /director/events/<slug>/
director_urls: list[URLPattern] = [
    path("export/", eventfiles.export_event_file, name="event_export"),
    path("deals/seal/", dealing_machine.seal_boards, name="deals_seal"),
    path("deals/tables/", dealing_machine.queue_best_play_tables, name="deals_tables"),
    path("deals/file/", dealing_machine.download_dealing_machine_file, name="machine_file"),
]

# URLs below /api/events/<slug>/
api_urls: list[URLPattern] = [
    path("export/", api_files.get_event_file, name="api-export"),
    path(
        "sessions/<int:number>/boards.<slug:kind>",
        api_files.get_board_file,
        name="api-board-file",
    ),
]

# URLs below /api/clubs/<slug>/
api_club_urls: list[URLPattern] = [
    path("import/", api_files.import_event_from_file, name="api-import"),
]
