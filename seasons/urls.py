"""The addresses of a club's home, its people and their records."""

from django.urls import URLPattern, path

from seasons.views import home, learn, people, records

# /
public_urls: list[URLPattern] = [
    path("", home.home, name="home"),
    path("events/", home.evenings, name="evenings"),
    path("learn/", learn.learn, name="learn"),
    *(
        path(f"learn/{page.key.replace('_', '-')}/", learn.lesson(number), name=page.view)
        for number, page in enumerate(learn.LESSONS)
    ),
]

# /players/
player_urls: list[URLPattern] = [
    path("", records.people, name="people"),
    path("<int:pk>/", records.player, name="player"),
]

# /director/players/
people_urls: list[URLPattern] = [
    path("", people.players, name="players"),
    path("<int:pk>/", people.player_edit, name="player_edit"),
    path("<int:pk>/remove/", people.player_remove, name="player_remove"),
    path("<int:pk>/merge/", people.player_merge, name="player_merge"),
]
