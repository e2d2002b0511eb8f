"""The URLs of entries' own pages and of the director's page of challenges."""

from django.urls import URLPattern, path

from hall.challenges import views

# URLs below /e/
entry_urls: list[URLPattern] = [path("<str:token>/", views.show_entry_page, name="entry_page")]

# URLs below /director/events/<slug>/challenges/
director_urls: list[URLPattern] = [
    path("", views.show_challenges, name="challenges"),
    path("links/", views.create_links, name="entry_links_make"),
    path("<int:pk>/code/", views.show_entry_qr_code, name="entry_code"),
    path("revoke/", views.revoke_link, name="entry_link_revoke"),
    path("decide/", views.decide_challenge, name="challenge_decide"),
]
