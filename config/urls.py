"""The site map: public pages, the director's pages, the API, the administration."""

from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import URLPattern, URLResolver, include, path, register_converter
from drf_spectacular.views import SpectacularAPIView

import scoring.board_urls
import scoring.hall_urls
import scoring.law_urls
import scoring.rehearsal_urls
import scoring.urls
import tournaments.urls
from config import api
from config.logins import LoginPage
from tournaments.addresses import EventAddress

register_converter(EventAddress, "event")

handler404 = "config.errors.not_found"
handler500 = "config.errors.broken"

# /login/, /logout/
login_urls: list[URLPattern | URLResolver] = [
    path("login/", LoginPage.as_view(), name="login"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
]

# /director/
director_urls: list[URLPattern | URLResolver] = [
    path("", include(tournaments.urls.desk_urls)),
    path("password/", auth.PasswordChangeView.as_view(), name="password_change"),
    path("password/done/", auth.PasswordChangeDoneView.as_view(), name="password_change_done"),
    path("papers/", include(scoring.urls.paper_urls)),
    path("plays/", include(scoring.board_urls.play_urls)),
    path("events/<event:slug>/boards/<int:number>/", include(scoring.board_urls.director_urls)),
    path("events/<event:slug>/deals/", include(scoring.board_urls.deals_urls)),
    path("events/import/", include(scoring.urls.import_urls)),
    path("hall/", include(scoring.hall_urls.hall_urls)),
    path("history/", include(scoring.hall_urls.club_urls)),
    path("events/<event:slug>/", include(scoring.urls.director_urls)),
    path("events/<event:slug>/", include(scoring.hall_urls.director_urls)),
    path("events/<event:slug>/", include(scoring.law_urls.director_urls)),
    path("events/<event:slug>/", include(scoring.rehearsal_urls.director_urls)),
    path("events/<event:slug>/", include(tournaments.urls.director_urls)),
]

# /api/
api_urls: list[URLPattern | URLResolver] = [
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("token/", api.token, name="api-token"),
    path("", include(tournaments.urls.api_urls)),
    path("", include(scoring.urls.api_urls)),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include(login_urls)),
    path("", include(tournaments.urls.public_urls)),
    path("t/", include(scoring.hall_urls.table_urls)),
    path("e/", include(scoring.hall_urls.entry_urls)),
    path("type/<str:token>/", include(scoring.board_urls.typing_urls)),
    path("players/", include(scoring.urls.player_urls)),
    path("laws/", include(scoring.law_urls.law_urls)),
    path("", include(scoring.board_urls.public_urls)),
    path("events/<event:slug>/", include(scoring.urls.event_urls)),
    path("events/<event:slug>/", include(scoring.hall_urls.event_urls)),
    path("events/<event:slug>/", include(scoring.law_urls.event_urls)),
    path("director/", include(director_urls)),
    path("api/", include(api_urls)),
    path("admin/", admin.site.urls),
]
