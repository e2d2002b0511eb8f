"""The URLs for hands typed after play on the helpers' phones."""

from django.urls import URLPattern, path

from hall.helpers import views

# /type/<token>/
typing_urls: list[URLPattern] = [
    path("", views.typing, name="typing"),
    path("state/", views.typing_state, name="typing_state"),
    path("<int:board>/<str:seat>/", views.typing_hand, name="typing_hand"),
]

# /director/events/<slug>/deals/helpers/
director_urls: list[URLPattern] = [
    path("", views.helpers, name="helpers"),
    path("state/", views.helpers_state, name="helpers_state"),
    path("make/", views.helpers_make, name="helpers_make"),
    path("revoke/", views.helpers_revoke, name="helpers_revoke"),
]
