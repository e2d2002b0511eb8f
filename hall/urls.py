"""The addresses of an evening under way, feature by feature."""

from django.urls import URLResolver, include, path

from hall.challenges import urls as challenges
from hall.closing import urls as closing
from hall.desk import urls as desk
from hall.helpers import urls as helpers
from hall.history import urls as history
from hall.phones import urls as phones
from hall.rehearsal import urls as rehearsal
from hall.room import urls as room

# /
link_urls: list[URLResolver] = [
    path("t/", include(phones.table_urls)),
    path("e/", include(challenges.entry_urls)),
    path("type/<str:token>/", include(helpers.typing_urls)),
]

# /events/<slug>/
event_urls: list[URLResolver] = [
    path("", include(room.event_urls)),
    path("", include(closing.event_urls)),
]

# /director/
club_urls: list[URLResolver] = [
    path("", include(desk.club_urls)),
    path("hall/", include(phones.hall_urls)),
    path("history/", include(history.club_urls)),
]

# /director/events/<slug>/
director_urls: list[URLResolver] = [
    path("", include(desk.director_urls)),
    path("", include(phones.director_urls)),
    path("", include(rehearsal.director_urls)),
    path("room/", include(room.director_urls)),
    path("closing/", include(closing.director_urls)),
    path("challenges/", include(challenges.director_urls)),
    path("deals/helpers/", include(helpers.director_urls)),
    path("history/", include(history.director_urls)),
]
