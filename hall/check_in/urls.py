"""The URLs of check-in: the page of a table's phone, and the director's pages."""

from django.urls import URLPattern, path

import clubs.views.tables
from hall.check_in import views
from hall.check_in.drives import DRIVE_CHECK_IN
from hall.check_in.events import EVENT_CHECK_IN
from hall.check_in.kinds import CheckInKind
from hall.check_in.phone import CHECK_IN_PAGE
from hall.check_in.rubbers import RUBBER_CHECK_IN

# URLs below /t/<token>/
table_urls: list[URLPattern] = [
    path(
        "<str:token>/check-in/",
        clubs.views.tables.show_table,
        {"kinds": (CHECK_IN_PAGE,)},
        name="table_check_in",
    )
]


def build_director_urls(kind: CheckInKind) -> list[URLPattern]:
    """Return the URLs of the director's check-in pages of one kind of evening."""
    kind_argument = {"kind": kind}
    prefix = kind.url_prefix
    return [
        path("check-in/", views.show_check_in, kind_argument, name=f"{prefix}check_in"),
        path(
            "check-in/act/", views.change_check_in, kind_argument, name=f"{prefix}check_in_act"
        ),
        path(
            "check-in/start/",
            views.start_play,
            kind_argument,
            name=f"{prefix}check_in_start",
        ),
        path(
            "check-in/codes/",
            views.show_table_qr_codes,
            kind_argument,
            name=f"{prefix}check_in_codes",
        ),
    ]


# URLs below /director/events/<slug>/
event_urls = build_director_urls(EVENT_CHECK_IN)

# URLs below /director/drives/<slug>/
drive_urls = build_director_urls(DRIVE_CHECK_IN)

# URLs below /director/rubbers/<slug>/
rubber_urls = build_director_urls(RUBBER_CHECK_IN)
