"""The URL patterns of a club's grades."""

from django.urls import URLPattern, path

from seasons.grades import api, views

# URLs below /director/players/
director_urls: list[URLPattern] = [
    path("grades/", views.edit_grade_settings, name="club_grades"),
]

# URLs below /director/events/<slug>/
event_urls: list[URLPattern] = [
    path("seeds/grades/", views.seed_entries_by_grades, name="seeds_by_grades"),
]

# URLs below /api/clubs/<club>/
api_urls: list[URLPattern] = [
    path("grades/", api.show_grade_settings, name="api-grades"),
    path("grades/people/", api.list_public_grades, name="api-grades-people"),
    path("grades/people/<int:player>/", api.list_grade_steps, name="api-grade-steps"),
]
