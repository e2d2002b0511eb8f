"""The URLs of a club's grades."""

from django.urls import URLPattern, path

from seasons.grades import api, views

# /director/players/
director_urls: list[URLPattern] = [
    path("grades/", views.club_grades, name="club_grades"),
    path("grades/constants/", views.grades_constants, name="grades_constants"),
    path("grades/fit/", views.grades_fit, name="grades_fit"),
]

# /director/events/<slug>/
event_urls: list[URLPattern] = [
    path("seeds/grades/", views.seeds_by_grades, name="seeds_by_grades"),
]

# /api/clubs/<club>/
api_urls: list[URLPattern] = [
    path("grades/", api.grades, name="api-grades"),
    path("grades/people/", api.grades_people, name="api-grades-people"),
    path("grades/people/<int:player>/", api.grade_steps, name="api-grade-steps"),
]
