"""The URL configuration: public pages, directors' pages, the API, and the administration."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, register_converter
from drf_spectacular.views import SpectacularAPIView

import clubs.urls
import drives.urls
import exchange.urls
import hall.urls
import laws.urls
import rubbers.urls
import scoring.urls
import seasons.calendar.urls
import seasons.club_pages.urls
import seasons.grades.urls
import seasons.ladders.urls
import seasons.people.urls
import seasons.publishing.urls
import tournaments.urls
from clubs.permissions import (
    can_access_all_data,
    has_congress_club,
    is_club_owner,
    list_accessible_clubs,
    list_managed_club_pks,
    list_managed_user_pks,
)
from config.archives import ARCHIVE_SPEC
from config.better_words.views import download_suggestions, suggest_translation
from config.jobs import KINDS
from config.quotas import list_club_usage_today
from config.search.views import show_director_search, show_search
from printing.qr import create_qr_code
from server.api import errors
from server.api.documentation import show_documentation
from server.urls import (
    build_account_urls,
    build_backup_urls,
    build_factor_urls,
    build_job_urls,
    root_urls,
    sign_in_urls,
)
from tournaments.addresses import EventAddressConverter
from tournaments.event_access import find_event_access_by_address

register_converter(EventAddressConverter, "event")

handler404 = "config.errors.show_not_found"
handler500 = "config.errors.show_server_error"

# URLs below /director/events/<slug>/
event_director_urls: list[URLPattern | URLResolver] = [
    path("", include(hall.urls.director_urls)),
    path("", include(exchange.urls.director_urls)),
    path("", include(scoring.urls.director_urls)),
    path("mail/", include(seasons.publishing.urls.event_mail_urls)),
    path("", include(seasons.grades.urls.event_urls)),
    path("", include(tournaments.urls.director_urls)),
]

# URLs below /director/
director_urls: list[URLPattern | URLResolver] = [
    path("", include(tournaments.urls.desk_urls)),
    path("", include(hall.urls.club_urls)),
    path("", include(hall.urls.build_demo_urls(ARCHIVE_SPEC))),
    path(
        "",
        include(
            build_account_urls(
                is_club_owner,
                can_access_all_data,
                has_congress_club,
                list_accessible_clubs,
                list_managed_user_pks,
            )
        ),
    ),
    path("account/factors/", include(build_factor_urls(create_qr_code))),
    path("", include(build_job_urls(KINDS, list_managed_club_pks, list_club_usage_today))),
    path("", include(build_backup_urls(can_access_all_data))),
    path("club/", include(clubs.urls.member_urls)),
    path("club/", include(clubs.urls.build_archive_urls(ARCHIVE_SPEC, can_access_all_data))),
    path("players/", include(seasons.people.urls.build_director_urls(ARCHIVE_SPEC))),
    path("players/", include(seasons.grades.urls.director_urls)),
    path("seasons/", include(seasons.ladders.urls.director_urls)),
    path("trophies/", include(seasons.ladders.urls.trophy_urls)),
    path("calendar/", include(seasons.calendar.urls.director_urls)),
    path("results-out/", include(seasons.publishing.urls.director_urls)),
    path("words/", suggest_translation, name="better_words"),
    path("words/file/", download_suggestions, name="better_words_file"),
    path("papers/", include(scoring.urls.paper_urls)),
    path("plays/", include(scoring.urls.play_urls)),
    path("drives/", include(drives.urls.director_urls)),
    path("drives/<slug:slug>/", include(rubbers.urls.drive_urls)),
    path("drives/<slug:slug>/", include(hall.urls.drive_urls)),
    path("rubbers/", include(rubbers.urls.director_urls)),
    path("rubbers/<slug:slug>/", include(hall.urls.rubber_urls)),
    path("events/import/", include(exchange.urls.import_urls)),
    path("events/<event:slug>/", include(event_director_urls)),
]

# URLs below /events/<slug>/
event_urls: list[URLPattern | URLResolver] = [
    path("", include(scoring.urls.event_urls)),
    path("", include(hall.urls.event_urls)),
    path("hands/", include(exchange.urls.hand_urls)),
]

# URLs below /clubs/<club>/
club_urls: list[URLPattern] = [
    *seasons.calendar.urls.club_urls,
    *seasons.ladders.urls.club_urls,
    *seasons.publishing.urls.club_urls,
    *seasons.club_pages.urls.club_urls,
]

# URLs below /api/clubs/<club>/
season_api_urls: list[URLPattern] = [
    *seasons.calendar.urls.api_urls,
    *seasons.grades.urls.api_urls,
    *seasons.ladders.urls.api_urls,
    *seasons.publishing.urls.api_urls,
]

# URLs below /api/
api_urls: list[URLPattern | URLResolver] = [
    path("", show_documentation, name="api-pages"),
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("token/", errors.create_token, name="api-token"),
    path("", include(tournaments.urls.api_urls)),
    path("", include(scoring.urls.api_urls)),
    path("", include(drives.urls.api_urls)),
    path("", include(rubbers.urls.api_urls)),
    path("events/<slug:slug>/", include(hall.urls.api_urls)),
    path("events/<slug:slug>/", include(exchange.urls.api_urls)),
    path("clubs/<slug:slug>/", include(exchange.urls.api_club_urls)),
    path("clubs/<slug:slug>/", include(season_api_urls)),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include(sign_in_urls)),
    path("", include(root_urls)),
    path("search/", show_search, name="search"),
    path("director/search/", show_director_search, name="own_search"),
    path("", include(clubs.urls.public_urls)),
    path("", include(seasons.club_pages.urls.public_urls)),
    path("", include(tournaments.urls.public_urls)),
    path("", include(scoring.urls.public_urls)),
    path("", include(hall.urls.link_urls)),
    path("players/", include(seasons.people.urls.player_urls)),
    path("me/", include(seasons.people.urls.me_urls)),
    path("clubs/<slug:club>/", include(club_urls)),
    path("mail/", include(seasons.publishing.urls.mail_urls)),
    path("b/", include(seasons.calendar.urls.booking_urls)),
    path("laws/", include(laws.urls.build_law_urls(find_event_access_by_address))),
    path("events/<event:slug>/", include(event_urls)),
    path("drives/", include(drives.urls.public_urls)),
    path("rubbers/", include(rubbers.urls.public_urls)),
    path("d/", include(drives.urls.link_urls)),
    path("director/", include(director_urls)),
    path("api/", include(api_urls)),
    path("admin/", admin.site.urls),
]
