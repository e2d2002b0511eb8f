"""The URLs of events in play, grouped by feature."""

from django.urls import URLPattern, URLResolver, include, path

from clubs.archives.spec import ArchiveSpec
from hall.api import clock as api_clock
from hall.api import history as api_history
from hall.api import links as api_links
from hall.api import own_links as api_own_links
from hall.challenges import urls as challenges
from hall.check_in import urls as check_in
from hall.closing import urls as closing
from hall.desk import demo
from hall.desk import urls as desk
from hall.helpers import urls as helpers
from hall.history import urls as history
from hall.phones import urls as phones
from hall.rehearsal import urls as rehearsal
from hall.repeat_evening import urls as onward
from hall.room import urls as room

# URLs below /
link_urls: list[URLResolver] = [
    path("t/", include(phones.table_urls)),
    path("e/", include(challenges.entry_urls)),
    path("type/<str:token>/", include(helpers.hand_typing_urls)),
]

# URLs below /events/<slug>/
event_urls: list[URLResolver] = [
    path("", include(room.event_urls)),
    path("", include(closing.event_urls)),
]

# URLs below /director/
club_urls: list[URLResolver] = [
    path("", include(desk.club_urls)),
    path("hall/", include(phones.hall_urls)),
    path("history/", include(history.club_urls)),
]


def build_demo_urls(archive_spec: ArchiveSpec) -> list[URLPattern]:
    """Return the URL of the page that removes the demo club.

    `archive_spec` finds the rows of the club.
    """
    return [
        path(
            "demo/remove/",
            demo.show_demo_removal,
            {"archive_spec": archive_spec},
            name="demo_remove",
        )
    ]


# URLs below /director/events/<slug>/
director_urls: list[URLResolver] = [
    path("", include(desk.director_urls)),
    path("", include(phones.director_urls)),
    path("", include(rehearsal.director_urls)),
    path("", include(onward.director_urls)),
    path("room/", include(room.director_urls)),
    path("closing/", include(closing.director_urls)),
    path("challenges/", include(challenges.director_urls)),
    path("deals/helpers/", include(helpers.director_urls)),
    path("history/", include(history.director_urls)),
    path("", include(check_in.event_urls)),
]

# URLs below /director/drives/<slug>/
drive_urls: list[URLResolver] = [
    path("", include(onward.drive_urls)),
    path("", include(check_in.drive_urls)),
]

# URLs below /director/rubbers/<slug>/
rubber_urls: list[URLResolver] = [path("", include(check_in.rubber_urls))]

# URLs below /api/events/<slug>/
api_urls: list[URLPattern] = [
    path("history/", api_history.list_history, name="api-history"),
    path("history/acts/<int:pk>/undo/", api_history.undo_act, name="api-act-undo"),
    path(
        "history/entries/<int:pk>/undo/", api_history.undo_entered_result, name="api-entry-undo"
    ),
    path("sessions/<int:number>/clock/", api_clock.show_or_change_clock, name="api-clock"),
    path("sessions/<int:number>/clock/start/", api_clock.start_clock, name="api-clock-start"),
    path("sessions/<int:number>/clock/pause/", api_clock.pause_clock, name="api-clock-pause"),
    path("sessions/<int:number>/clock/add/", api_clock.add_to_clock, name="api-clock-add"),
    path("sessions/<int:number>/clock/end/", api_clock.end_phase, name="api-clock-end"),
    path("sessions/<int:number>/clock/reset/", api_clock.reset_clock, name="api-clock-reset"),
    path("links/", api_own_links.list_or_create_entry_links, name="api-entry-links"),
    path("links/<int:number>/", api_own_links.delete_entry_link, name="api-entry-link"),
    path(
        "sessions/<int:number>/helpers/", api_own_links.manage_helper_link, name="api-helpers"
    ),
    path(
        "sessions/<int:number>/tables/", api_links.list_or_create_table_links, name="api-links"
    ),
    path(
        "sessions/<int:number>/tables/<int:pk>/", api_links.delete_table_link, name="api-link"
    ),
]
