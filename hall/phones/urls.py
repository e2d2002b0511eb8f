"""The URLs of the tables' phones, of their links, and of calls for the director."""

from django.urls import URLPattern, path

import clubs.views.tables
from drives.views.table import DRIVE_TABLE
from hall.phones import director_views
from hall.phones.views import EVENT_TABLE
from rubbers.views.table import RUBBER_TABLE

KINDS = (EVENT_TABLE, RUBBER_TABLE, DRIVE_TABLE)
"""The kinds of tables; a drive's table where rubbers are marked is of the second kind."""

# /t/
table_urls: list[URLPattern] = [
    path("<str:token>/", clubs.views.tables.table, {"kinds": KINDS}, name="table")
]

# /director/hall/
hall_urls: list[URLPattern] = [
    path("", director_views.hall, name="hall"),
    path("switch/", director_views.hall_switch, name="hall_switch"),
]

# /director/events/<slug>/
director_urls: list[URLPattern] = [
    path("tables/", director_views.tables, name="tables"),
    path("tables/make/", director_views.links_make, name="links_make"),
    path("tables/revoke/", director_views.link_revoke, name="link_revoke"),
    path("tables/<int:pk>/code/", director_views.table_code, name="table_code"),
    path("calls/", director_views.calls, name="calls"),
    path("calls/answer/", director_views.call_answer, name="call_answer"),
]
