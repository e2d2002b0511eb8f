"""The URLs of the tables' phones, the tables' links, and calls for the director."""

from django.urls import URLPattern, path

import clubs.views.tables
from drives.views.table import DRIVE_TABLE_KIND
from hall.check_in.phone import OPEN_CHECK_IN_PAGE
from hall.check_in.urls import table_urls as check_in_urls
from hall.phones import director_views
from hall.phones.views import EVENT_TABLE_KIND
from rubbers.views.table import RUBBER_TABLE_KIND

TABLE_KINDS = (EVENT_TABLE_KIND, RUBBER_TABLE_KIND, DRIVE_TABLE_KIND, OPEN_CHECK_IN_PAGE)
"""The kinds of tables that have links, in the order in which a request tries them.

The last kind serves every table during check-in. Drive tables that record rubbers are of the
second kind.
"""

# URLs below /t/
table_urls: list[URLPattern] = [
    path("<str:token>/", clubs.views.tables.show_table, {"kinds": TABLE_KINDS}, name="table"),
    *check_in_urls,
]

# URLs below /director/hall/
hall_urls: list[URLPattern] = [
    path("", director_views.show_network_addresses, name="hall"),
    path("no-wifi/", director_views.show_network_help, name="no_wifi"),
    path("switch/", director_views.toggle_hall_access, name="hall_switch"),
]

# URLs below /director/events/<slug>/
director_urls: list[URLPattern] = [
    path("tables/", director_views.show_tables, name="tables"),
    path("tables/make/", director_views.create_table_links, name="links_make"),
    path("tables/revoke/", director_views.revoke_table_link, name="link_revoke"),
    path("tables/<int:pk>/code/", director_views.show_table_qr_code, name="table_code"),
    path("calls/", director_views.show_director_calls, name="calls"),
    path("calls/answer/", director_views.accept_call, name="call_answer"),
]
