"""The URLs of an entry's own page and of challenges."""

from django.urls import URLPattern, path

from hall.challenges import views

# /e/
entry_urls: list[URLPattern] = [path("<str:token>/", views.entry_page, name="entry_page")]

# /director/events/<slug>/challenges/
director_urls: list[URLPattern] = [
    path("", views.challenges, name="challenges"),
    path("links/", views.entry_links_make, name="entry_links_make"),
    path("<int:pk>/code/", views.entry_code, name="entry_code"),
    path("revoke/", views.entry_link_revoke, name="entry_link_revoke"),
    path("decide/", views.decide, name="challenge_decide"),
]
