"""The URLs of the front page, the lessons and a club's own pages."""

from django.urls import URLPattern, path

from seasons.club_pages import learn, views

# /
public_urls: list[URLPattern] = [
    path("", views.home, name="home"),
    path("events/", views.evenings, name="evenings"),
    path("learn/", learn.learn, name="learn"),
    *(
        path(f"learn/{page.key.replace('_', '-')}/", learn.lesson(number), name=page.view)
        for number, page in enumerate(learn.LESSONS)
    ),
]

# /clubs/<club>/
club_urls: list[URLPattern] = [
    path("", views.club_page, name="club_page"),
    path("feed.xml", views.feed, name="club_feed"),
    path("honours/", views.honours, name="honours"),
    path("records/", views.records, name="club_records"),
]
