"""The URLs where helpers type hands on their phones after play."""

from django.urls import URLPattern, path

from hall.helpers import views

# URLs below /type/<token>/
hand_typing_urls: list[URLPattern] = [
    path("", views.show_hand_typing_page, name="typing"),
    path("state/", views.show_hand_typing_state, name="typing_state"),
    path("<int:board>/<str:seat>/", views.edit_typed_hand, name="typing_hand"),
]

# URLs below /director/events/<slug>/deals/helpers/
director_urls: list[URLPattern] = [
    path("", views.show_helpers, name="helpers"),
    path("state/", views.show_helpers_state, name="helpers_state"),
    path("make/", views.create_helper_link, name="helpers_make"),
    path("revoke/", views.revoke_helper_link, name="helpers_revoke"),
]
